#include "engine/cycle/preemption.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "base/mutant.h"
#include "engine/cycle/budgets.h"
#include "engine/cycle/promises.h"
#include "engine/cycle/wake.h"
#include "engine/devices/holdings.h"
#include "engine/fit/filters.h"
#include "engine/world/age.h"

namespace berth::engine {
namespace {

// A pod that has not started counts as the youngest.
Time start_of(const Pod& pod) { return pod.started.value_or(std::numeric_limits<Time>::max()); }

// More important: higher priority, then running for longer, then tie order.
bool more_important(const World& world, PodId a, PodId b) {
  const Pod& left = world.pod(a);
  const Pod& right = world.pod(b);
  const std::int32_t left_priority = world.shape(left.shape).input.priority;
  const std::int32_t right_priority = world.shape(right.shape).input.priority;
  if (left_priority != right_priority) return left_priority > right_priority;
  if (start_of(left) != start_of(right)) return start_of(left) < start_of(right);
  return comes_first_by_tie(left, right, world.names());
}

// Which of the pods, evicted in this order, would break a budget. The first budget that a pod breaks is the last that
// it counts against.
std::vector<bool> breaks_budget(const World& world, const std::vector<PodId>& pods) {
  std::vector<std::int64_t> allowed;
  for (const BudgetInput& budget : world.budgets()) allowed.push_back(budget.disruptions_allowed);
  std::vector<bool> result;
  for (const PodId pod : pods) {
    bool broken = false;
    for (std::size_t i = 0; i < allowed.size() && !broken; ++i) {
      if (!counts_against(world, world.budgets()[i], pod)) continue;
      broken = --allowed[i] < 0 && !mutant("Rule.DisruptionBudget");
    }
    result.push_back(broken);
  }
  return result;
}

// Of members of a workload only those may go for a single pod that it holds above its minimums. The least important
// are asked first.
void keep_workloads_whole(const World& world, std::vector<PodId>& pods) {
  if (mutant("Rule.SinglePodBreaksNoGang")) return;
  std::map<WorkloadId, std::vector<std::int32_t>> lost;
  std::vector<PodId> kept;
  for (auto pod = pods.rbegin(); pod != pods.rend(); ++pod) {
    const WorkloadId id = world.pod(*pod).workload;
    if (!id.is_none()) {
      const Workload& workload = world.workloads()[id];
      const bool whole_only = workload.input.disruption == WorkloadInput::Disruption::kWhole;
      if (!workload.input.preemptible || whole_only || world.pod(*pod).group == kNoGroup) continue;
      auto& extra = lost.try_emplace(id, workload.groups.size(), 0).first->second;
      --extra[world.pod(*pod).group];
      if (!is_satisfied(workload, extra)) {
        ++extra[world.pod(*pod).group];
        continue;
      }
    }
    kept.push_back(*pod);
  }
  std::ranges::reverse(kept);
  pods = std::move(kept);
}

// Pods of lower priority that use devices which more than one node reaches: they may be in the way on another node than
// their own.
std::vector<PodId> far_holders(const World& world, const ShapeInput& shape) {
  std::vector<PodId> result;
  if (shape.claims.empty() || mutant("Rule.FarHolders")) return result;
  const std::vector<NameId> claims = world.holdings().far_reaching();
  if (claims.empty()) return result;
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const Pod& pod = world.pod(PodId{i});
    if (pod.state != PodState::kPlaced || world.shape_of(PodId{i}).input.priority >= shape.priority) continue;
    const auto is_far = [&](NameId claim) { return std::ranges::find(claims, claim) != claims.end(); };
    if (std::ranges::any_of(pod.claims, is_far)) result.push_back(PodId{i});
  }
  return result;
}

// The pods on the node that may go, and those of `far` elsewhere, most important first.
std::vector<PodId> removable(const World& world, NodeId node, std::int32_t priority, const std::vector<PodId>& far) {
  std::vector<PodId> result;
  for (const PodId pod : world.node(node).pods) {
    if (world.shape_of(pod).input.priority < priority || mutant("Rule.OnlyLowerPriority")) result.push_back(pod);
  }
  for (const PodId pod : far) {
    if (world.pod(pod).node != node) result.push_back(pod);
  }
  std::ranges::sort(result, [&](PodId a, PodId b) { return more_important(world, a, b); });
  keep_workloads_whole(world, result);
  return result;
}

// The victims on one node, or nothing if the pod would not fit all the same.
std::optional<EvictionPlan> free_node(World& world, const Question& question, NodeId node, PodId preemptor,
                                      const std::vector<PodId>& far) {
  const auto fits = [&] {
    return check_all(question, node).fits() && fits_with_promised(world, question, node, preemptor);
  };
  const std::vector<PodId> candidates = removable(world, node, question.shape.input.priority, far);
  if (candidates.empty()) return std::nullopt;
  const std::vector<bool> breaks = breaks_budget(world, candidates);
  const World::Mark start = world.mark();
  // Who stays keeps its cards: a plan that moved shares between cards could not be carried out.
  std::vector<std::vector<CardAssignment>> cards;
  std::vector<NodeId> places;
  for (const PodId pod : candidates) {
    cards.push_back(world.pod(pod).cards);
    places.push_back(world.pod(pod).node);
    world.unplace(pod, PodState::kEvicted);
  }
  EvictionPlan plan{.node = node, .victims = {}, .violations = 0};
  if (fits()) {
    for (const bool breaking : {true, false}) {
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (breaks[i] != breaking) continue;
        const World::Mark before = world.mark();
        if (!mutant("Rule.Reprieve")) world.put_back(candidates[i], places[i], cards[i]);
        if (!mutant("Rule.Reprieve") && fits()) continue;
        world.rollback(before);
        plan.victims.push_back(candidates[i]);
        if (breaking) ++plan.violations;
      }
    }
  }
  world.rollback(start);
  if (plan.victims.empty()) return std::nullopt;
  std::ranges::sort(plan.victims, [&](PodId a, PodId b) { return more_important(world, a, b); });
  return plan;
}

