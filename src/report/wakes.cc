#include "report/wakes.h"

namespace berth::report {
namespace {

using engine::ReasonClass;

// Members that exist and want a node are fewer than what is needed at once.
bool lacks_members(const engine::WorkloadFacts& facts) { return facts.wanting < facts.required; }

std::vector<Wake> by_quota(const engine::Reason& reason) {
  const bool fair_share =
      reason.workload.quota && reason.workload.quota->limit == engine::QuotaBlock::Limit::kFairShare;
  if (fair_share) return {Wake::kNodes, Wake::kQuota, Wake::kFairShare, Wake::kQueue};
  return {Wake::kQuota, Wake::kQueue};
}

}  // namespace

std::vector<Wake> wakes_of(const engine::Reason& reason) {
  switch (reason.reason_class) {
    case ReasonClass::kNone:
      return {};
    case ReasonClass::kNeverFits:
      if (reason.workload.quota && reason.workload.quota->never()) return {Wake::kQueue};
      return {Wake::kNodes};
    case ReasonClass::kBusy:
    case ReasonClass::kFragmented:
      return {Wake::kRoom, Wake::kNodes};
    case ReasonClass::kGangIncomplete:
      if (lacks_members(reason.workload)) return {Wake::kMembers};
      return {Wake::kRoom, Wake::kNodes};
    case ReasonClass::kQuotaExceeded:
      return by_quota(reason);
    case ReasonClass::kQueueDenied:
      return {Wake::kQueue};
    case ReasonClass::kTopologyNoFit:
      // Of a workload it is the domains that are full, of a pod other pods that are, or are not, where it wants to be.
      if (!reason.workload.level.is_none()) return {Wake::kRoom, Wake::kNodes};
      return {Wake::kNodes, Wake::kPods};
    case ReasonClass::kNodeExcluded:
      return {Wake::kNodes};
    case ReasonClass::kNoDevice:
    case ReasonClass::kSelectorError:
      return {Wake::kNodes, Wake::kDevices};
    case ReasonClass::kDeviceBusy:
      return {Wake::kRoom, Wake::kNodes, Wake::kDevices};
    case ReasonClass::kReserved:
      return {Wake::kRoom, Wake::kNodes, Wake::kReservation};
    case ReasonClass::kScaleLimit:
      return {Wake::kRoom, Wake::kNodes};
    case ReasonClass::kNotReady:
      return {Wake::kObject};
  }
  return {};
}

std::string_view name_of(Wake wake) {
  switch (wake) {
    case Wake::kRoom:
      return "Room";
    case Wake::kNodes:
      return "Nodes";
    case Wake::kDevices:
      return "Devices";
    case Wake::kPods:
      return "Pods";
    case Wake::kQuota:
      return "Quota";
    case Wake::kFairShare:
      return "FairShare";
    case Wake::kQueue:
      return "Queue";
    case Wake::kMembers:
      return "Members";
    case Wake::kReservation:
      return "Reservation";
    case Wake::kObject:
      return "Object";
  }
  return "";
}

}  // namespace berth::report
