#include "reference/default_spread.h"

#include <algorithm>

#include "reference/requests.h"
#include "reference/selectors.h"

namespace berth::reference {
namespace {

const api::OwnerReference* controller_of(const api::Pod& pod) {
  for (const auto& owner : pod.metadata.owner_references) {
    if (owner.controller) return &owner;
  }
  return nullptr;
}

template <class T>
const T* find_owned(const std::vector<T>& all, const api::Pod& pod, const std::string& name) {
  const auto found = std::ranges::find_if(all, [&](const T& each) {
    return each.metadata.name == name && each.metadata.namespace_ == pod.metadata.namespace_;
  });
  return found == all.end() ? nullptr : &*found;
}

void require(api::LabelSelector& selector, const api::LabelSelector& more) {
  for (const auto& [key, value] : more.match_labels) {
    selector.match_expressions.push_back({key, api::SelectorOperator::kIn, {value}});
  }
  selector.match_expressions.insert(selector.match_expressions.end(), more.match_expressions.begin(),
                                    more.match_expressions.end());
}

// Which pods belong together with this one; an empty selector if nothing says so.
api::LabelSelector default_selector(const Objects& objects, const api::Pod& pod) {
  api::LabelSelector selector;
  for (const api::Service& service : objects.services) {
    if (service.metadata.namespace_ != pod.metadata.namespace_) continue;
    if (!selects(api::LabelSelector{service.selector, {}}, pod.metadata.labels)) continue;
    for (const auto& [key, value] : service.selector) selector.match_labels[key] = value;
  }
  const api::OwnerReference* owner = controller_of(pod);
  if (owner == nullptr) return selector;
  if (owner->api_version == "v1" && owner->kind == "ReplicationController") {
    if (const auto* found = find_owned(objects.replication_controllers, pod, owner->name)) {
      for (const auto& [key, value] : found->selector) selector.match_labels[key] = value;
    }
  } else if (owner->api_version == "apps/v1" && owner->kind == "ReplicaSet") {
    if (const auto* found = find_owned(objects.replica_sets, pod, owner->name)) require(selector, found->selector);
  } else if (owner->api_version == "apps/v1" && owner->kind == "StatefulSet") {
    if (const auto* found = find_owned(objects.stateful_sets, pod, owner->name)) require(selector, found->selector);
  }
  return selector;
}

std::vector<api::TopologySpreadConstraint> system_defaults() {
  api::TopologySpreadConstraint host;
  host.max_skew = 3;
  host.topology_key = "kubernetes.io/hostname";
  host.when_unsatisfiable = api::UnsatisfiableAction::kScheduleAnyway;
  api::TopologySpreadConstraint zone = host;
  zone.max_skew = 5;
  zone.topology_key = "topology.kubernetes.io/zone";
  return {host, zone};
}

// With CardPacking or RoomValue the siblings that ask for cards are not pulled apart by default.
bool packs_cards(const api::SchedulerProfile& profile) {
  return std::ranges::any_of(profile.scores, [](const auto& score) {
    return score.plugin == api::Plugin::kCardPacking || score.plugin == api::Plugin::kRoomValue;
  });
}

bool asks_cards(const api::Pod& pod) {
  return std::ranges::any_of(held_requests(pod), [](const auto& request) {
    return request.second > 0 && (request.first.ends_with("/gpu") || request.first == kCardResource);
  });
}

}  // namespace

SpreadRules spread_rules(const Objects& objects, const api::Pod& pod, const api::SchedulerProfile& profile,
                         api::UnsatisfiableAction action) {
  const auto& args = profile.pod_topology_spread;
  const bool system = args.defaulting == api::PodTopologySpreadArgs::Defaulting::kSystem;
  SpreadRules rules;
  std::vector<api::TopologySpreadConstraint> all = pod.spec.topology_spread_constraints;
  if (!all.empty()) {
    for (auto& constraint : all) constraint.label_selector = merged_selector(constraint, pod.metadata.labels);
  } else {
    rules.require_all_keys = !system;
    const api::LabelSelector selector = default_selector(objects, pod);
    if (!is_empty(selector) && !(system && packs_cards(profile) && asks_cards(pod)))
      all = system ? system_defaults() : args.default_constraints;
    for (auto& constraint : all) constraint.label_selector = selector;
  }
  for (auto& constraint : all) {
    if (constraint.when_unsatisfiable == action) rules.constraints.push_back(std::move(constraint));
  }
  return rules;
}

}  // namespace berth::reference