// Smaller is better: budgets broken, the highest priority, the sum of all, the number of victims, the most important
// one's start (late is better), the tie order.
using Harm = std::tuple<std::uint32_t, std::int64_t, std::int64_t, std::size_t, Time, std::uint32_t>;

constexpr std::int64_t kAboveAnyPriority = std::int64_t{1} << 31U;  // so that each victim more is worse

Harm harm(const World& world, const EvictionPlan& plan) {
  const std::int64_t highest = world.shape_of(plan.victims.front()).input.priority;
  std::int64_t sum = 0;
  Time earliest = std::numeric_limits<Time>::max();
  for (const PodId victim : plan.victims) {
    const std::int64_t priority = world.shape_of(victim).input.priority;
    sum += priority + kAboveAnyPriority;
    if (priority == highest) earliest = std::min(earliest, start_of(world.pod(victim)));
  }
  return {plan.violations, highest, sum, plan.victims.size(), -earliest, world.node(plan.node).rank};
}

// No plan on the node does less harm: one victim of the lowest priority there is, the youngest there is, no budget
// broken. Most nodes are ruled out by it without a trial.
Harm least_harm(const World& world, NodeId node) {
  std::int64_t lowest = std::numeric_limits<std::int32_t>::max();
  Time youngest = -std::numeric_limits<Time>::max();
  for (const PodId pod : world.node(node).pods) {
    lowest = std::min<std::int64_t>(lowest, world.shape_of(pod).input.priority);
    youngest = std::max(youngest, start_of(world.pod(pod)));
  }
  return {0, lowest, lowest + kAboveAnyPriority, 1, -youngest, world.node(node).rank};
}

}  // namespace

std::optional<EvictionPlan> plan_eviction(World& world, PodId pod) {
  const ShapeId shape_id = world.pod(pod).shape;
  const Shape& shape = world.shape(shape_id);
  if (!shape.profile->preemption || (!shape.input.preempts && !mutant("Rule.NeverPreempts")) ||
      mutant("Rule.Preemption"))
    return std::nullopt;
  if (!world.has_lower_priority(shape.input.priority)) return std::nullopt;
  const Question question{world, shape, world.topology().plan(shape_id)};
  if (awaits_victims(question, pod)) return std::nullopt;
  const std::vector<PodId> far = far_holders(world, shape.input);
  std::optional<EvictionPlan> best;
  std::optional<Harm> least;  // that of the best
  for (const NodeId node : world.by_rank()) {
    // Where it fits as it is, promises are in the way.
    if (!check_all(question, node).resolvable) continue;
    // Who is far away may have to go for a device, whatever the node has.
    if (far.empty() && ((best && *least < least_harm(world, node)) || !suffices_without_lower(question, node)))
      continue;
    std::optional<EvictionPlan> plan = free_node(world, question, node, pod, far);
    if (!plan) continue;
    const Harm harm_of_plan = harm(world, *plan);
    if (best && *least < harm_of_plan) continue;
    best = std::move(plan);
    least = harm_of_plan;
  }
  return best;
}

}  // namespace berth::engine
