#include "controllers/reconcile.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "api/full_name.h"
#include "controllers/volcano.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

void reconcile_volcano(Workshop& workshop) {
  const api::ObjectSet& objects = workshop.objects();
  for (const auto& read : objects.volcano_cron_jobs) reconcile_volcano_cron_job(workshop, read);
  for (const auto& read : objects.job_flows) reconcile_job_flow(workshop, read);
  const std::vector<api::Read<api::volcano::Job>> made = std::exchange(workshop.result().volcano_jobs, {});
  for (const auto& read : objects.volcano_jobs) reconcile_volcano_job(workshop, read);
  boost::unordered_flat_set<std::string> names;
  for (const auto& read : made) {
    const api::ObjectMeta& job = read.object.metadata;
    if (names.insert(api::full_name(job.namespace_, job.name)).second)
      reconcile_volcano_job(workshop, read);
    else
      workshop.remark("Job " + job.name + " is made once only, though two objects ask for one of this name.",
                      read.place);
  }
  reconcile_queues(workshop);
  reconcile_pod_groups(workshop);
}

// Each newcomer takes the place of the object of its name, or the next one behind.
template <class T>
void replace_by_name(std::vector<api::Read<T>> from, std::vector<api::Read<T>>& to) {
  if (from.empty()) return;
  boost::unordered_flat_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < to.size(); ++i) places.emplace(api::full_name(to[i].object.metadata), i);
  for (api::Read<T>& read : from) {
    const auto [place, fresh] = places.try_emplace(api::full_name(read.object.metadata), to.size());
    if (fresh) {
      to.push_back(std::move(read));
    } else {
      to[place->second] = std::move(read);
    }
  }
}

template <class T>
void remove_named(const std::vector<std::string>& names, std::vector<api::Read<T>>& from) {
  if (names.empty()) return;
  const boost::unordered_flat_set<std::string_view> gone(names.begin(), names.end());
  std::erase_if(from,
                [&gone](const api::Read<T>& read) { return gone.contains(api::full_name(read.object.metadata)); });
}

}  // namespace

Expansion reconcile(const api::ObjectSet& objects, const Options& options) {
  Workshop workshop(objects, options);
  // Top down, so that what one controller makes is there for the next.
  for (const auto& read : objects.cron_jobs) reconcile_cron_job(workshop, read);
  std::vector<api::Read<api::ReplicaSet>> replica_sets = objects.replica_sets;
  reconcile_deployments(workshop, replica_sets);
  for (const auto& read : replica_sets) reconcile_replica_set(workshop, read);
  for (const auto& read : objects.replication_controllers) reconcile_replication_controller(workshop, read);
  for (const auto& read : objects.stateful_sets) reconcile_stateful_set(workshop, read);
  for (const auto& read : objects.daemon_sets) reconcile_daemon_set(workshop, read);
  const boost::unordered_flat_set<std::string> removed(workshop.result().removed_jobs.begin(),
                                                       workshop.result().removed_jobs.end());
  for (const auto& read : objects.jobs) {
    const api::ObjectMeta& job = read.object.metadata;
    if (removed.empty() || !removed.contains(api::full_name(job.namespace_, job.name))) reconcile_job(workshop, read);
  }
  const std::vector<api::Read<api::Job>> made = workshop.result().jobs;
  for (const auto& read : made) reconcile_job(workshop, read);
  reconcile_volcano(workshop);
  if (options.one_by_one) workshop.order_by_age();
  return std::move(workshop.result());
}

void add(Expansion expansion, api::ObjectSet& objects) {
  remove_named(expansion.removed_pods, objects.pods);
  remove_named(expansion.removed_jobs, objects.jobs);
  remove_named(expansion.removed_volcano_jobs, objects.volcano_jobs);
  remove_named(expansion.removed_commands, objects.volcano_commands);
  replace_by_name(std::move(expansion.volcano_jobs), objects.volcano_jobs);
  replace_by_name(std::move(expansion.job_flows), objects.job_flows);
  replace_by_name(std::move(expansion.volcano_queues), objects.volcano_queues);
  replace_by_name(std::move(expansion.volcano_pod_groups), objects.volcano_pod_groups);
  boost::unordered_flat_set<std::string> finished;
  for (const auto& read : objects.pods) {
    if (is_finished(read.object)) finished.insert(api::full_name(read.object.metadata));
  }
  if (!finished.empty()) {
    boost::unordered_flat_set<std::string> replaced;
    for (const auto& read : expansion.pods) {
      std::string name = api::full_name(read.object.metadata);
      if (finished.contains(name)) replaced.insert(std::move(name));
    }
    std::erase_if(objects.pods, [&replaced](const api::Read<api::Pod>& read) {
      return is_finished(read.object) && replaced.contains(api::full_name(read.object.metadata));
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
  move_all(expansion.services, objects.services);
}

}  // namespace berth::controllers
