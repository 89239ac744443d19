// Nodes as events tell of them: what they offer, their order, and the charges of pods that are on them already.
#include "engine/world/free_slots.h"
#include "engine/world/world.h"

#include <algorithm>

#include "base/mutant.h"
#include "base/tie_order.h"
#include "engine/devices/holdings.h"
#include "engine/topology/topology.h"

namespace berth::engine {

// Does the pod hold cards of the node for all that it asks?
bool World::holds_cards_of(PodId pod_id, NodeId node) const {
  const Pod& pod = pods_[pod_id.index()];
  return std::ranges::all_of(shape_of(pod_id).input.cards, [&](const CardRequest& request) {
    if (request.count == 0 || claims_supply(shape_of(pod_id).input, node, request.resource)) return true;
    const CardGroup* group = card_group(node, request.resource);
    const auto held = std::ranges::find(pod.cards, request.resource, &CardAssignment::resource);
    return group != nullptr && held != pod.cards.end() &&
           held->cards.size() == static_cast<std::size_t>(request.count) &&
           std::ranges::all_of(held->cards, [&](std::uint16_t card) { return card < group->free.size(); });
  });
}

// How much of each card it is that a pod holds, which follows from what it asks for and from the card.
void World::fill_in_shares(const Shape& shape, NodeId node, std::vector<CardAssignment>& cards) const {
  for (CardAssignment& held : cards) {
    const auto request = std::ranges::find(shape.input.cards, held.resource, &CardRequest::resource);
    const CardGroup* group = card_group(node, held.resource);
    if (request == shape.input.cards.end() || group == nullptr) continue;
    const CardGroup::Share share = group->share_of(*request);
    held.milli = share.milli;
    held.millionths = share.millionths;
    held.memory_bytes = share.memory_bytes;
  }
}

// Charges pods that were on the node before it changed. Those whose cards are still there keep them; the others (a
// device plugin that came late, or offers fewer) get what is left, in order of their names.
void World::charge_again(NodeId id, std::vector<PodId> pods) {
  const auto rest = std::ranges::partition(pods, [&](PodId pod) { return holds_cards_of(pod, id); });
  for (auto pod = pods.begin(); pod != rest.begin(); ++pod) {
    // What a share comes to depends on the memory of the cards, which a label may have told only now.
    fill_in_shares(shape_of(*pod), id, pods_[pod->index()].cards);
    charge(*pod, id, 1);
  }
  std::ranges::sort(rest, {}, [&](PodId pod) { return names_.names.text(pods_[pod.index()].name); });
  for (const PodId pod : rest) {
    pods_[pod.index()].cards = choose_cards(pod, id, -1);
    charge(pod, id, 1);
  }
}

// The ledger knows what all nodes have in sum. A node that takes nobody has as much as is on it.
void World::count_hardware(NodeId id, int sign) {
  if (!is_no_hardware(id)) {
    allocatable_.for_each(
        id, [&](ResourceId resource, Amount amount) { workloads_.ledger().add_hardware(resource, sign * amount); });
    for (const ResourceAmount& each : nodes_[id.index()].input.counted)
      workloads_.ledger().add_hardware(each.resource, sign * (each.amount - allocatable(id, each.resource)));
    return;
  }
  for (const PodId pod : nodes_[id.index()].pods) count_used_hardware(shape_of(pod), sign);
}

void World::count_used_hardware(const Shape& shape, int sign) {
  for (const ResourceAmount& each : shape.charge) workloads_.ledger().add_hardware(each.resource, sign * each.amount);
}

bool World::is_no_hardware(NodeId id) const {
  return nodes_[id.index()].input.takes_nobody() && !mutant("Rule.ClosedNodesAreNoHardware");
}

// Sets what the node offers and charges the pods that are on it anew.
void World::reset_node(NodeId id, const NodeInput& input) {
  Node& node = nodes_[id.index()];
  count_hardware(id, -1);
  node.input = input;
  allocatable_.clear(id);
  free_.clear(id);
  for (const ResourceAmount& amount : input.allocatable) {
    // Less than nothing is nothing: scores divide by these.
    allocatable_.set(id, amount.resource, std::max<Amount>(amount.amount, 0));
    free_.set(id, amount.resource, std::max<Amount>(amount.amount, 0));
  }
  count_hardware(id, 1);
  node.cards.clear();
  for (const NodeInput::CardGroup& group : input.cards) {
    const Amount cards = std::max<Amount>(allocatable(id, group.resource), 0) / kMilliPerCard;
    CardGroup made{
        .resource = group.resource, .product = group.product, .free = {}, .whole_free = 0, .largest_free = 0};
    made.free.assign(static_cast<std::size_t>(cards), kMilliPerCard);
    if (group.memory_bytes > 0) {
      made.memory_bytes = group.memory_bytes;
      made.memory_free.assign(static_cast<std::size_t>(cards), group.memory_bytes);
      for (std::size_t i = 0; i < std::min(made.memory_free.size(), group.lacking.size()); ++i)
        made.memory_free[i] -= group.lacking[i];
    }
    made.packed = group.packed;
    made.whole_free = static_cast<std::int32_t>(cards);
    made.largest_free = cards > 0 ? kMilliPerCard : 0;
    node.cards.push_back(std::move(made));
  }
  node.ports.clear();
  node.nonzero_cpu = 0;
  node.nonzero_memory = 0;
  node.pods_by_kind.fill(0);
  const bool everywhere = holdings_->reset_node(id, node.input);
  apply_card_changes();
  charge_again(id, node.pods);
  if (everywhere) look_everywhere();
}

void World::set_node(const NodeInput& given) {
  NodeInput input = given;
  // What a node lists twice it holds once, as large as it says first.
  std::ranges::stable_sort(input.images, {}, &ImageState::image);
  const auto repeats = std::ranges::unique(input.images, {}, &ImageState::image);
  input.images.erase(repeats.begin(), repeats.end());
  const NodeId known = find_node(input.name);
  if (known.is_none()) {
    add_node(input);
  } else if (nodes_[known.index()].input != input) {
    replace_node(known, input);
  }
}

void World::add_node(const NodeInput& input) {
  const NodeId id = take_slot(nodes_, free_nodes_);
  free_.resize(nodes_.size());
  allocatable_.resize(nodes_.size());
  node_ids_.emplace(input.name, id);
  nodes_[id.index()].alive = true;
  nodes_[id.index()].tie = tie_rank(config_.seed, names_.names.text(input.name));
  ++alive_nodes_;
  ranks_stale_ = true;
  topology_->nodes_changed();
  images_.replace(input.name, {}, input.images);
  reset_node(id, input);
  log_.change(id);
  log_.loosen(id);
}

// Costs one node: ranks stay, and who keeps something about nodes looks at this one again.
void World::replace_node(NodeId id, const NodeInput& input) {
  Node& node = nodes_[id.index()];
  images_.replace(input.name, node.input.images, input.images);
  // The pods' ports, claims and cards are charged again by reset_node; only claims live outside the node.
  for (const PodId pod : node.pods) {
    for (const NameId claim : shape_of(pod).input.exclusive_claims) --claims_[claim];
  }
  topology_->node_changes(id, input);
  if (node.input.labels != input.labels) ++label_changes_;
  reset_node(id, input);
  log_.replace(id);
  log_.loosen(id);
}

void World::remove_node(NameId name) {
  const NodeId id = find_node(name);
  if (id.is_none()) return;
  const std::vector<PodId> pods = nodes_[id.index()].pods;
  for (const PodId pod : pods) remove_pod(pods_[pod.index()].name);
  images_.replace(name, nodes_[id.index()].input.images, {});
  count_hardware(id, -1);
  allocatable_.clear(id);
  nodes_[id.index()] = Node{};
  if (holdings_->reset_node(id, nodes_[id.index()].input)) look_everywhere();
  node_ids_.erase(name);
  free_nodes_.push_back(id);
  --alive_nodes_;
  log_.change(id);
  ranks_stale_ = true;
  topology_->nodes_changed();
}

void World::refresh() {
  if (ranks_stale_) {
    ranks_stale_ = false;
    ++layout_;
    by_rank_.clear();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].alive) by_rank_.push_back(NodeId(i));
    }
    std::ranges::sort(by_rank_, [&](NodeId a, NodeId b) {
      const Node& left = node(a);
      const Node& right = node(b);
      if (left.tie != right.tie) return left.tie < right.tie;
      return names_.names.text(left.input.name) < names_.names.text(right.input.name);
    });
    for (std::size_t rank = 0; rank < by_rank_.size(); ++rank) {
      nodes_[by_rank_[rank].index()].rank = static_cast<std::uint32_t>(rank);
    }
  }
  topology_->refresh();
}

}  // namespace berth::engine
