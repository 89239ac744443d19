#include "reference/snapshot.h"

#include <algorithm>
#include <tuple>

#include "reference/cards.h"
#include "reference/requests.h"

namespace berth::reference {

std::int64_t NodeState::used(std::string_view resource) const {
  std::int64_t sum = 0;
  for (const PlacedPod& placed : pods) {
    if (const auto found = placed.requests.find(resource); found != placed.requests.end()) sum += found->second;
  }
  return sum;
}

std::int64_t NodeState::found(std::string_view resource) const {
  std::int64_t sum = 0;
  for (const PlacedPod& placed : pods) {
    if (const auto cards = placed.found.find(resource); cards != placed.found.end()) sum += cards->second;
  }
  return sum;
}

bool is_finished(const api::Pod& pod) {
  return pod.status.phase == api::PodPhase::kSucceeded || pod.status.phase == api::PodPhase::kFailed;
}

Snapshot emptied(const Objects& objects) {
  Snapshot snapshot;
  snapshot.objects = &objects;
  for (const api::Node& node : objects.nodes) snapshot.nodes.push_back({&node, {}});
  return snapshot;
}

Snapshot take_snapshot(const Objects& objects) {
  Snapshot snapshot = emptied(objects);
  // In order of name, so that the order of the input decides nothing.
  std::vector<const api::Pod*> pods;
  for (const api::Pod& pod : objects.pods) pods.push_back(&pod);
  std::ranges::stable_sort(pods, {},
                           [](const api::Pod* pod) { return std::tie(pod->metadata.namespace_, pod->metadata.name); });
  for (const api::Pod* pod : pods) {
    if (pod->spec.node_name.empty() || is_finished(*pod)) continue;
    const auto found = std::ranges::find_if(
        snapshot.nodes, [&](const NodeState& state) { return state.node->metadata.name == pod->spec.node_name; });
    if (found != snapshot.nodes.end()) put(*found, *pod);
  }
  return snapshot;
}

void put(NodeState& state, const api::Pod& pod, std::optional<std::size_t> wanted_card) {
  PlacedPod placed;
  placed.pod = &pod;
  placed.requests = held_requests(pod);
  placed.nonzero_cpu = held_nonzero(pod, "cpu");
  placed.nonzero_memory = held_nonzero(pod, "memory");
  placed.cards = wanted_card ? std::vector{*wanted_card} : choose_cards(state, pod);
  for (const auto& [resource, amount] : placed.requests) {
    if (!resource.ends_with("/gpu")) continue;
    const std::int64_t left = std::max<std::int64_t>(allocatable(*state.node, resource) - state.found(resource), 0);
    placed.found.emplace(resource, std::min(amount, left));
  }
  state.pods.push_back(std::move(placed));
}

}  // namespace berth::reference
