#include "controllers/pod_failure.h"

#include <algorithm>
#include <vector>

#include "base/mutant.h"

namespace berth::controllers {
namespace {

bool ended_so(const api::PodFailureExitCodes& rule, const std::vector<api::ContainerStatus>& containers) {
  return std::ranges::any_of(containers, [&rule](const api::ContainerStatus& container) {
    if (container.exit_code.value_or(0) == 0) return false;
    if (!rule.container_name.empty() && rule.container_name != container.name) return false;
    return (std::ranges::find(rule.values, *container.exit_code) != rule.values.end()) == rule.in;
  });
}

bool matches(const api::PodFailureRule& rule, const api::PodStatus& pod) {
  if (rule.on_exit_codes && !mutant("Rule.ExitCodes"))
    return ended_so(*rule.on_exit_codes, pod.container_statuses) ||
           ended_so(*rule.on_exit_codes, pod.init_container_statuses);
  return std::ranges::any_of(pod.conditions, [&rule](const api::Condition& condition) {
    return std::ranges::any_of(rule.on_pod_conditions, [&condition](const auto& wanted) {
      return wanted.type == condition.type && wanted.status == condition.status;
    });
  });
}

}  // namespace

api::PodFailureRule::Action failure_action(const api::JobSpec& spec, const api::Pod& pod) {
  if (spec.pod_failure_policy)
    for (const api::PodFailureRule& rule : *spec.pod_failure_policy)
      if (matches(rule, pod.status)) return rule.action;
  return api::PodFailureRule::Action::kCount;
}

}  // namespace berth::controllers
