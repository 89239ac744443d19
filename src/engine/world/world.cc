#include "engine/world/world.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"
#include "base/tie_order.h"
#include "engine/devices/holdings.h"
#include "engine/topology/topology.h"
#include "engine/world/age.h"
#include "engine/world/selectors.h"

namespace berth::engine {
namespace {

using Grants = std::vector<devices::ReleasedGrant>;

}  // namespace

World::World(const Config& config, const Names& names)
    : config_(config),
      names_(names),
      topology_(std::make_unique<Topology>(*this)),
      workloads_(names, config.seed),
      holdings_(std::make_unique<devices::Holdings>(config, names)) {}

World::~World() = default;

NodeId World::find_node(NameId name) const {
  const auto found = node_ids_.find(name);
  return found == node_ids_.end() ? NodeId::none() : found->second;
}

PodId World::find_pod(NameId name) const {
  const auto found = pod_ids_.find(name);
  return found == pod_ids_.end() ? PodId::none() : found->second;
}

const Labels* World::namespace_labels(NamespaceId id) const {
  const auto found = namespaces_.find(id);
  return found == namespaces_.end() ? nullptr : &found->second;
}

const CardGroup* World::card_group(NodeId node, ResourceId resource) const {
  for (const CardGroup& group : nodes_[node.index()].cards) {
    if (group.resource == resource) return &group;
  }
  return nullptr;
}

bool World::claims_supply(const ShapeInput& shape, NodeId node, ResourceId resource) const {
  if (shape.claims.empty()) return false;
  if (std::ranges::find(shape.claimed_resources, resource) != shape.claimed_resources.end()) return true;
  return std::ranges::find(shape.claims, resource, &ClaimUse::resource) != shape.claims.end() &&
         allocatable(node, resource) <= 0;
}

std::uint32_t World::pods_with_claim(NameId claim) const {
  const auto found = claims_.find(claim);
  return found == claims_.end() ? 0 : found->second;
}

ImageSpread World::image(NameId name) const {
  const auto found = images_.find(name);
  return found == images_.end() ? ImageSpread{} : found->second;
}

// Makes room for a resource in the matrices. Happens a few times in a world's life, which usually has as many columns
// as it needs; one with many resources widens ahead of them, or each would copy all that is there.
void World::widen(ResourceId resource) {
  if (resource.index() < stride_) return;
  constexpr std::size_t kMany = 16;
  const std::size_t ahead = stride_ < kMany ? 4 : stride_ + stride_ / 2;
  const std::size_t stride = std::max(resource.index() + 1, ahead);
  const auto spread = [&](std::vector<Amount>& matrix) {
    std::vector<Amount> wider(nodes_.size() * stride, 0);
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      std::copy_n(matrix.begin() + static_cast<std::ptrdiff_t>(node * stride_), stride_,
                  wider.begin() + static_cast<std::ptrdiff_t>(node * stride));
    }
    matrix = std::move(wider);
  };
  spread(free_);
  spread(allocatable_);
  stride_ = stride;
}

void World::log_change(NodeId node) {
  // Readers that are further behind than this are faster made anew.
  constexpr std::size_t kKeep = std::size_t{1} << 16U;
  const std::size_t limit = std::max(4 * nodes_.size(), 2 * kKeep);
  if (log_.size() >= limit) {
    const std::size_t drop = log_.size() / 2;
    log_.erase(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(drop));
    log_base_ += drop;
  }
  last_change_[node.index()] = log_base_ + log_.size();
  log_.push_back(node);
}

void World::loosen(NodeId node) {
  // Who did not look for so long has to assume the best.
  constexpr std::size_t kKeep = std::size_t{1} << 12U;
  if (loosened_.size() >= 2 * kKeep) {
    loosened_.erase(loosened_.begin(), loosened_.begin() + kKeep);
    loosened_base_ += kKeep;
  }
  loosened_.push_back(node);
}

// --- Nodes ----------------------------------------------------------------------------------------------------------

void World::count_images(const NodeInput& input, int delta) {
  if (!input.images.empty()) ++image_changes_;
  for (const ImageState& image : input.images) {
    auto [entry, added] = images_.try_emplace(image.image, ImageSpread{image.size_bytes, 0});
    entry->second.nodes += static_cast<std::uint32_t>(delta);
    if (entry->second.nodes == 0) images_.erase(entry);
  }
}

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

