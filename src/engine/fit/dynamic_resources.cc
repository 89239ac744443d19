#include "engine/fit/dynamic_resources.h"

#include "engine/devices/holdings.h"

namespace berth::engine {

bool has_devices(const Question& question, NodeId node) {
  const std::vector<ClaimUse>& claims = question.shape.input.claims;
  if (claims.empty() || question.without_devices) return true;
  return question.world.holdings().fits(claims, node, question.world.node(node).input, question.emptied);
}

Verdict check_dynamic_resources(const Question& question, NodeId node) {
  if (has_devices(question, node)) return kPass;
  const World& world = question.world;
  switch (world.holdings().cause(question.shape.input.claims, node, world.node(node).input, question.emptied)) {
    case devices::DeviceCause::kFits:
      return kPass;
    case devices::DeviceCause::kElsewhere:
      return {NodeCause::kClaimElsewhere, false};
    case devices::DeviceCause::kNoDevice:
      return {NodeCause::kNoDevice, false};
    case devices::DeviceCause::kBusy:
      return {NodeCause::kDeviceBusy, true};
    case devices::DeviceCause::kSelectorError:
      return {NodeCause::kDeviceSelector, false};
    case devices::DeviceCause::kPool:
      return {NodeCause::kDevicePool, false};
    case devices::DeviceCause::kInvalidClaim:
      return {NodeCause::kInvalidClaim, false};
    case devices::DeviceCause::kUndecided:
      return {NodeCause::kDeviceSearch, true};
  }
  return kPass;
}

}  // namespace berth::engine
