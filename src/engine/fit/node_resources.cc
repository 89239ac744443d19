#include "engine/fit/node_resources.h"

#include <algorithm>

#include "base/mutant.h"

namespace berth::engine {
namespace {

// Neither counted on this node nor compared: devices serve it, or an extender does.
bool is_elsewhere(const Question& question, NodeId node, ResourceId resource) {
  return question.shape.input.ignores(resource) || question.world.claims_supply(question.shape.input, node, resource);
}

// What can be said of the node whatever runs on it.
NodeCause check_size(const Question& question, NodeId node) {
  const World& world = question.world;
  for (const CardRequest& request : question.shape.input.cards) {
    if (request.count == 0 || is_elsewhere(question, node, request.resource)) continue;
    const CardGroup* group = world.card_group(node, request.resource);
    if (group != nullptr && !group->free.empty() && !group->accepts(request) && !mutant("Rule.CardProduct"))
      return NodeCause::kCardProduct;
    if (group == nullptr || !group->large_enough(request)) return NodeCause::kTooLarge;
  }
  for (const ResourceAmount& request : question.shape.input.requests) {
    if (request.amount > world.allocatable(node, request.resource) && !is_elsewhere(question, node, request.resource)) {
      return NodeCause::kTooLarge;
    }
  }
  return NodeCause::kFits;
}

}  // namespace

Verdict check_node_resources(const Question& question, NodeId node) {
  const World& world = question.world;
  const ShapeInput& shape = question.shape.input;
  const NodeCause size = check_size(question, node);
  // One amount that no eviction can supply makes the node hopeless, whatever else is short.
  const bool resolvable = size == NodeCause::kFits;
  const Amount pods = question.emptied ? world.allocatable(node, kPods) : world.free(node, kPods);
  if (pods < 1 && !mutant("Rule.PodSlots")) return {NodeCause::kTooManyPods, resolvable};
  if (!resolvable) return {size, false};
  if (question.emptied) return kPass;
  for (const ResourceAmount& request : shape.requests) {
    if (request.amount > world.free(node, request.resource) && !is_elsewhere(question, node, request.resource)) {
      return {NodeCause::kInsufficient, true};
    }
  }
  for (const CardRequest& request : shape.cards) {
    if (request.count == 0 || is_elsewhere(question, node, request.resource)) continue;
    if (request.total() > world.free(node, request.resource)) return {NodeCause::kInsufficient, true};
  }
  // Only when every sum suffices is the way it is cut into cards the cause.
  for (const CardRequest& request : shape.cards) {
    if (request.count == 0 || is_elsewhere(question, node, request.resource)) continue;
    const CardGroup& group = *world.card_group(node, request.resource);
    if (group.has_room(request)) continue;
    // Of a share by memory nothing else than its cards says whether there is room, and the sum knows whole milli only.
    if (request.milli == 0 || (request.millionths > 0 && !group.enough_in_sum(request)))
      return {NodeCause::kInsufficient, true};
    if (!mutant("Rule.ShareStaysInOneCard")) return {NodeCause::kCardFragmented, true};
  }
  return kPass;
}

}  // namespace berth::engine