// Charges pods that were on the node before it changed. Those whose cards are still there keep them; the others (a
// device plugin that came late, or offers fewer) get what is left, in order of their names.
void World::charge_again(NodeId id, std::vector<PodId> pods) {
  const auto rest = std::ranges::partition(pods, [&](PodId pod) { return holds_cards_of(pod, id); });
  for (auto pod = pods.begin(); pod != rest.begin(); ++pod) {
    // What a share comes to depends on the memory of the cards, which a label may have told only now.
    for (CardAssignment& held : pods_[pod->index()].cards) {
      const std::vector<CardRequest>& requests = shape_of(*pod).input.cards;
      const auto request = std::ranges::find(requests, held.resource, &CardRequest::resource);
      const CardGroup* group = card_group(id, held.resource);
      if (request == requests.end() || group == nullptr) continue;
      const CardGroup::Share share = group->share_of(*request);
      held.milli = share.milli;
      held.memory_bytes = share.memory_bytes;
    }
    charge(*pod, id, 1);
  }
  std::ranges::sort(rest, {}, [&](PodId pod) { return names_.names.text(pods_[pod.index()].name); });
  for (const PodId pod : rest) {
    pods_[pod.index()].cards = choose_cards(pod, id, -1);
    charge(pod, id, 1);
  }
}

// The ledger knows what all nodes have in sum.
void World::count_hardware(NodeId id, int sign) {
  for (std::size_t i = 0; i < stride_; ++i) {
    workloads_.ledger().add_hardware(ResourceId{i}, sign * allocatable(id, ResourceId{i}));
  }
}

// Sets what the node offers and charges the pods that are on it anew.
void World::reset_node(NodeId id, const NodeInput& input) {
  for (const ResourceAmount& amount : input.allocatable) widen(amount.resource);
  widen(kPods);
  Node& node = nodes_[id.index()];
  node.input = input;
  const auto row = static_cast<std::ptrdiff_t>(id.index() * stride_);
  count_hardware(id, -1);
  std::fill_n(allocatable_.begin() + row, stride_, 0);
  for (const ResourceAmount& amount : input.allocatable) {
    // Less than nothing is nothing: scores divide by these.
    allocatable_[id.index() * stride_ + amount.resource.index()] = std::max<Amount>(amount.amount, 0);
  }
  std::copy_n(allocatable_.begin() + row, stride_, free_.begin() + row);
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
    }
    made.whole_free = static_cast<std::int32_t>(cards);
    made.largest_free = cards > 0 ? kMilliPerCard : 0;
    node.cards.push_back(std::move(made));
  }
  node.ports.clear();
  node.nonzero_cpu = 0;
  node.nonzero_memory = 0;
  node.pods_by_kind.fill(0);
  holdings_->reset_node(id, node.input);
  apply_card_changes();
  charge_again(id, node.pods);
}

void World::set_node(const NodeInput& given) {
  NodeInput input = given;
  std::ranges::sort(input.images, {}, &ImageState::image);
  const NodeId known = find_node(input.name);
  if (known.is_none()) {
    add_node(input);
  } else if (nodes_[known.index()].input != input) {
    replace_node(known, input);
  }
}

void World::add_node(const NodeInput& input) {
  NodeId id;
  if (free_nodes_.empty()) {
    id = NodeId(nodes_.size());
    nodes_.emplace_back();
    last_change_.push_back(0);
    last_replacement_.push_back(0);
    free_.resize(nodes_.size() * stride_, 0);
    allocatable_.resize(nodes_.size() * stride_, 0);
  } else {
    id = free_nodes_.back();
    free_nodes_.pop_back();
  }
  node_ids_.emplace(input.name, id);
  nodes_[id.index()].alive = true;
  nodes_[id.index()].tie = tie_rank(config_.seed, names_.names.text(input.name));
  ++alive_nodes_;
  ranks_stale_ = true;
  topology_->nodes_changed();
  count_images(input, 1);
  reset_node(id, input);
  log_change(id);
  loosen(id);
}

// Costs one node: ranks stay, and who keeps something about nodes looks at this one again.
void World::replace_node(NodeId id, const NodeInput& input) {
  Node& node = nodes_[id.index()];
  if (node.input.images != input.images) {
    count_images(node.input, -1);
    count_images(input, 1);
  }
  // The pods' ports, claims and cards are charged again by reset_node; only claims live outside the node.
  for (const PodId pod : node.pods) {
    for (const NameId claim : shape_of(pod).input.exclusive_claims) --claims_[claim];
  }
  topology_->node_changes(id, input);
  if (node.input.labels != input.labels) ++label_changes_;
  reset_node(id, input);
  log_change(id);
  last_replacement_[id.index()] = last_change_[id.index()];
  loosen(id);
}

