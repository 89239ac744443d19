#include "engine/cycle/preemption.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "base/mutant.h"
#include "base/sort_unique.h"
#include "engine/cycle/budgets.h"
#include "engine/cycle/eviction_units.h"
#include "engine/cycle/promises.h"
#include "engine/devices/holdings.h"
#include "engine/fit/filters.h"
#include "engine/gang/pieces.h"
#include "engine/world/age.h"

namespace berth::engine {
namespace {

// What goes or stays together on one node.
struct Candidate {
  std::vector<PodId> pods;  // on the node, most important first
  WorkloadId workload;      // of a workload of which more goes; none: one pod
  std::uint32_t group = 0;  // all that this group of it holds goes
  bool surplus = false;     // its workload runs on without it
  // Of each pod, once it is gone.
  std::vector<NodeId> places;
  std::vector<std::vector<CardAssignment>> cards;
};

// More important: higher priority, then running for longer, then tie order.
bool more_important(const World& world, PodId a, PodId b) {
  const Pod& left = world.pod(a);
  const Pod& right = world.pod(b);
  const std::int32_t left_priority = eviction_priority(world, a);
  const std::int32_t right_priority = eviction_priority(world, b);
  if (left_priority != right_priority) return left_priority > right_priority;
  if (start_of(left) != start_of(right)) return start_of(left) < start_of(right);
  return comes_first_by_tie(left, right, world.names());
}

// Which of them, evicted in this order, would break a budget. The first budget that a pod breaks is the last that it
// counts against.
std::vector<bool> breaks_budget(const World& world, const std::vector<Candidate>& candidates) {
  std::vector<std::int64_t> allowed;
  for (const BudgetInput& budget : world.budgets()) allowed.push_back(budget.disruptions_allowed);
  std::vector<bool> result;
  for (const Candidate& candidate : candidates) {
    bool any_broken = false;
    for (const PodId pod : candidate.pods) {
      bool broken = false;
      for (const std::uint32_t place : world.budgets_of(pod)) {
        if (broken) break;
        if (!counts_against(world, world.budgets()[place], pod)) continue;
        broken = --allowed[place] < 0 && !mutant("Rule.DisruptionBudget");
      }
      any_broken = any_broken || broken;
    }
    result.push_back(any_broken);
  }
  return result;
}

// Members of one workload that are in the way, most important first: those that it can do without in pieces, the least
// important first, and the rest together.
void add_members(const World& world, const Workload& workload, WorkloadId id, const std::vector<PodId>& members,
                 std::vector<Candidate>& out) {
  if (!workload.input.preemptible) return;
  const std::vector<PodId> least_first(members.rbegin(), members.rend());
  Pieces pieces = pieces_of(world, workload, least_first);
  if (mutant("Rule.SinglePodBreaksNoGang")) {
    for (const PodId pod : std::exchange(pieces.rest, {})) pieces.surplus.push_back({{pod}, kNoGroup});
  }
  const auto add = [&](std::vector<PodId> pods, std::uint32_t group, bool surplus) {
    std::ranges::reverse(pods);
    out.push_back({.pods = std::move(pods),
                   .workload = group == kNoGroup ? WorkloadId::none() : id,
                   .group = group,
                   .surplus = surplus,
                   .places = {},
                   .cards = {}});
  };
  for (Piece& piece : pieces.surplus) add(std::move(piece.pods), piece.group, true);
  if (!pieces.rest.empty()) add(std::move(pieces.rest), 0, false);
}

// Pods of lower priority that use devices which more than one node reaches: they may be in the way on another node than
// their own.
std::vector<PodId> far_holders(const World& world, const ShapeInput& shape) {
  std::vector<PodId> result;
  if (shape.claims.empty() || mutant("Rule.FarHolders")) return result;
  std::vector<NameId> claims = world.holdings().far_reaching();
  if (claims.empty()) return result;
  std::ranges::sort(claims);
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const Pod& pod = world.pod(PodId{i});
    if (pod.state != PodState::kPlaced || eviction_priority(world, PodId{i}) >= shape.priority) continue;
    const auto is_far = [&](NameId claim) { return std::ranges::binary_search(claims, claim); };
    if (std::ranges::any_of(pod.claims, is_far)) result.push_back(PodId{i});
  }
  return result;
}

// What may go from the node, and what of `far` may elsewhere. Who is asked to stay first comes first: what is surplus
// goes before all others.
std::vector<Candidate> removable(const World& world, NodeId node, std::int32_t priority,
                                 const std::vector<PodId>& far) {
  std::vector<PodId> pods;
  for (const PodId pod : world.node(node).pods) {
    if (eviction_priority(world, pod) < priority || mutant("Rule.OnlyLowerPriority")) pods.push_back(pod);
  }
  for (const PodId pod : far) {
    if (world.pod(pod).node != node) pods.push_back(pod);
  }
  std::vector<Candidate> result;
  std::map<WorkloadId, std::vector<PodId>> members;
  for (const PodId pod : pods) {
    const WorkloadId workload = world.pod(pod).workload;
    if (workload.is_none()) {
      result.push_back({.pods = {pod}, .workload = {}, .places = {}, .cards = {}});
    } else if (world.pod(pod).group != kNoGroup && !world.pod(pod).terminating) {
      members[workload].push_back(pod);
    }
  }
  for (auto& [id, own] : members) {
    std::ranges::sort(own, [&](PodId a, PodId b) { return more_important(world, a, b); });
    add_members(world, world.workloads()[id], id, own, result);
  }
  std::ranges::sort(result, [&](const Candidate& a, const Candidate& b) {
    if (a.surplus != b.surplus) return b.surplus;
    return more_important(world, a.pods.front(), b.pods.front());
  });
  return result;
}

// All that a group of a workload holds.
std::vector<PodId> places_of(const World& world, WorkloadId id, std::uint32_t above) {
  const Workload& workload = world.workloads()[id];
  std::vector<PodId> result;
  for (std::uint32_t group = above; group < workload.groups.size(); ++group) {
    if (!is_group_below(workload, group, above)) continue;
    for (const PodId pod : workload.groups[group].members) {
      if (world.pod(pod).state == PodState::kPlaced && !world.pod(pod).terminating) result.push_back(pod);
    }
  }
  return result;
}

class Plans {
 public:
  Plans(World& world, const Question& question, PodId preemptor)
      : world_(world), question_(question), preemptor_(preemptor), far_(far_holders(world, question.shape.input)) {}

