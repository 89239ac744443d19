#include "engine/world/world.h"

#include <algorithm>
#include <utility>

#include "base/tie_order.h"
#include "engine/devices/holdings.h"
#include "engine/topology/topology.h"
#include "engine/world/free_slots.h"
#include "engine/world/held_room.h"

namespace berth::engine {
namespace {

using Grants = std::vector<devices::ReleasedGrant>;

}  // namespace

World::World(const Config& config, const Names& names)
    : config_(config),
      names_(names),
      shapes_(config, names),
      budgets_(names),
      images_(names),
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

ResourceId World::overcommitted(NodeId node) const {
  ResourceId first = ResourceId::none();
  free_.for_each(node, [&first](ResourceId resource, Amount amount) {
    if (amount < 0 && first.is_none() && resource != kPods) first = resource;
  });
  return first;
}

// --- Shapes ---------------------------------------------------------------------------------------------------------

ShapeId World::intern_shape(const ShapeInput& input) {
  const auto [id, added] = shapes_.intern(input);
  if (!added) return id;
  for (const ClaimUse& use : input.claims) {
    if (!use.shared.is_none()) holdings_->watch(use.shared);
  }
  topology_->shape_added(id);
  return id;
}

ShapeTable::Swept World::sweep() {
  ShapeTable::Swept swept = shapes_.sweep();
  topology_->forget(swept.shapes);
  for (const ShapeId shape : swept.shapes) budgets_.forget(shape);
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
  const ShapeInput& shape = shapes_[pod.shape].input;
  Node& node = nodes_[node_id.index()];
  free_.add(node_id, kPods, -sign);
  for (const ResourceAmount& request : shape.requests) {
    if (!claims_supply(shape, node_id, request.resource)) free_.add(node_id, request.resource, -sign * request.amount);
  }
  for (const CardRequest& request : shape.cards) {
    if (!claims_supply(shape, node_id, request.resource)) {
      free_.add(node_id, request.resource, -sign * charged(request, pod.cards));
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
  auto& kind = node.pods_by_kind[shapes_[pod.shape].kind];
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

// --- Placements -----------------------------------------------------------------------------------------------------

void World::put(PodId pod_id, NodeId node_id, std::vector<CardAssignment> cards, Entry entry, const Grants& grants) {
  Pod& pod = pods_[pod_id.index()];
  pod.node = node_id;
  pod.state = PodState::kPlaced;
  pod.cards = std::move(cards);
  Node& node = nodes_[node_id.index()];
  pod.place_on_node = static_cast<std::uint32_t>(node.pods.size());
  node.pods.push_back(pod_id);
  shapes_.count_placed(pod.shape, 1);
  ++placed_by_priority_[shapes_[pod.shape].input.priority];
  put_claims(pod_id, node_id, entry, grants);
  charge(pod_id, node_id, 1);
  charge_queues(pod, 1);
  if (is_no_hardware(node_id)) count_used_hardware(shapes_[pod.shape], 1);
  topology_->pod_changed(pod.shape, node_id, pod.terminating, 1, entry == Entry::kUndo);
  log_.change(node_id);
}

// Leaves pod.state to the caller.
void World::take(PodId pod_id, Exit exit, Grants& grants) {
  Pod& pod = pods_[pod_id.index()];
  const NodeId node_id = pod.node;
  Node& node = nodes_[node_id.index()];
  charge(pod_id, node_id, -1);
  charge_queues(pod, -1);
  if (is_no_hardware(node_id)) count_used_hardware(shapes_[pod.shape], -1);
  take_claims(pod_id, exit, grants);
  const PodId moved = node.pods.back();
  node.pods[pod.place_on_node] = moved;
  pods_[moved.index()].place_on_node = pod.place_on_node;
  node.pods.pop_back();
  shapes_.count_placed(pod.shape, -1);
  const auto same_priority = placed_by_priority_.find(shapes_[pod.shape].input.priority);
  if (--same_priority->second == 0) placed_by_priority_.erase(same_priority);
  topology_->pod_changed(pod.shape, node_id, pod.terminating, -1, exit == Exit::kUndo);
  pod.node = NodeId::none();
  log_.loosen(node_id);
  log_.change(node_id);
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
    log_.loosen(other);
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
          log_.change(node);
          log_.loosen(node);
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
  for (const ResourceAmount& each : room.amounts) free_.add(room.node, each.resource, -sign * each.amount);
  for (const CardAssignment& assignment : room.cards) {
    for (CardGroup& group : nodes_[room.node.index()].cards) {
      if (group.resource != assignment.resource) continue;
      sign > 0 ? group.take(assignment) : group.give_back(assignment);
    }
  }
  bool everywhere = false;
  for (const devices::Grant& grant : room.grants) everywhere = holdings_->reserve(grant, sign) || everywhere;
  apply_card_changes();
  if (!everywhere) return log_.change(room.node);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].alive) log_.change(NodeId(i));
}

ShapeId World::shape_like(PodId model) {
  const ShapeInput& own = shape_of(model).input;
  const auto alone = [&](const ClaimUse& use) { return !use.shared.is_none() && pods_with_claim(use.shared) <= 1; };
  if (std::ranges::none_of(own.claims, alone)) return pod(model).shape;
  ShapeInput like = own;
  for (ClaimUse& use : like.claims)
    if (alone(use)) use.shared = NameId::none();
  return intern_shape(like);
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
  log_.restore_loosened(mark.loosened);
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
  if (const NodeId node = find_node(name); !node.is_none()) log_.loosen(node);
}

PodId World::set_pod(const PodInput& input) {
  PodId id = find_pod(input.name);
  const ShapeId shape = intern_shape(input.shape);
  shapes_.use(shape, 1);
  const NodeId node = input.node.is_none() ? NodeId::none() : find_node(input.node);
  std::vector<CardAssignment> cards = input.cards;
  if (id.is_none()) {
    id = take_slot(pods_, free_pods_);
    pod_ids_.emplace(input.name, id);
    pods_[id.index()].name = input.name;
    pods_[id.index()].tie = tie_rank(config_.seed, names_.names.text(input.name));
  } else if (pods_[id.index()].state == PodState::kPlaced) {
    // A pod that stays where it is keeps its cards, unless the event says which it has.
    const Pod& old = pods_[id.index()];
    if (cards.empty() && old.node == node && shapes_[old.shape].input.cards == input.shape.cards) cards = old.cards;
    Grants kept;
    take(id, Exit::kReturn, kept);
  }
  end_promise(id);
  join_workload(id, input.workload, input.group);
  const std::vector<NameId> former_claims = std::exchange(pods_[id.index()].claims, input.claims);
  Pod& pod = pods_[id.index()];
  if (!pod.shape.is_none()) shapes_.use(pod.shape, -1);
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
      fill_in_shares(shapes_[shape], node, cards);
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
  shapes_.use(pods_[id.index()].shape, -1);
  pods_[id.index()] = Pod{};
  pod_ids_.erase(name);
  free_pods_.push_back(id);
}

}  // namespace berth::engine