void World::remove_node(NameId name) {
  const NodeId id = find_node(name);
  if (id.is_none()) return;
  const std::vector<PodId> pods = nodes_[id.index()].pods;
  for (const PodId pod : pods) remove_pod(pods_[pod.index()].name);
  count_images(nodes_[id.index()].input, -1);
  count_hardware(id, -1);
  std::fill_n(allocatable_.begin() + static_cast<std::ptrdiff_t>(id.index() * stride_), stride_, 0);
  nodes_[id.index()] = Node{};
  holdings_->reset_node(id, nodes_[id.index()].input);
  node_ids_.erase(name);
  free_nodes_.push_back(id);
  --alive_nodes_;
  log_change(id);
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

// --- Shapes ---------------------------------------------------------------------------------------------------------

ShapeId World::intern_shape(const ShapeInput& input) {
  std::vector<ShapeId>& same_hash = shape_ids_[ContentHasher{}(input)];
  for (const ShapeId id : same_hash) {
    if (shape(id).input == input) return id;
  }
  ShapeId id{shapes_.size()};
  if (free_shapes_.empty()) {
    shapes_.emplace_back();
  } else {
    id = free_shapes_.back();
    free_shapes_.pop_back();
  }
  same_hash.push_back(id);
  ++unused_shapes_;
  Shape& made = shapes_[id.index()];
  made.input = input;
  for (const ResourceAmount& request : input.requests) widen(request.resource);
  for (const CardRequest& request : input.cards) widen(request.resource);
  for (const ClaimUse& use : input.claims) {
    if (!use.shared.is_none()) holdings_->watch(use.shared);
  }
  for (const Profile& profile : config_.profiles) {
    if (profile.id == input.profile) made.profile = &profile;
  }
  made.kind = card_kind(input);
  made.charge = charge_of(input);
  if (made.profile != nullptr) made.narrowed_to = narrow(input, *made.profile);
  const Taint cordon{names_.label_keys.find("node.kubernetes.io/unschedulable"), names_.find_label_value(""),
                     Effect::kNoSchedule};
  for (const Toleration& toleration : input.tolerations) {
    // A key or value that nobody has named yet is named by no toleration either.
    const bool any_key = toleration.key.is_none();
    const bool exists = toleration.match == Toleration::Match::kExists;
    if ((any_key || !cordon.key.is_none()) && (exists || !cordon.value.is_none()) && tolerates(toleration, cordon)) {
      made.tolerates_unschedulable = true;
    }
  }
  const SearchId next = free_searches_.empty() ? SearchId(examples_.size()) : free_searches_.back();
  const auto [entry, added] = search_ids_.try_emplace(search_part(input), next);
  made.search = entry->second;
  if (added) {
    if (free_searches_.empty()) {
      examples_.push_back(id);
    } else {
      free_searches_.pop_back();
      examples_[next.index()] = id;
    }
  }
  topology_->shape_added(id);
  return id;
}

void World::use_shape(ShapeId id, int delta) {
  std::uint32_t& users = shapes_[id.index()].users;
  if (users == 0) --unused_shapes_;
  users += static_cast<std::uint32_t>(delta);
  if (users == 0) ++unused_shapes_;
}

bool World::wants_sweep() const {
  constexpr std::size_t kFewest = 8;
  const std::size_t used = shapes_.size() - free_shapes_.size() - unused_shapes_;
  return unused_shapes_ > used + kFewest;
}

void World::free_shape(ShapeId id) {
  Shape& shape = shapes_[id.index()];
  const auto entry = shape_ids_.find(ContentHasher{}(shape.input));
  std::erase(entry->second, id);
  if (entry->second.empty()) shape_ids_.erase(entry);
  shape = Shape{};
  free_shapes_.push_back(id);
}

World::Swept World::sweep() {
  Swept swept;
  std::vector<ShapeId> heirs(examples_.size());  // a shape that stays, by search part
  const std::size_t freed_before = free_shapes_.size();
  std::vector<std::uint8_t> is_free(shapes_.size(), 0);
  for (const ShapeId id : free_shapes_) is_free[id.index()] = 1;
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (is_free[i] != 0) continue;
    if (shapes_[i].users == 0) {
      swept.shapes.emplace_back(i);
    } else {
      heirs[shapes_[i].search.index()] = ShapeId(i);
    }
  }
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    const ShapeId example = examples_[i];
    if (example.is_none() || shapes_[example.index()].users > 0) continue;
    const SearchId search(i);
    swept.searches.push_back(search);
    if (heirs[i].is_none()) {
      search_ids_.erase(search_part(shapes_[example.index()].input));
      free_searches_.push_back(search);
    }
    examples_[i] = heirs[i];
  }
  for (const ShapeId id : swept.shapes) free_shape(id);
  unused_shapes_ -= free_shapes_.size() - freed_before;
  topology_->forget(swept.shapes);
  return swept;
}

