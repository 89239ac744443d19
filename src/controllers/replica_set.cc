#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/mutant.h"
#include "controllers/template_size.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

// As many new pods as are missing among the active ones.
void fill_up(Workshop& workshop, const Owner& owner, const Place& place, std::int32_t replicas,
             const api::PodTemplate& pod_template, const std::vector<const api::Pod*>& claimed) {
  const auto there = std::ranges::count_if(claimed, [](const api::Pod* pod) { return is_active(*pod); });
  const std::int64_t missing = std::max<std::int64_t>(replicas, 0) - there;
  if (missing <= 0 || !workshop.admit(missing, bytes_of_a_pod(pod_template), owner, place)) return;
  api::Pod first = workshop.pod_from(pod_template, owner);
  set_defaults(first);
  const std::int64_t count = mutant("Controller.MissingPodsOnly") ? replicas : missing;
  for (std::int64_t i = 0; i < count; ++i) {
    api::Pod pod = first;
    pod.metadata.name = workshop.fresh_name(pod.metadata.namespace_, owner.metadata->name);
    workshop.make(std::move(pod), place);
  }
}

}  // namespace

void reconcile_replica_set(Workshop& workshop, const api::Read<api::ReplicaSet>& read) {
  const api::ReplicaSet& set = read.object;
  const Owner owner{"apps/v1", "ReplicaSet", &set.metadata};
  if (set.metadata.deletion_timestamp) return;
  fill_up(workshop, owner, read.place, set.replicas, set.pod_template, workshop.claimed(owner, set.selector));
}

void reconcile_replication_controller(Workshop& workshop, const api::Read<api::ReplicationController>& read) {
  const api::ReplicationController& from = read.object;
  const Owner owner{"v1", "ReplicationController", &from.metadata};
  if (from.metadata.deletion_timestamp) return;
  // An absent selector is that of the template, as the API server fills it in.
  const api::LabelSelector selector{from.selector.empty() ? from.pod_template.metadata.labels : from.selector, {}};
  fill_up(workshop, owner, read.place, from.replicas, from.pod_template,
          selector.match_labels.empty() ? std::vector<const api::Pod*>() : workshop.claimed(owner, selector));
}

}  // namespace berth::controllers
