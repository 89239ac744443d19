#include "dialects/kubernetes/spread.h"

#include <algorithm>
#include <array>

#include "api/owner.h"
#include "base/mutant.h"
#include "dialects/kubernetes/selectors.h"

namespace berth::dialects::kubernetes {
namespace {

engine::SpreadConstraint constraint_of(const api::TopologySpreadConstraint& from, engine::Names& names) {
  engine::SpreadConstraint result;
  result.max_skew = from.max_skew;
  result.topology_key = names.label_keys.intern(from.topology_key);
  result.hard = from.when_unsatisfiable == api::UnsatisfiableAction::kDoNotSchedule;
  result.min_domains = from.min_domains.value_or(1);
  result.honor_node_affinity =
      from.node_affinity_policy == api::InclusionPolicy::kHonor && !mutant("Rule.SpreadNodeAffinityPolicy");
  result.honor_node_taints =
      from.node_taints_policy == api::InclusionPolicy::kHonor && !mutant("Rule.SpreadNodeTaintsPolicy");
  return result;
}

// The System defaults: hosts within 3, zones within 5, as a wish.
std::vector<api::TopologySpreadConstraint> system_constraints() {
  api::TopologySpreadConstraint host;
  host.max_skew = 3;
  host.topology_key = "kubernetes.io/hostname";
  host.when_unsatisfiable = api::UnsatisfiableAction::kScheduleAnyway;
  api::TopologySpreadConstraint zone = host;
  zone.max_skew = 5;
  zone.topology_key = "topology.kubernetes.io/zone";
  return {host, zone};
}

bool packs_cards(const api::SchedulerProfile& profile) {
  return std::ranges::any_of(profile.scores, [](const api::SchedulerProfile::Score& score) {
    return score.plugin == api::Plugin::kCardPacking || score.plugin == api::Plugin::kRoomValue;
  });
}

// What the ReplicationController, ReplicaSet or StatefulSet that owns a pod says of its pods; nothing for other pods.
struct OwnerSelector {
  const api::StringMap* pairs = nullptr;
  const api::LabelSelector* selector = nullptr;
  bool missing = false;  // there is such an owner, and it is not among the objects
};
OwnerSelector selector_of_owner(const api::Pod& pod, const Context& context) {
  OwnerSelector result;
  const auto* owner = api::controller_of(pod.metadata);
  if (owner == nullptr) return result;
  const auto take = [&result](const auto* found, auto& into) {
    result.missing = found == nullptr;
    if (found != nullptr) into = &found->selector;
  };
  const std::string& space = pod.metadata.namespace_;
  if (owner->api_version == "v1" && owner->kind == "ReplicationController") {
    take(context.replication_controller(space, owner->name), result.pairs);
  } else if (owner->api_version == "apps/v1" && owner->kind == "ReplicaSet") {
    take(context.replica_set(space, owner->name), result.selector);
  } else if (owner->api_version == "apps/v1" && owner->kind == "StatefulSet") {
    take(context.stateful_set(space, owner->name), result.selector);
  }
  return result;
}

// The selector of the pod's siblings; none if nothing says who they are.
engine::Selector sibling_selector(const api::Pod& pod, const Context& context, engine::Names& names) {
  api::StringMap pairs;
  for (const auto* service : context.services_for(pod.metadata.namespace_, pod.metadata.labels)) {
    for (const auto& [key, value] : service->selector) pairs.insert_or_assign(key, value);
  }
  const OwnerSelector owner = selector_of_owner(pod, context);
  if (owner.pairs != nullptr) {
    for (const auto& [key, value] : *owner.pairs) pairs.insert_or_assign(key, value);
  }
  engine::Selector result;
  if (owner.selector != nullptr) result = selector(*owner.selector, names);
  const engine::Selector services = selector(pairs, names);
  result.requirements.insert(result.requirements.end(), services.requirements.begin(), services.requirements.end());
  canonicalize(result);
  return result;
}

bool defaults_are_systems(const api::SchedulerProfile& profile) {
  return profile.pod_topology_spread.defaulting == api::PodTopologySpreadArgs::Defaulting::kSystem;
}

// Who packs cards does not want the pods that ask for them pulled apart by a default nobody wrote down.
bool takes_defaults(const api::Pod& pod, bool asks_cards, const api::SchedulerProfile& profile) {
  return pod.spec.topology_spread_constraints.empty() &&
         !(asks_cards && defaults_are_systems(profile) && packs_cards(profile));
}

}  // namespace

void add_spread(engine::ShapeInput& shape, const api::Pod& pod, const api::SchedulerProfile& profile,
                const Context& context, engine::Names& names) {
  for (const auto& from : pod.spec.topology_spread_constraints) {
    engine::SpreadConstraint result = constraint_of(from, names);
    result.selector = selector(from.label_selector, names);
    if (!mutant("Rule.SpreadMatchLabelKeys"))
      merge_label_keys(result.selector, from.match_label_keys, pod.metadata.labels, engine::Operator::kIn, names);
    shape.spread.push_back(std::move(result));
  }
  const bool system = defaults_are_systems(profile);
  if (!takes_defaults(pod, !shape.cards.empty(), profile)) return;
  const auto defaults = system ? system_constraints() : profile.pod_topology_spread.default_constraints;
  if (defaults.empty() || mutant("Rule.SpreadDefaults")) return;
  const engine::Selector siblings = sibling_selector(pod, context, names);
  if (siblings.nothing || (siblings.requirements.empty() && !mutant("Rule.SiblingsAreKnown"))) return;
  for (const auto& from : defaults) {
    engine::SpreadConstraint result = constraint_of(from, names);
    result.selector = siblings;
    shape.spread.push_back(std::move(result));
  }
  shape.default_spread = system;
}

bool lacks_default_spread(const api::Pod& pod, bool asks_cards, const api::SchedulerProfile& profile,
                          const Context& context) {
  const bool scored = std::ranges::find(profile.scores, api::Plugin::kPodTopologySpread,
                                        &api::SchedulerProfile::Score::plugin) != profile.scores.end();
  return scored && defaults_are_systems(profile) && takes_defaults(pod, asks_cards, profile) &&
         selector_of_owner(pod, context).missing;
}

}  // namespace berth::dialects::kubernetes
