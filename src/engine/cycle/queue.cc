#include "engine/cycle/queue.h"

#include <algorithm>

#include "base/mutant.h"

namespace berth::engine {

bool placements_can_help(const ShapeInput& shape) {
  return !shape.required_affinity.empty() ||
         std::ranges::any_of(shape.spread, [](const SpreadConstraint& constraint) { return constraint.hard; });
}

void Queue::add(PodId pod) { added_.push_back(pod); }

void Queue::park(PodId pod) {
  Parked& parked = parked_[world_.pod(pod).shape];
  parked.pods.push_back(pod);
  parked.loosened = world_.loosened();
  parked.placements = world_.placements();
}

bool Queue::may_fit_now(ShapeId shape, const Parked& parked) const {
  if (parked.loosened != world_.loosened()) return true;
  return parked.placements != world_.placements() && placements_can_help(world_.shape(shape).input);
}

bool Queue::before(PodId a, PodId b) const {
  const Pod& left = world_.pod(a);
  const Pod& right = world_.pod(b);
  const std::int32_t left_priority = world_.shape(left.shape).input.priority;
  const std::int32_t right_priority = world_.shape(right.shape).input.priority;
  if (left_priority != right_priority && !mutant("Rule.PriorityOrder")) return left_priority > right_priority;
  if (left.created != right.created && !mutant("Rule.AgeOrder")) return left.created < right.created;
  if (left.tie != right.tie) return left.tie < right.tie;
  if (left.name == right.name) return false;
  return world_.names().names.text(left.name) < world_.names().names.text(right.name);
}

std::vector<PodId> Queue::take() {
  std::vector<PodId> result = std::move(added_);
  added_.clear();
  for (auto& [shape, parked] : parked_) {
    if (parked.pods.empty() || !may_fit_now(shape, parked)) continue;
    result.insert(result.end(), parked.pods.begin(), parked.pods.end());
    parked.pods.clear();
  }
  std::erase_if(result, [&](PodId pod) { return world_.pod(pod).state != PodState::kPending; });
  std::ranges::sort(result, [&](PodId a, PodId b) { return before(a, b); });
  result.erase(std::ranges::unique(result).begin(), result.end());
  return result;
}

}  // namespace berth::engine
