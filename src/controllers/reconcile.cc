#include "controllers/reconcile.h"

#include <iterator>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

#include "controllers/workshop.h"

namespace berth::controllers {

Expansion reconcile(const api::ObjectSet& objects, const Options& options) {
  Workshop workshop(objects, options);
  // Top down, so that what one controller makes is there for the next.
  for (const auto& read : objects.cron_jobs) reconcile_cron_job(workshop, read);
  std::vector<api::Read<api::ReplicaSet>> replica_sets = objects.replica_sets;
  for (const auto& read : objects.deployments) reconcile_deployment(workshop, read, replica_sets);
  for (const auto& read : replica_sets) reconcile_replica_set(workshop, read);
  for (const auto& read : objects.replication_controllers) reconcile_replication_controller(workshop, read);
  for (const auto& read : objects.stateful_sets) reconcile_stateful_set(workshop, read);
  for (const auto& read : objects.daemon_sets) reconcile_daemon_set(workshop, read);
  for (const auto& read : objects.jobs) reconcile_job(workshop, read);
  const std::vector<api::Read<api::Job>> made = workshop.result().jobs;
  for (const auto& read : made) reconcile_job(workshop, read);
  if (options.one_by_one) workshop.order_by_age();
  return std::move(workshop.result());
}

void add(Expansion expansion, api::ObjectSet& objects) {
  boost::unordered_flat_set<std::string> finished;
  for (const auto& read : objects.pods) {
    if (is_finished(read.object))
      finished.insert(full_name(read.object.metadata.namespace_, read.object.metadata.name));
  }
  if (!finished.empty()) {
    boost::unordered_flat_set<std::string> replaced;
    for (const auto& read : expansion.pods) {
      std::string name = full_name(read.object.metadata.namespace_, read.object.metadata.name);
      if (finished.contains(name)) replaced.insert(std::move(name));
    }
    std::erase_if(objects.pods, [&replaced](const api::Read<api::Pod>& read) {
      return is_finished(read.object) &&
             replaced.contains(full_name(read.object.metadata.namespace_, read.object.metadata.name));
    });
  }
  const auto move_all = [](auto& from, auto& to) {
    if (to.empty()) {
      to = std::move(from);
      return;
    }
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  move_all(expansion.pods, objects.pods);
  move_all(expansion.replica_sets, objects.replica_sets);
  move_all(expansion.jobs, objects.jobs);
  move_all(expansion.persistent_volume_claims, objects.persistent_volume_claims);
  move_all(expansion.workloads, objects.workloads);
  move_all(expansion.pod_groups, objects.pod_groups);
}

}  // namespace berth::controllers
