#include "dialects/kubernetes/budget.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "api/pod_state.h"
#include "base/mutant.h"
#include "dialects/kubernetes/context.h"
#include "dialects/kubernetes/selectors.h"

namespace berth::dialects::kubernetes {
namespace {

template <class T>
const T* find_object(const std::vector<api::Read<T>>& objects, std::string_view namespace_, std::string_view name) {
  for (const auto& read : objects) {
    if (read.object.metadata.name == name && read.object.metadata.namespace_ == namespace_) return &read.object;
  }
  return nullptr;
}

// How many pods the controller wants; -1 if it is of a kind without a scale, or not there.
std::int64_t wanted_by(const api::OwnerReference& owner, std::string_view space, const api::ObjectSet& objects) {
  if (owner.kind == "ReplicaSet") {
    const auto* found = find_object(objects.replica_sets, space, owner.name);
    if (found == nullptr) return -1;
    const auto* above = controller_of(found->metadata);
    if (above != nullptr && above->kind == "Deployment") {
      if (const auto* deployment = find_object(objects.deployments, space, above->name)) return deployment->replicas;
    }
    return found->replicas;
  }
  if (owner.kind == "StatefulSet") {
    const auto* found = find_object(objects.stateful_sets, space, owner.name);
    return found == nullptr ? -1 : found->replicas;
  }
  if (owner.kind == "ReplicationController") {
    const auto* found = find_object(objects.replication_controllers, space, owner.name);
    return found == nullptr ? -1 : found->replicas;
  }
  return -1;
}

// What the controllers of these pods want in sum. A controller that is not known wants what it has.
std::int64_t expected_pods(const std::vector<const api::Pod*>& pods, const api::ObjectSet& objects) {
  std::map<std::string, std::int64_t> wanted;
  for (const auto* pod : pods) {
    const auto* owner = controller_of(pod->metadata);
    if (owner == nullptr) continue;
    const std::string& space = pod->metadata.namespace_;
    const auto [entry, fresh] = wanted.try_emplace(owner->kind + "/" + owner->name, 0);
    const std::int64_t known = fresh || entry->second < 0 ? wanted_by(*owner, space, objects) : entry->second;
    if (known >= 0) {
      entry->second = known;
    } else {
      --entry->second;  // counted below zero: so many pods of a controller that is not known
    }
  }
  std::int64_t sum = 0;
  for (const auto& [owner, count] : wanted) sum += count < 0 ? -count : count;
  return sum;
}

std::int64_t scaled(const api::IntOrPercent& amount, std::int64_t total) {
  return amount.percent ? (amount.value * total + 99) / 100 : amount.value;
}

}  // namespace

std::int32_t computed_disruptions(const api::PodDisruptionBudget& budget, const api::ObjectSet& objects) {
  if (!budget.selector) return 0;
  std::vector<const api::Pod*> pods;
  for (const auto& read : objects.pods) {
    const api::Pod& pod = read.object;
    if (is_finished(pod) || pod.metadata.namespace_ != budget.metadata.namespace_) continue;
    if (api::matches(*budget.selector, pod.metadata.labels)) pods.push_back(&pod);
  }
  const std::int64_t healthy = std::ranges::count_if(pods, [](const api::Pod* pod) { return is_ready(*pod); });
  std::int64_t expected = static_cast<std::int64_t>(pods.size());
  std::int64_t must_stay = 0;
  if (budget.max_unavailable) {
    expected = expected_pods(pods, objects);
    must_stay = std::max<std::int64_t>(0, expected - scaled(*budget.max_unavailable, expected));
  } else if (budget.min_available) {
    if (budget.min_available->percent) expected = expected_pods(pods, objects);
    must_stay = scaled(*budget.min_available, expected);
  }
  if (expected <= 0) return 0;
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(healthy - must_stay, 0, std::numeric_limits<std::int32_t>::max()));
}

std::vector<engine::BudgetInput> budgets(const api::ObjectSet& objects, engine::Names& names) {
  std::vector<const api::PodDisruptionBudget*> sorted;
  for (const auto& read : objects.pod_disruption_budgets) sorted.push_back(&read.object);
  const auto name_of = [](const api::PodDisruptionBudget* budget) {
    return full_name(budget->metadata.namespace_, budget->metadata.name);
  };
  std::ranges::stable_sort(sorted, {}, name_of);
  std::vector<engine::BudgetInput> result;
  for (const auto* budget : sorted) {
    engine::BudgetInput input;
    input.name = names.names.intern(name_of(budget));
    input.namespace_ = names.namespaces.intern(budget->metadata.namespace_);
    input.selector = selector(budget->selector, names);
    input.disruptions_allowed = budget->disruptions_allowed && !mutant("Rule.BudgetStatus")
                                    ? *budget->disruptions_allowed
                                    : computed_disruptions(*budget, objects);
    for (const std::string& pod : budget->disrupted_pods)
      input.disrupted.push_back(names.names.intern(full_name(budget->metadata.namespace_, pod)));
    std::ranges::sort(input.disrupted);
    result.push_back(std::move(input));
  }
  return result;
}

}  // namespace berth::dialects::kubernetes
