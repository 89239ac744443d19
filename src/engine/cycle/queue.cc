#include "engine/cycle/queue.h"

#include <algorithm>
#include <iterator>

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
  if (placements_can_help(world_.shape(world_.pod(pod).shape).input)) ++helped_by_placements_;
  parked.loosened = world_.loosened();
  parked.placements = world_.placements();
}

bool Queue::is_hopeless(ShapeId shape) const {
  const auto found = parked_.find(shape);
  return found != parked_.end() && !may_fit_now(shape, found->second);
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

bool Queue::may_wake() const {
  if (loosened_seen_ != world_.loosened()) return true;
  return helped_by_placements_ > 0 && placements_seen_ != world_.placements();
}

void Queue::put_in_order(std::vector<PodId>& pods) const {
  std::erase_if(pods, [&](PodId pod) { return world_.pod(pod).state != PodState::kPending; });
  std::ranges::sort(pods, [&](PodId a, PodId b) { return before(a, b); });
  pods.erase(std::ranges::unique(pods).begin(), pods.end());
}

std::vector<PodId> Queue::wake() {
  std::vector<PodId> result;
  if (!may_wake()) return result;
  loosened_seen_ = world_.loosened();
  placements_seen_ = world_.placements();
  for (auto& [shape, parked] : parked_) {
    if (parked.pods.empty() || !may_fit_now(shape, parked)) continue;
    if (placements_can_help(world_.shape(shape).input)) helped_by_placements_ -= parked.pods.size();
    result.insert(result.end(), parked.pods.begin(), parked.pods.end());
    parked.pods.clear();
  }
  put_in_order(result);
  return result;
}

std::vector<PodId> Queue::take() {
  std::vector<PodId> result = std::move(added_);
  added_.clear();
  const std::vector<PodId> woken = wake();
  result.insert(result.end(), woken.begin(), woken.end());
  put_in_order(result);
  return result;
}

void Queue::merge_woken(std::vector<PodId>& pods, std::size_t position) {
  const std::vector<PodId> woken = wake();
  if (woken.empty()) return;
  const PodId current = pods[position];
  const auto turn = std::ranges::find_if(woken, [&](PodId pod) { return before(current, pod); });
  added_.insert(added_.end(), woken.begin(), turn);
  const auto rest = pods.begin() + static_cast<std::ptrdiff_t>(position) + 1;
  std::vector<PodId> merged;
  std::merge(rest, pods.end(), turn, woken.end(), std::back_inserter(merged),
             [&](PodId a, PodId b) { return before(a, b); });
  // A pod that changed while it was parked may be in both.
  merged.erase(std::ranges::unique(merged).begin(), merged.end());
  pods.erase(rest, pods.end());
  pods.insert(pods.end(), merged.begin(), merged.end());
}

}  // namespace berth::engine