  // May a pod elsewhere have to go, for a device that is reached from many nodes?
  [[nodiscard]] bool look_far() const { return !far_.empty(); }

  // The plan with the least harm on one node, or nothing if the pod would not fit all the same.
  std::optional<EvictionPlan> on(NodeId node) {
    std::vector<Candidate> candidates = removable(world_, node, question_.shape.input.priority, far_);
    if (candidates.empty()) return std::nullopt;
    const World::Mark start = world_.mark();
    // The last first: whose going would leave its queue with less than its guarantee stays.
    for (std::size_t i = candidates.size(); i-- > 0;) {
      if (is_guaranteed(candidates[i])) {
        candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        take_away(candidates[i]);
      }
    }
    const std::vector<bool> breaks = breaks_budget(world_, candidates);
    std::vector<const Candidate*> gone;
    EvictionPlan plan{.node = node, .victims = {}, .violations = 0};
    if (fits(node)) {
      for (const bool breaking : {true, false}) {
        for (std::size_t i = 0; i < candidates.size(); ++i) {
          if (breaks[i] != breaking) continue;
          if (spare(candidates[i], node)) continue;
          gone.push_back(&candidates[i]);
          if (breaking) ++plan.violations;
        }
      }
    }
    world_.rollback(start);
    if (gone.empty()) return std::nullopt;
    plan.victims = victims_of(gone);
    return holds(plan) ? std::optional(std::move(plan)) : std::nullopt;
  }

 private:
  [[nodiscard]] bool is_guaranteed(const Candidate& candidate) const {
    const WorkloadId id = world_.pod(candidate.pods.front()).workload;
    if (id.is_none() || question_.shape.input.priority >= kSystemPriority) return false;
    return is_within_guarantee(world_, world_.workloads()[id].queue(), QueueTree::kRoot, candidate.pods);
  }
  // Who stays keeps its cards: a plan that moved shares between cards could not be carried out.
  void take_away(Candidate& candidate) {
    for (const PodId pod : candidate.pods) {
      candidate.places.push_back(world_.pod(pod).node);
      candidate.cards.push_back(world_.pod(pod).cards);
      world_.unplace(pod, PodState::kEvicted);
    }
  }
  // Puts it back if the pod fits all the same.
  [[nodiscard]] bool spare(const Candidate& candidate, NodeId node) {
    if (mutant("Rule.Reprieve")) return false;
    const World::Mark before = world_.mark();
    for (std::size_t i = 0; i < candidate.pods.size(); ++i) {
      world_.put_back(candidate.pods[i], candidate.places[i], candidate.cards[i]);
    }
    if (fits(node)) return true;
    world_.rollback(before);
    return false;
  }

  [[nodiscard]] bool fits(NodeId node) {
    return check_all(question_, node).fits() && fits_with_promised(world_, question_, node, preemptor_);
  }