// --- Pods -----------------------------------------------------------------------------------------------------------

// What a request counts in the sum of a node's cards. A share by memory counts what it comes to on its cards.
Amount World::charged(const CardRequest& request, const std::vector<CardAssignment>& cards) {
  if (request.milli > 0) return request.total();
  const auto held = std::ranges::find(cards, request.resource, &CardAssignment::resource);
  return held == cards.end() ? 0 : held->milli * static_cast<Amount>(held->cards.size());
}

// Adds (sign 1) or takes away (-1) everything a pod on this node counts, its cards as recorded in the pod.
void World::charge(PodId pod_id, NodeId node_id, int sign) {
  const Pod& pod = pods_[pod_id.index()];
  const ShapeInput& shape = shapes_[pod.shape.index()].input;
  Node& node = nodes_[node_id.index()];
  Amount* row = &free_[node_id.index() * stride_];
  row[kPods.index()] -= sign;
  for (const ResourceAmount& request : shape.requests) {
    if (!claims_supply(shape, node_id, request.resource)) row[request.resource.index()] -= sign * request.amount;
  }
  for (const CardRequest& request : shape.cards) {
    if (!claims_supply(shape, node_id, request.resource)) {
      row[request.resource.index()] -= sign * charged(request, pod.cards);
    }
  }
  node.nonzero_cpu += sign * shape.nonzero_cpu;
  node.nonzero_memory += sign * shape.nonzero_memory;
  for (const CardAssignment& assignment : pod.cards) {
    for (CardGroup& group : node.cards) {
      if (group.resource != assignment.resource) continue;
      sign > 0 ? group.take(assignment) : group.give_back(assignment);
      for (const std::uint16_t card : assignment.cards) {
        holdings_->count_card(node_id, group.resource, card, sign > 0);
      }
    }
  }
  auto& kind = node.pods_by_kind[shapes_[pod.shape.index()].kind];
  kind = static_cast<std::uint16_t>(kind + sign);
  for (const HostPort& port : shape.host_ports) {
    const auto use = std::ranges::find(node.ports, port, &PortUse::port);
    if (use == node.ports.end()) {
      node.ports.push_back({port, 1});
      continue;
    }
    use->pods += static_cast<std::uint32_t>(sign);
    if (use->pods == 0) node.ports.erase(use);
  }
  for (const NameId claim : shape.exclusive_claims) claims_[claim] += static_cast<std::uint32_t>(sign);
}

// --- Devices --------------------------------------------------------------------------------------------------------

// A card that went into a claim is not offered by count any more.
void World::apply_card_changes() {
  for (const devices::CardChange& change : holdings_->card_changes()) {
    for (CardGroup& group : nodes_[change.node.index()].cards) {
      if (group.resource != change.resource) continue;
      const CardAssignment card{.resource = change.resource,
                                .milli = kMilliPerCard,
                                .cards = {change.card},
                                .memory_bytes = group.memory_bytes};
      change.taken ? group.take(card) : group.give_back(card);
      free_[change.node.index() * stride_ + change.resource.index()] += change.taken ? -kMilliPerCard : kMilliPerCard;
    }
    log_change(change.node);
  }
}

void World::look_everywhere() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].alive) continue;
    log_change(NodeId(i));
    loosen(NodeId(i));
  }
}

// What a node has of devices is not what it was.
void World::follow_devices(const devices::Touched& touched) {
  apply_card_changes();
  if (touched.nothing) return;
  if (touched.node.is_none()) return look_everywhere();
  const NodeId node = find_node(touched.node);
  if (node.is_none()) return;
  log_change(node);
  loosen(node);
}

void World::slices_changed(const devices::Touched& touched) {
  if (touched.nothing) return;
  const auto reset = [&](NodeId node) {
    const NodeInput input = nodes_[node.index()].input;
    reset_node(node, input);
    log_change(node);
    last_replacement_[node.index()] = last_change_[node.index()];
    loosen(node);
  };
  if (touched.node.is_none()) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].alive) reset(NodeId(i));
    }
  } else if (const NodeId node = find_node(touched.node); !node.is_none()) {
    reset(node);
  }
}

