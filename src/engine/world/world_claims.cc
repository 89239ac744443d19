// Claims and slices: what the devices of a node say to the world, and what pods hold through claims.
#include "base/sort_unique.h"
#include "engine/world/world.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/devices/holdings.h"

namespace berth::engine {
namespace {

// Those of the nodes that are there, ascending.
std::vector<NodeId> found(const World& world, std::span<const NameId> names) {
  std::vector<NodeId> result;
  for (const NameId name : names)
    if (const NodeId node = world.find_node(name); !node.is_none()) result.push_back(node);
  std::ranges::sort(result);
  return result;
}

}  // namespace

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
      free_.add(change.node, change.resource, change.taken ? -kMilliPerCard : kMilliPerCard);
    }
    log_.change(change.node);
  }
}

void World::look_everywhere() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].alive) continue;
    log_.change(NodeId(i));
    log_.loosen(NodeId(i));
  }
}

// What a node has of devices is not what it was.
void World::follow_devices(const devices::Touched& touched) {
  apply_card_changes();
  if (touched.everywhere) return look_everywhere();
  for (const NodeId node : found(*this, touched.nodes)) {
    log_.change(node);
    log_.loosen(node);
  }
}

void World::slices_changed(const devices::Touched& touched) {
  if (touched.nothing()) return;
  if (touched.everywhere) {
    every_node_touched_ = true;
    touched_nodes_.clear();
  } else if (!every_node_touched_) {
    for (const NodeId node : found(*this, touched.nodes)) touched_nodes_.push_back(node);
    // All slices of a pool over many nodes name the same ones.
    if (touched_nodes_.size() > 2 * nodes_.size()) sort_unique(touched_nodes_);
  }
  if (!gathers_slices_) gather_slices(false);
}

void World::reset_devices(NodeId node) {
  const NodeInput input = nodes_[node.index()].input;
  reset_node(node, input);
  log_.replace(node);
  log_.loosen(node);
}

void World::gather_slices(bool more) {
  gathers_slices_ = more;
  if (more || (!every_node_touched_ && touched_nodes_.empty())) return;
  std::vector<NodeId> touched = std::exchange(touched_nodes_, {});
  if (std::exchange(every_node_touched_, false)) {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].alive) touched.emplace_back(i);
  }
  sort_unique(touched);
  for (const NodeId node : touched) holdings_->unlink(node);
  for (const NodeId node : touched) reset_devices(node);
}

void World::set_slice(const devices::SliceInput& input) { slices_changed(holdings_->set_slice(input)); }
void World::remove_slice(NameId name) { slices_changed(holdings_->remove_slice(name)); }
void World::set_claim(const devices::ClaimInput& input) { follow_devices(holdings_->set_claim(input)); }
void World::remove_claim(NameId name) { follow_devices(holdings_->remove_claim(name)); }

void World::put_claims(PodId pod_id, NodeId node, Entry entry, const std::vector<devices::ReleasedGrant>& grants) {
  const Pod& pod = pods_[pod_id.index()];
  granted_.clear();
  if (pod.claims.empty()) return;
  const std::vector<ClaimUse>& uses = shapes_[pod.shape].input.claims;
  const bool everywhere =
      holdings_->enter(uses, pod.claims, node, nodes_[node.index()].input, entry == Entry::kAllocate, grants, granted_);
  apply_card_changes();
  if (everywhere) look_everywhere();
}

// The latest undo record is of the put() that has just happened.
void World::note_granted() {
  if (!granted_.empty()) undo_.back().granted = std::make_shared<std::vector<NameId>>(std::exchange(granted_, {}));
}

void World::take_claims(PodId pod_id, Exit exit, std::vector<devices::ReleasedGrant>& grants) {
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

}  // namespace berth::engine
