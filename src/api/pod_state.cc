#include "api/pod_state.h"

#include <algorithm>

namespace berth::api {

bool is_finished(const Pod& pod) {
  return pod.status.phase == PodPhase::kSucceeded || pod.status.phase == PodPhase::kFailed;
}

bool is_on_a_node(const Pod& pod) { return !is_finished(pod) && !pod.spec.node_name.empty(); }

bool is_active(const Pod& pod) { return !is_finished(pod) && !pod.metadata.deletion_timestamp; }

bool is_ready(const Pod& pod) {
  if (!is_active(pod) || pod.spec.node_name.empty()) return false;
  const auto found = std::ranges::find(pod.status.conditions, "Ready", &Condition::type);
  return found == pod.status.conditions.end() ? pod.status.conditions.empty() : found->status == "True";
}

}  // namespace berth::api