void World::set_slice(const devices::SliceInput& input) { slices_changed(holdings_->set_slice(input)); }
void World::remove_slice(NameId name) { slices_changed(holdings_->remove_slice(name)); }
void World::set_claim(const devices::ClaimInput& input) { follow_devices(holdings_->set_claim(input)); }
void World::remove_claim(NameId name) { follow_devices(holdings_->remove_claim(name)); }

void World::put_claims(PodId pod_id, NodeId node, Entry entry, const Grants& grants) {
  const Pod& pod = pods_[pod_id.index()];
  granted_.clear();
  if (pod.claims.empty()) return;
  const std::vector<ClaimUse>& uses = shapes_[pod.shape.index()].input.claims;
  const bool everywhere =
      holdings_->enter(uses, pod.claims, node, nodes_[node.index()].input, entry == Entry::kAllocate, grants, granted_);
  apply_card_changes();
  if (everywhere) look_everywhere();
}

// The latest undo record is of the put() that has just happened.
void World::note_granted() {
  if (!granted_.empty()) undo_.back().granted = std::make_shared<std::vector<NameId>>(std::exchange(granted_, {}));
}

void World::take_claims(PodId pod_id, Exit exit, Grants& grants) {
  using Leaving = devices::Holdings::Leaving;
  const Pod& pod = pods_[pod_id.index()];
  if (pod.claims.empty()) return;
  const Leaving leaving = exit == Exit::kLeave    ? Leaving::kRelease
                          : exit == Exit::kReturn ? Leaving::kKeep
                                                  : Leaving::kUndo;
  const bool everywhere = holdings_->leave(pod.claims, leaving, granted_, grants);
  apply_card_changes();
  if (everywhere) look_everywhere();
}

// --- Placements -----------------------------------------------------------------------------------------------------

void World::put(PodId pod_id, NodeId node_id, std::vector<CardAssignment> cards, Entry entry, const Grants& grants) {
  Pod& pod = pods_[pod_id.index()];
  pod.node = node_id;
  pod.state = PodState::kPlaced;
  pod.cards = std::move(cards);
  Node& node = nodes_[node_id.index()];
  pod.place_on_node = static_cast<std::uint32_t>(node.pods.size());
  node.pods.push_back(pod_id);
  ++shapes_[pod.shape.index()].placed;
  ++placed_by_priority_[shapes_[pod.shape.index()].input.priority];
  put_claims(pod_id, node_id, entry, grants);
  charge(pod_id, node_id, 1);
  charge_queues(pod, 1);
  topology_->pod_changed(pod.shape, node_id, pod.terminating, 1, entry == Entry::kUndo);
  log_change(node_id);
}

// Leaves pod.state to the caller.
void World::take(PodId pod_id, Exit exit, Grants& grants) {
  Pod& pod = pods_[pod_id.index()];
  const NodeId node_id = pod.node;
  Node& node = nodes_[node_id.index()];
  charge(pod_id, node_id, -1);
  charge_queues(pod, -1);
  take_claims(pod_id, exit, grants);
  const PodId moved = node.pods.back();
  node.pods[pod.place_on_node] = moved;
  pods_[moved.index()].place_on_node = pod.place_on_node;
  node.pods.pop_back();
  --shapes_[pod.shape.index()].placed;
  const auto same_priority = placed_by_priority_.find(shapes_[pod.shape.index()].input.priority);
  if (--same_priority->second == 0) placed_by_priority_.erase(same_priority);
  topology_->pod_changed(pod.shape, node_id, pod.terminating, -1, exit == Exit::kUndo);
  pod.node = NodeId::none();
  loosen(node_id);
  log_change(node_id);
}

std::vector<CardAssignment> World::choose_cards(PodId pod, NodeId node, std::int32_t wanted_card) const {
  std::vector<CardAssignment> result;
  for (const CardRequest& request : shape_of(pod).input.cards) {
    if (request.count == 0 || claims_supply(shape_of(pod).input, node, request.resource)) continue;
    const CardGroup* group = card_group(node, request.resource);
    if (group != nullptr) result.push_back(group->choose(request, wanted_card));
  }
  return result;
}

