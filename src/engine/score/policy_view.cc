#include "engine/score/policy_view.h"

#include <algorithm>

namespace berth::engine {

ShapeView view_of(const Shape& shape) {
  ShapeView view;
  for (const ResourceAmount& request : shape.input.requests) {
    if (request.resource == kCpu) view.cpu = request.amount;
    if (request.resource == kMemory) view.memory = request.amount;
  }
  if (const CardRequest* cards = shape.input.packed_cards(); cards != nullptr && cards->count > 0) {
    view.card_count = cards->count;
    view.card_milli = cards->milli;
    view.products = cards->products;
  }
  return view;
}

namespace {

// The most cards, the first by name among as many. A resource may be offered with a count of 0, as device plugins do
// while their cards are away.
const CardGroup* most_cards(const World& world, NodeId node) {
  const auto name = [&](const CardGroup& cards) { return world.names().resources.text(cards.resource); };
  const CardGroup* most = nullptr;
  for (const CardGroup& cards : world.node(node).cards) {
    if (!cards.packed || cards.free.empty()) continue;
    if (most == nullptr || cards.free.size() > most->free.size() ||
        (cards.free.size() == most->free.size() && name(cards) < name(*most))) {
      most = &cards;
    }
  }
  return most;
}

NodeView view_of(const World& world, NodeId id, const CardGroup* group) {
  NodeView view;
  view.free_cpu = world.free(id, kCpu);
  view.free_memory = world.free(id, kMemory);
  view.allocatable_cpu = world.allocatable(id, kCpu);
  view.allocatable_memory = world.allocatable(id, kMemory);
  view.pods_by_kind = world.node(id).pods_by_kind;
  if (group != nullptr) {
    view.card_free = group->free;
    view.product = group->product;
  }
  return view;
}

}  // namespace

NodeView view_of(const World& world, const Shape& shape, NodeId id) {
  const CardRequest* cards = shape.input.packed_cards();
  const CardGroup* asked = cards == nullptr ? nullptr : world.card_group(id, cards->resource);
  NodeView view = view_of(world, id, asked == nullptr ? most_cards(world, id) : asked);
  if (asked != nullptr && cards->milli == 0) view.card_milli = asked->share_of(*cards).milli;
  return view;
}

NodeView view_of(const World& world, NodeId id) { return view_of(world, id, most_cards(world, id)); }

}  // namespace berth::engine
