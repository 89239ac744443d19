#include "reference/preemption.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "base/tie_order.h"
#include "reference/selectors.h"

namespace berth::reference {
namespace {

std::int64_t priority_of(const api::Pod& pod) { return pod.spec.priority.value_or(0); }

// A pod that has not started counts as the youngest.
std::int64_t start_of(const api::Pod& pod) {
  return pod.status.start_time.value_or(std::numeric_limits<std::int64_t>::max());
}

// Most important first: higher priority, then longer running, then tie order.
void sort_by_importance(std::vector<const api::Pod*>& pods, std::uint64_t seed) {
  std::ranges::sort(pods, {}, [&](const api::Pod* pod) {
    const std::string name = pod->metadata.namespace_ + "/" + pod->metadata.name;
    return std::tuple(-priority_of(*pod), start_of(*pod), tie_rank(seed, name), name);
  });
}

bool fits(const Question& question, const Snapshot& snapshot, std::size_t node) {
  const Question changed{snapshot, question.pod, question.profile, question.exclude_not_ready,
                         question.rules_among_pods};
  return first_failure(changed, node).passes();
}

bool protects(const api::PodDisruptionBudget& budget, const api::Pod& pod) {
  if (budget.metadata.namespace_ != pod.metadata.namespace_ || pod.metadata.labels.empty() || !budget.selector)
    return false;
  if (is_empty(*budget.selector) || !selects(budget.selector, pod.metadata.labels)) return false;
  // Whose eviction was granted already is counted already.
  return std::ranges::find(budget.disrupted_pods, pod.metadata.name) == budget.disrupted_pods.end();
}

// Which of the pods, going in this order, would break a budget.
std::vector<bool> breaks_budget(const Objects& objects, const std::vector<const api::Pod*>& pods) {
  std::vector<std::int64_t> allowed;
  for (const auto& budget : objects.budgets) allowed.push_back(budget.disruptions_allowed.value_or(0));
  std::vector<bool> breaks;
  for (const api::Pod* pod : pods) {
    bool broken = false;
    for (std::size_t i = 0; i < allowed.size() && !broken; ++i) {
      if (!protects(objects.budgets[i], *pod)) continue;
      broken = --allowed[i] < 0;
    }
    breaks.push_back(broken);
  }
  return breaks;
}

std::optional<Eviction> free_node(const Question& question, std::size_t node, std::uint64_t seed) {
  Snapshot tried = question.snapshot;
  std::vector<const api::Pod*> removable;
  std::map<const api::Pod*, PlacedPod> held;  // a pod that is spared keeps the cards it has
  for (const PlacedPod& placed : tried.nodes[node].pods) {
    if (priority_of(*placed.pod) >= priority_of(question.pod)) continue;
    removable.push_back(placed.pod);
    held.emplace(placed.pod, placed);
  }
  if (removable.empty()) return std::nullopt;
  sort_by_importance(removable, seed);
  take_away(tried.nodes[node], removable);
  if (!fits(question, tried, node)) return std::nullopt;

  Eviction eviction;
  eviction.node = node;
  const std::vector<bool> breaks = breaks_budget(*question.snapshot.objects, removable);
  for (const bool breaking : {true, false}) {
    for (std::size_t i = 0; i < removable.size(); ++i) {
      if (breaks[i] != breaking) continue;
      const Snapshot before = tried;
      tried.nodes[node].pods.push_back(held.at(removable[i]));
      if (fits(question, tried, node)) continue;
      tried = before;
      eviction.victims.push_back(removable[i]);
      if (breaking) ++eviction.violations;
    }
  }
  if (eviction.victims.empty()) return std::nullopt;
  sort_by_importance(eviction.victims, seed);
  return eviction;
}

// Smaller is better.
auto harm(const Eviction& eviction, const Snapshot& snapshot, std::uint64_t seed) {
  const std::int64_t highest = priority_of(*eviction.victims.front());
  std::int64_t sum = 0;
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
  for (const api::Pod* victim : eviction.victims) {
    sum += priority_of(*victim) + (std::int64_t{1} << 31);
    if (priority_of(*victim) == highest) earliest = std::min(earliest, start_of(*victim));
  }
  const std::string& name = snapshot.nodes[eviction.node].node->metadata.name;
  return std::tuple(eviction.violations, highest, sum, eviction.victims.size(), -earliest, tie_rank(seed, name), name);
}

}  // namespace

std::string_view promised_node(const Question& question) {
  const auto& withdrawn = question.snapshot.withdrawn;
  if (std::ranges::find(withdrawn, &question.pod) != withdrawn.end()) return "";
  return question.pod.status.nominated_node_name;
}

namespace {

// Pods evicted for this one are still on the node that it was promised, and their going could help.
bool awaits_victims(const Question& question) {
  const std::string_view promise = promised_node(question);
  for (std::size_t node = 0; node < question.snapshot.nodes.size(); ++node) {
    const NodeState& state = question.snapshot.nodes[node];
    if (state.node->metadata.name != promise) continue;
    if (first_failure(question, node).unresolvable) return false;
    return std::ranges::any_of(state.pods, [&](const PlacedPod& placed) {
      const auto& conditions = placed.pod->status.conditions;
      const auto mark = std::ranges::find(conditions, "DisruptionTarget", &api::Condition::type);
      return priority_of(*placed.pod) < priority_of(question.pod) && placed.pod->metadata.deletion_timestamp &&
             mark != conditions.end() && mark->status == "True" && mark->reason == "PreemptionByScheduler";
    });
  }
  return false;
}

}  // namespace

void take_away(NodeState& state, const std::vector<const api::Pod*>& pods) {
  std::erase_if(state.pods, [&](const PlacedPod& placed) { return std::ranges::find(pods, placed.pod) != pods.end(); });
}

bool may_evict(const Question& question) {
  return question.profile.preemption && question.pod.spec.preemption_policy != api::PreemptionPolicy::kNever &&
         !awaits_victims(question);
}

std::optional<Eviction> plan_eviction(const Question& question, std::uint64_t seed) {
  if (!may_evict(question)) return std::nullopt;
  std::optional<Eviction> best;
  for (std::size_t node = 0; node < question.snapshot.nodes.size(); ++node) {
    const Verdict verdict = first_failure(question, node);
    if (verdict.passes() || verdict.unresolvable) continue;
    std::optional<Eviction> eviction = free_node(question, node, seed);
    if (!eviction) continue;
    if (!best || harm(*eviction, question.snapshot, seed) < harm(*best, question.snapshot, seed)) best = eviction;
  }
  return best;
}

}  // namespace berth::reference