void World::place(PodId pod, NodeId node, std::int32_t wanted_card) {
  // Room that was promised it elsewhere is free.
  const NameId promised = pods_[pod.index()].nominated_node;
  if (const NodeId other = promised.is_none() ? NodeId::none() : find_node(promised); !other.is_none() && other != node)
    loosen(other);
  undo_.push_back({pod, NodeId::none(), pods_[pod.index()].state, {}, {}});
  put(pod, node, choose_cards(pod, node, wanted_card), Entry::kAllocate, {});
  note_granted();
}

void World::put_back(PodId pod, NodeId node, const std::vector<CardAssignment>& cards) {
  undo_.push_back({pod, NodeId::none(), pods_[pod.index()].state, {}, {}});
  // On the devices it had, too: what it lost when it left is in the log of this transaction.
  const auto left = std::ranges::find_if(undo_.rbegin(), undo_.rend(),
                                         [&](const Undo& undo) { return undo.pod == pod && !undo.node.is_none(); });
  put(pod, node, cards, Entry::kAllocate, left == undo_.rend() || !left->grants ? Grants{} : *left->grants);
  note_granted();
}

void World::unplace(PodId pod_id, PodState next) {
  Pod& pod = pods_[pod_id.index()];
  Undo undo{pod_id, pod.node, pod.state, pod.cards, {}};
  Grants lost;
  take(pod_id, Exit::kLeave, lost);
  if (!lost.empty()) undo.grants = std::make_shared<Grants>(std::move(lost));
  undo_.push_back(std::move(undo));
  pod.state = next;
  pod.cards.clear();
}

// Nodes that reach the devices of a claim see that they are free, or in use again.
void World::follow_grant(const devices::ReleasedGrant& grant, bool everywhere) {
  apply_card_changes();
  if (everywhere) return look_everywhere();
  if (!grant.grant.reach) return;
  for (const NodeTerm& term : grant.grant.reach->terms) {
    for (const NameRequirement& requirement : term.names) {
      for (const NameId name : requirement.names) {
        if (const NodeId node = find_node(name); !node.is_none()) {
          log_change(node);
          loosen(node);
        }
      }
    }
  }
}

void World::give_up(NameId claim) {
  Undo undo{.pod = PodId::none(), .node = {}, .state = PodState::kFree, .cards = {}, .grants = {}, .granted = {}};
  devices::ReleasedGrant released;
  const bool everywhere = holdings_->give_up(claim, released);
  follow_grant(released, everywhere);
  undo.grants = std::make_shared<Grants>();
  undo.grants->push_back(std::move(released));
  undo_.push_back(std::move(undo));
}

void World::hold(const HeldRoom& room, int sign) {
  Amount* row = &free_[room.node.index() * stride_];
  for (const ResourceAmount& each : room.amounts) row[each.resource.index()] -= sign * each.amount;
  for (const CardAssignment& assignment : room.cards) {
    for (CardGroup& group : nodes_[room.node.index()].cards) {
      if (group.resource != assignment.resource) continue;
      sign > 0 ? group.take(assignment) : group.give_back(assignment);
    }
  }
  log_change(room.node);
}

void World::rollback(Mark mark) {
  while (undo_.size() > mark.undo) {
    Undo last = std::move(undo_.back());
    undo_.pop_back();
    if (last.pod.is_none()) {
      for (const devices::ReleasedGrant& grant : *last.grants) follow_grant(grant, holdings_->restore(grant));
    } else if (last.node.is_none()) {
      Grants lost;
      granted_ = last.granted ? std::move(*last.granted) : std::vector<NameId>{};
      take(last.pod, Exit::kUndo, lost);
      granted_.clear();
      pods_[last.pod.index()].state = last.state;
      pods_[last.pod.index()].cards.clear();
    } else {
      put(last.pod, last.node, std::move(last.cards), Entry::kUndo, last.grants ? *last.grants : Grants{});
    }
  }
  // The world is as it was, so a try helps nobody.
  if (mark.loosened >= loosened_base_) {
    loosened_.resize(mark.loosened - loosened_base_);
  } else {
    loosened_.clear();
    loosened_base_ = mark.loosened;
  }
  workloads_.ledger().restore_loosened(mark.ledger_loosened);
}

void World::promise(PodId pod, NameId node) {
  pods_[pod.index()].nominated_node = node;
  if (!node.is_none()) promises_[node].push_back(pod);
}