  // A workload or group that goes whole goes from every node, with what it holds above its minimums.
  [[nodiscard]] std::vector<PodId> victims_of(const std::vector<const Candidate*>& gone) {
    std::vector<PodId> result;
    for (const Candidate* candidate : gone) {
      const std::vector<PodId> pods =
          candidate->workload.is_none() ? candidate->pods : places_of(world_, candidate->workload, candidate->group);
      result.insert(result.end(), pods.begin(), pods.end());
    }
    sort_unique(result, [&](PodId a, PodId b) { return more_important(world_, a, b); });
    return result;
  }

  // What leaves other nodes may be what a rule among pods, or a claim, needs.
  [[nodiscard]] bool holds(const EvictionPlan& plan) {
    const bool elsewhere =
        std::ranges::any_of(plan.victims, [&](PodId pod) { return world_.pod(pod).node != plan.node; });
    if (!elsewhere || (!question_.plan.has_hard_rules() && question_.shape.input.claims.empty())) return true;
    const World::Mark start = world_.mark();
    for (const PodId pod : plan.victims) world_.unplace(pod, PodState::kEvicted);
    const bool result = fits(plan.node);
    world_.rollback(start);
    return result;
  }

  World& world_;
  const Question& question_;
  PodId preemptor_;
  std::vector<PodId> far_;
};

// Smaller is better: violations, the highest priority, the sum of all, the number of victims, the start of the youngest
// with the highest (late is better), the tie order.
using Harm = std::tuple<std::uint32_t, std::int64_t, std::int64_t, std::size_t, Time, std::uint32_t>;

// The parts that `make mutants` has switched off say the same of every plan.
Harm without_mutants(Harm harm) {
  if (mutant("Rule.FewestViolations")) std::get<0>(harm) = 0;
  if (mutant("Rule.LowestHighest")) std::get<1>(harm) = 0;
  if (mutant("Rule.LowestSum")) std::get<2>(harm) = 0;
  if (mutant("Rule.FewestVictims")) std::get<3>(harm) = 0;
  if (mutant("Rule.YoungestVictim")) std::get<4>(harm) = 0;
  return harm;
}

constexpr std::int64_t kAboveAnyPriority = std::int64_t{1} << 31U;  // so that each victim more is worse

Harm harm(const World& world, const EvictionPlan& plan) {
  const std::int64_t highest = eviction_priority(world, plan.victims.front());
  std::int64_t sum = 0;
  Time earliest = std::numeric_limits<Time>::max();
  for (const PodId victim : plan.victims) {
    const std::int64_t priority = eviction_priority(world, victim);
    sum += priority + kAboveAnyPriority;
    if (priority == highest) earliest = std::min(earliest, start_of(world.pod(victim)));
  }
  return without_mutants({plan.violations, highest, sum, plan.victims.size(), -earliest, world.node(plan.node).rank});
}

// No plan on the node does less harm: all of the lowest priority there is, the youngest of these, no violation. Most
// nodes are ruled out by it without a trial.
Harm least_harm(const World& world, NodeId node, const EvictionBounds::Bound& bound) {
  const auto count = static_cast<std::int64_t>(bound.victims);
  return without_mutants({0, bound.lowest_priority, count * (bound.lowest_priority + kAboveAnyPriority), bound.victims,
                          -bound.earliest_start, world.node(node).rank});
}

}  // namespace

bool may_evict(World& world, PodId pod) {
  const ShapeId shape_id = world.pod(pod).shape;
  const Shape& shape = world.shape(shape_id);
  if (!shape.profile->preemption || (!shape.input.preempts && !mutant("Rule.NeverPreempts")) ||
      mutant("Rule.Preemption"))
    return false;
  return !awaits_victims({world, shape, world.topology().plan(shape_id)}, pod);
}

std::optional<EvictionPlan> plan_eviction(World& world, PodId pod, EvictionBounds& bounds) {
  const ShapeId shape_id = world.pod(pod).shape;
  const Shape& shape = world.shape(shape_id);
  if (!runs_below(world, shape.input.priority) || !may_evict(world, pod)) return std::nullopt;
  const Question question{world, shape, world.topology().plan(shape_id)};
  Plans plans(world, question, pod);
  std::optional<EvictionPlan> best;
  std::optional<Harm> least;  // that of the best
  for (const NodeId node : world.by_rank()) {
    if (!plans.look_far()) {
      const auto bound = bounds.of(question, shape_id, node);
      if (!bound || (best && *least < least_harm(world, node, *bound))) continue;
    }
    // Where it fits as it is, promises are in the way.
    if (!check_all(question, node).resolvable) continue;
    std::optional<EvictionPlan> plan = plans.on(node);
    if (!plan) continue;
    const Harm harm_of_plan = harm(world, *plan);
    if (best && *least < harm_of_plan) continue;
    best = std::move(plan);
    least = harm_of_plan;
  }
  return best;
}

}  // namespace berth::engine
