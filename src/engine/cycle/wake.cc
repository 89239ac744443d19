#include "engine/cycle/wake.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "base/mutant.h"
#include "engine/cycle/eviction_units.h"
#include "engine/fit/filters.h"

namespace berth::engine {

std::optional<std::size_t> fewest_victims(const Question& question, NodeId node) {
  const World& world = question.world;
  const ShapeInput& wanted = question.shape.input;
  std::vector<const ShapeInput*> lower;
  for (const PodId pod : world.node(node).pods) {
    if (eviction_priority(world, pod) < wanted.priority) lower.push_back(&world.shape_of(pod).input);
  }
  if (lower.empty()) return std::nullopt;
  std::size_t result = 1;
  std::vector<Amount> gains;
  const auto suffices = [&](ResourceId resource, Amount amount) {
    if (wanted.ignores(resource) || world.claims_supply(wanted, node, resource)) return true;
    Amount room = world.free(node, resource);
    if (room >= amount) return true;
    gains.clear();
    for (const ShapeInput* shape : lower) gains.push_back(shape->asks(resource));
    std::ranges::sort(gains, std::greater<>());
    std::size_t count = 0;
    while (count < gains.size() && room < amount) room += gains[count++];
    result = std::max(result, count);
    return room >= amount;
  };
  const bool all =
      std::ranges::all_of(wanted.requests,
                          [&](const ResourceAmount& each) { return suffices(each.resource, each.amount); }) &&
      std::ranges::all_of(wanted.cards, [&](const CardRequest& each) { return suffices(each.resource, each.total()); });
  return all ? std::optional(result) : std::nullopt;
}

bool may_help(const Question& question, NodeId node) {
  const Shape& shape = question.shape;
  if (shape.profile == nullptr) return false;
  // A claim for one pod only keeps the pod off every node, until its holder leaves whatever node it is on.
  if (!shape.input.exclusive_claims.empty()) return true;
  if (!question.world.node(node).alive) return false;
  const Verdict verdict = check_all(question, node, false);
  if (verdict.fits()) return true;
  const bool preempts = shape.profile->preemption && shape.input.preempts;
  return preempts && verdict.resolvable && fewest_victims(question, node).has_value();
}

}  // namespace berth::engine