void World::end_promise(PodId pod) {
  const NameId name = std::exchange(pods_[pod.index()].nominated_node, NameId::none());
  if (name.is_none()) return;
  const auto entry = promises_.find(name);
  std::erase(entry->second, pod);
  if (entry->second.empty()) promises_.erase(entry);
  if (const NodeId node = find_node(name); !node.is_none()) loosen(node);
}

PodId World::set_pod(const PodInput& input) {
  PodId id = find_pod(input.name);
  const ShapeId shape = intern_shape(input.shape);
  use_shape(shape, 1);
  const NodeId node = input.node.is_none() ? NodeId::none() : find_node(input.node);
  std::vector<CardAssignment> cards = input.cards;
  if (id.is_none()) {
    if (free_pods_.empty()) {
      id = PodId(pods_.size());
      pods_.emplace_back();
    } else {
      id = free_pods_.back();
      free_pods_.pop_back();
    }
    pod_ids_.emplace(input.name, id);
    pods_[id.index()].name = input.name;
    pods_[id.index()].tie = tie_rank(config_.seed, names_.names.text(input.name));
  } else if (pods_[id.index()].state == PodState::kPlaced) {
    // A pod that stays where it is keeps its cards, unless the event says which it has.
    const Pod& old = pods_[id.index()];
    if (cards.empty() && old.node == node && shapes_[old.shape.index()].input.cards == input.shape.cards)
      cards = old.cards;
    Grants kept;
    take(id, Exit::kReturn, kept);
  }
  end_promise(id);
  join_workload(id, input.workload, input.group);
  const std::vector<NameId> former_claims = std::exchange(pods_[id.index()].claims, input.claims);
  Pod& pod = pods_[id.index()];
  if (!pod.shape.is_none()) use_shape(pod.shape, -1);
  pod.shape = shape;
  pod.terminating = input.terminating;
  pod.preempted = input.preempted;
  pod.created = input.created;
  pod.started = input.started;
  pod.hold = input.hold;
  pod.runs_for_seconds = input.runs_for_seconds;
  pod.cards.clear();
  pod.node = NodeId::none();
  if (!input.node.is_none()) {
    if (node.is_none()) {
      pod.state = PodState::kAbroad;
    } else {
      put(id, node, cards.empty() ? choose_cards(id, node, -1) : std::move(cards), Entry::kAsTold, {});
    }
  } else {
    pod.state = input.hold.cause == HoldCause::kNone && !input.terminating ? PodState::kPending : PodState::kHeld;
    promise(id, input.nominated_node);
  }
  if (!former_claims.empty()) {
    const bool everywhere = holdings_->settle(former_claims);
    apply_card_changes();
    if (everywhere) look_everywhere();
  }
  return id;
}

void World::remove_pod(NameId name) {
  const PodId id = find_pod(name);
  if (id.is_none()) return;
  Grants lost;
  granted_.clear();
  if (pods_[id.index()].state == PodState::kPlaced) take(id, Exit::kUndo, lost);
  end_promise(id);
  leave_workload(id);
  use_shape(pods_[id.index()].shape, -1);
  pods_[id.index()] = Pod{};
  pod_ids_.erase(name);
  free_pods_.push_back(id);
}

// --- Workloads and queues -------------------------------------------------------------------------------------------

void World::charge_queues(const Pod& pod, int sign) {
  if (!pod.workload.is_none()) {
    workloads_.placed(pod.workload, pod.group, shape(pod.shape).charge, sign);
  } else if (workloads_.queues().has_queues()) {
    workloads_.placed_unowned(shape(pod.shape).charge, sign);
  }
}

// Without queues nobody asks for the sum over bare pods, so it is made when the first queue comes.
void World::charge_bare_pods(int sign) {
  for (const Pod& pod : pods_) {
    if (pod.state == PodState::kPlaced && pod.workload.is_none()) {
      workloads_.placed_unowned(shape(pod.shape).charge, sign);
    }
  }
}

void World::leave_workload(PodId pod_id) {
  Pod& pod = pods_[pod_id.index()];
  if (pod.workload.is_none()) return;
  workloads_.leave(pod.workload, pod.group, pod_id);
  pod.workload = WorkloadId::none();
  pod.group = kNoGroup;
}

// The pod holds no place.
void World::join_workload(PodId pod_id, NameId workload, NameId group) {
  Pod& pod = pods_[pod_id.index()];
  const WorkloadId id = workload.is_none() ? WorkloadId::none() : workloads_.intern(workload);
  if (id == pod.workload && (id.is_none() || group == pod.group_name)) {
    if (!id.is_none()) workloads_.touch(id);
    return;
  }
  leave_workload(pod_id);
  if (workload.is_none()) return;
  pod.workload = workloads_.intern(workload);
  pod.group_name = group;
  pod.group = workloads_.join(pod.workload, group, pod_id);
}

