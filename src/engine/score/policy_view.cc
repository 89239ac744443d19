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

NodeView view_of(const World& world, const Shape& shape, NodeId id) {
  const Node& node = world.node(id);
  NodeView view;
  view.free_cpu = world.free(id, kCpu);
  view.free_memory = world.free(id, kMemory);
  view.allocatable_cpu = world.allocatable(id, kCpu);
  view.allocatable_memory = world.allocatable(id, kMemory);
  view.pods_by_kind = node.pods_by_kind;
  const CardGroup* group = nullptr;
  if (const CardRequest* cards = shape.input.packed_cards()) group = world.card_group(id, cards->resource);
  if (group == nullptr) {
    // A resource may be offered with a count of 0, as device plugins do while their cards are away.
    const auto some =
        std::ranges::find_if(node.cards, [](const CardGroup& cards) { return cards.packed && !cards.free.empty(); });
    if (some != node.cards.end()) group = &*some;
  }
  if (group != nullptr) {
    view.card_free = group->free;
    view.product = group->product;
  }
  return view;
}

}  // namespace berth::engine
