#include <algorithm>

#include "controllers/volcano.h"

namespace berth::controllers {
namespace {

using api::volcano::JobAction;
using api::volcano::JobEvent;
using api::volcano::LifecyclePolicy;

bool answers(const LifecyclePolicy& policy, const JobHappening& happening) {
  if (policy.exit_code) return happening.exit_code == policy.exit_code;
  return std::ranges::any_of(policy.events,
                             [&](JobEvent event) { return event == happening.event || event == JobEvent::kAny; });
}

// Waiting for a node is no event before it takes too long; everything else acts at once where no timeout is set.
bool is_due(const LifecyclePolicy& policy, const JobHappening& happening, api::Time now) {
  if (!policy.timeout_seconds) return happening.event != JobEvent::kPodPending;
  return now - happening.since >= *policy.timeout_seconds;
}

}  // namespace

std::optional<JobAction> action_for(const api::volcano::JobSpec& spec, const JobHappening& happening, api::Time now) {
  const auto first_of = [&](const std::vector<LifecyclePolicy>& policies) -> const LifecyclePolicy* {
    const auto found =
        std::ranges::find_if(policies, [&](const LifecyclePolicy& policy) { return answers(policy, happening); });
    return found == policies.end() ? nullptr : &*found;
  };
  const LifecyclePolicy* policy = nullptr;
  if (const auto task = std::ranges::find(spec.tasks, happening.task, &api::volcano::Task::name);
      task != spec.tasks.end())
    policy = first_of(task->policies);
  if (policy == nullptr) policy = first_of(spec.policies);
  if (policy == nullptr || !is_due(*policy, happening, now)) return std::nullopt;
  return policy->action;
}

}  // namespace berth::controllers