void World::join_again(WorkloadId id, const std::vector<PodId>& members) {
  for (const PodId member : members) {
    Pod& pod = pods_[member.index()];
    pod.group = workloads_.join(id, pod.group_name, member);
    if (pod.state == PodState::kPlaced) charge_queues(pod, 1);
  }
}

void World::set_workload(const WorkloadInput& input) {
  const WorkloadId old = workloads_.find(input.name);
  if (!old.is_none() && workloads_[old].known && workloads_[old].input == input) return;
  remove_workload(input.name);
  const std::vector<PodId> members = workloads_.set(input);
  const WorkloadId id = workloads_.find(input.name);
  // While it was not known its members were charged to the root.
  for (const PodId member : members) {
    if (pods_[member.index()].state == PodState::kPlaced) workloads_.placed_unowned(shape_of(member).charge, -1);
  }
  join_again(id, members);
}

void World::remove_workload(NameId name) {
  const WorkloadId id = workloads_.find(name);
  if (id.is_none() || !workloads_[id].known) return;
  const Workload& workload = workloads_[id];
  const auto give_back = [&](PodId member) {
    if (pods_[member.index()].state == PodState::kPlaced) charge_queues(pods_[member.index()], -1);
  };
  std::ranges::for_each(workload.strays, give_back);
  for (const Group& group : workload.groups) std::ranges::for_each(std::vector<PodId>(group.members), give_back);
  join_again(id, workloads_.forget(name));
}

void World::set_queue(const QueueInput& input) {
  const bool first = !workloads_.queues().has_queues();
  if (!workloads_.set_queue(input)) return;
  if (first) charge_bare_pods(1);
  ++rule_changes_;
}

void World::remove_queue(NameId name) {
  if (!workloads_.remove_queue(name)) return;
  if (!workloads_.queues().has_queues()) charge_bare_pods(-1);
  ++rule_changes_;
}

void World::set_topology(const TopologyInput& input) {
  const auto [entry, added] = topologies_.try_emplace(input.name, input);
  if (!added && entry->second == input) return;
  entry->second = input;
  ranks_stale_ = true;
  ++rule_changes_;
}

void World::remove_topology(NameId name) {
  if (topologies_.erase(name) == 0) return;
  ranks_stale_ = true;
  ++rule_changes_;
}

const TopologyInput* World::topology_levels(NameId name) const {
  const auto found = topologies_.find(name);
  return found == topologies_.end() ? nullptr : &found->second;
}

bool World::before(PodId a, PodId b) const {
  const Pod& left = pod(a);
  const Pod& right = pod(b);
  const std::int32_t left_priority = shape(left.shape).input.priority;
  const std::int32_t right_priority = shape(right.shape).input.priority;
  if (left_priority != right_priority && !mutant("Rule.PriorityOrder")) return left_priority > right_priority;
  return mutant("Rule.AgeOrder") ? comes_first_by_tie(left, right, names_) : is_older(left, right, names_);
}

std::vector<PodId> World::wanting(const Group& leaf) const {
  std::vector<PodId> result;
  for (const PodId member : leaf.members) {
    if (pod(member).state == PodState::kPending && shape_of(member).profile != nullptr) result.push_back(member);
  }
  std::ranges::sort(result, [&](PodId a, PodId b) { return before(a, b); });
  return result;
}

// --- Namespaces and budgets -----------------------------------------------------------------------------------------

void World::set_namespace(NamespaceId id, const Labels& labels) {
  const auto [entry, added] = namespaces_.try_emplace(id, labels);
  if (!added && entry->second == labels) return;
  entry->second = labels;
  topology_->namespaces_changed();
}

void World::set_budget(const BudgetInput& input) {
  const auto name_of = [&](const BudgetInput& budget) { return names_.names.text(budget.name); };
  const auto place = std::ranges::lower_bound(budgets_, names_.names.text(input.name), {}, name_of);
  if (place != budgets_.end() && place->name == input.name) {
    *place = input;
  } else {
    budgets_.insert(place, input);
  }
  ++rule_changes_;
}

void World::remove_budget(NameId name) {
  std::erase_if(budgets_, [&](const BudgetInput& budget) { return budget.name == name; });
  ++rule_changes_;
}

}  // namespace berth::engine
