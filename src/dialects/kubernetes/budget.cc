#include "dialects/kubernetes/budget.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/by_name.h"
#include "api/full_name.h"
#include "api/label_index.h"
#include "api/owner.h"
#include "api/pod_state.h"
#include "base/mutant.h"
#include "dialects/kubernetes/selectors.h"

namespace berth::dialects::kubernetes {
namespace {

// What the disruption controller looks at. Made when the first budget without a status is met.
class Disruptions {
 public:
  explicit Disruptions(const api::ObjectSet& objects)
      : replica_sets_(objects.replica_sets),
        deployments_(objects.deployments),
        stateful_sets_(objects.stateful_sets),
        replication_controllers_(objects.replication_controllers) {
    for (const auto& read : objects.pods)
      if (!is_finished(read.object)) pods_.add(read.object);
  }

  [[nodiscard]] std::int32_t allowed(const api::PodDisruptionBudget& budget) const;

 private:
  [[nodiscard]] std::int64_t wanted_by(const api::OwnerReference& owner, std::string_view space) const;
  [[nodiscard]] std::int64_t expected(const std::vector<const api::Pod*>& pods) const;

  api::LabelIndex<api::Pod> pods_;
  api::ByName<api::ReplicaSet> replica_sets_;
  api::ByName<api::Deployment> deployments_;
  api::ByName<api::StatefulSet> stateful_sets_;
  api::ByName<api::ReplicationController> replication_controllers_;
};

// How many pods the controller wants; -1 if it is of a kind without a scale, or not there.
std::int64_t Disruptions::wanted_by(const api::OwnerReference& owner, std::string_view space) const {
  if (owner.kind == "ReplicaSet") {
    const auto* found = replica_sets_.find(space, owner.name);
    if (found == nullptr) return -1;
    const auto* above = api::controller_of(found->metadata);
    if (above != nullptr && above->kind == "Deployment") {
      if (const auto* deployment = deployments_.find(space, above->name)) return deployment->replicas;
    }
    return found->replicas;
  }
  if (owner.kind == "StatefulSet") {
    const auto* found = stateful_sets_.find(space, owner.name);
    return found == nullptr ? -1 : found->replicas;
  }
  if (owner.kind == "ReplicationController") {
    const auto* found = replication_controllers_.find(space, owner.name);
    return found == nullptr ? -1 : found->replicas;
  }
  return -1;
}

// What the controllers of these pods want in sum. A controller that is not known wants what it has.
std::int64_t Disruptions::expected(const std::vector<const api::Pod*>& pods) const {
  std::map<std::string, std::int64_t> wanted;
  for (const auto* pod : pods) {
    const auto* owner = api::controller_of(pod->metadata);
    if (owner == nullptr) continue;
    const auto [entry, fresh] = wanted.try_emplace(owner->kind + "/" + owner->name, 0);
    const std::int64_t known = fresh || entry->second < 0 ? wanted_by(*owner, pod->metadata.namespace_) : entry->second;
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

std::int32_t Disruptions::allowed(const api::PodDisruptionBudget& budget) const {
  if (!budget.selector) return 0;
  std::vector<const api::Pod*> pods;
  for (const api::Pod* pod : pods_.candidates(budget.metadata.namespace_, *budget.selector))
    if (api::matches(*budget.selector, pod->metadata.labels)) pods.push_back(pod);
  const std::int64_t healthy = std::ranges::count_if(pods, [](const api::Pod* pod) { return is_ready(*pod); });
  std::int64_t wanted = static_cast<std::int64_t>(pods.size());
  std::int64_t must_stay = 0;
  if (budget.max_unavailable) {
    wanted = expected(pods);
    must_stay = std::max<std::int64_t>(0, wanted - scaled(*budget.max_unavailable, wanted));
  } else if (budget.min_available) {
    if (budget.min_available->percent) wanted = expected(pods);
    must_stay = scaled(*budget.min_available, wanted);
  }
  if (wanted <= 0) return 0;
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(healthy - must_stay, 0, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

std::int32_t computed_disruptions(const api::PodDisruptionBudget& budget, const api::ObjectSet& objects) {
  return Disruptions(objects).allowed(budget);
}

std::vector<engine::BudgetInput> budgets(const api::ObjectSet& objects, engine::Names& names) {
  std::vector<const api::PodDisruptionBudget*> sorted;
  for (const auto& read : objects.pod_disruption_budgets) sorted.push_back(&read.object);
  const auto name_of = [](const api::PodDisruptionBudget* budget) { return api::full_name(budget->metadata); };
  std::ranges::stable_sort(sorted, {}, name_of);
  std::vector<engine::BudgetInput> result;
  std::optional<Disruptions> disruptions;
  const auto computed = [&](const api::PodDisruptionBudget& budget) {
    if (!disruptions) disruptions.emplace(objects);
    return disruptions->allowed(budget);
  };
  for (const auto* budget : sorted) {
    engine::BudgetInput input;
    input.name = names.names.intern(name_of(budget));
    input.namespace_ = names.namespaces.intern(budget->metadata.namespace_);
    input.selector = selector(budget->selector, names);
    input.disruptions_allowed =
        budget->disruptions_allowed && !mutant("Rule.BudgetStatus") ? *budget->disruptions_allowed : computed(*budget);
    for (const std::string& pod : budget->disrupted_pods)
      input.disrupted.push_back(names.names.intern(api::full_name(budget->metadata.namespace_, pod)));
    std::ranges::sort(input.disrupted);
    result.push_back(std::move(input));
  }
  return result;
}

}  // namespace berth::dialects::kubernetes
