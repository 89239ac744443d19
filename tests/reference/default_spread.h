// The spread constraints that hold for a pod: its own, or those of the profile with a selector worked out from the
// services and the controller that select the pod.
#pragma once

#include <vector>

#include "api/scheduler_config.h"
#include "reference/objects.h"

namespace berth::reference {

struct SpreadRules {
  std::vector<api::TopologySpreadConstraint> constraints;  // matchLabelKeys merged into the selectors
  bool require_all_keys = true;                            // in scores a node without one of the keys is ignored
};

[[nodiscard]] SpreadRules spread_rules(const Objects& objects, const api::Pod& pod,
                                       const api::SchedulerProfile& profile, api::UnsatisfiableAction action);

}  // namespace berth::reference
