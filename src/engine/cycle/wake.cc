#include "engine/cycle/wake.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/cycle/eviction_units.h"
#include "engine/fit/filters.h"

namespace berth::engine {
bool suffices_without_lower(const Question& question, NodeId node) {
  const World& world = question.world;
  const ShapeInput& wanted = question.shape.input;
  std::vector<const ShapeInput*> lower;
  for (const PodId pod : world.node(node).pods) {
    if (eviction_priority(world, pod) < wanted.priority) lower.push_back(&world.shape_of(pod).input);
  }
  if (lower.empty()) return false;
  const auto suffices = [&](ResourceId resource, Amount amount) {
    Amount room = world.free(node, resource);
    for (const ShapeInput* shape : lower) room += shape->asks(resource);
    return room >= amount;
  };
  const auto is_elsewhere = [&](ResourceId resource) {
    return wanted.ignores(resource) || world.claims_supply(wanted, node, resource);
  };
  return std::ranges::all_of(
             wanted.requests,
             [&](const ResourceAmount& r) { return is_elsewhere(r.resource) || suffices(r.resource, r.amount); }) &&
         std::ranges::all_of(wanted.cards, [&](const CardRequest& r) {
           return is_elsewhere(r.resource) || suffices(r.resource, r.total());
         });
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
  return preempts && verdict.resolvable && suffices_without_lower(question, node);
}

}  // namespace berth::engine
