#include "report/reasons.h"

namespace berth::report {

using engine::NodeCause;
using engine::ReasonClass;

namespace {

constexpr std::string_view cause_name(NodeCause cause) {
  switch (cause) {
    case NodeCause::kFits:
      return "Fits";
    case NodeCause::kNotReady:
      return "NodeNotReady";
    case NodeCause::kUnschedulable:
      return "NodeUnschedulable";
    case NodeCause::kNodeName:
      return "NodeName";
    case NodeCause::kTaint:
      return "Taint";
    case NodeCause::kNodeAffinity:
      return "NodeAffinity";
    case NodeCause::kHostPort:
      return "HostPort";
    case NodeCause::kTooLarge:
      return "TooLarge";
    case NodeCause::kInsufficient:
      return "Insufficient";
    case NodeCause::kTooManyPods:
      return "TooManyPods";
    case NodeCause::kCardProduct:
      return "CardProduct";
    case NodeCause::kCardFragmented:
      return "CardFragmented";
    case NodeCause::kVolumeRestriction:
      return "VolumeRestriction";
    case NodeCause::kVolumeBinding:
      return "VolumeBinding";
    case NodeCause::kFeature:
      return "NodeDeclaredFeatures";
    case NodeCause::kTopologySpread:
      return "TopologySpread";
    case NodeCause::kPodAffinity:
      return "PodAffinity";
    case NodeCause::kPodAntiAffinity:
      return "PodAntiAffinity";
    case NodeCause::kExistingAntiAffinity:
      return "ExistingAntiAffinity";
    case NodeCause::kClaimElsewhere:
      return "ClaimElsewhere";
    case NodeCause::kNoDevice:
      return "NoDevice";
    case NodeCause::kDeviceBusy:
      return "DeviceBusy";
    case NodeCause::kDeviceSelector:
      return "DeviceSelector";
    case NodeCause::kDevicePool:
      return "DevicePool";
    case NodeCause::kInvalidClaim:
      return "InvalidClaim";
    case NodeCause::kDeviceSearch:
      return "DeviceSearch";
    case NodeCause::kReserved:
      return "Reserved";
  }
  return "";
}

// Records have an array of so many; a cause that is not counted would be written behind its end.
static_assert(!cause_name(static_cast<NodeCause>(engine::kNodeCauseCount - 1)).empty() &&
                  cause_name(static_cast<NodeCause>(engine::kNodeCauseCount)).empty(),
              "kNodeCauseCount (engine/reason/reason.h) is the number of causes");

}  // namespace

std::string_view name_of(ReasonClass reason_class) {
  switch (reason_class) {
    case ReasonClass::kNone:
      return "Runs";
    case ReasonClass::kNeverFits:
      return "NeverFits";
    case ReasonClass::kBusy:
      return "Busy";
    case ReasonClass::kFragmented:
      return "Fragmented";
    case ReasonClass::kGangIncomplete:
      return "GangIncomplete";
    case ReasonClass::kQuotaExceeded:
      return "QuotaExceeded";
    case ReasonClass::kQueueDenied:
      return "QueueDenied";
    case ReasonClass::kTopologyNoFit:
      return "TopologyNoFit";
    case ReasonClass::kNodeExcluded:
      return "NodeExcluded";
    case ReasonClass::kNoDevice:
      return "NoDevice";
    case ReasonClass::kDeviceBusy:
      return "DeviceBusy";
    case ReasonClass::kSelectorError:
      return "SelectorError";
    case ReasonClass::kReserved:
      return "Reserved";
    case ReasonClass::kScaleLimit:
      return "ScaleLimit";
    case ReasonClass::kNotReady:
      return "NotReady";
  }
  return "";
}

std::vector<std::string> reason_class_names() {
  std::vector<std::string> names;
  for (int i = static_cast<int>(ReasonClass::kNone) + 1; i <= static_cast<int>(ReasonClass::kNotReady); ++i)
    names.emplace_back(name_of(static_cast<ReasonClass>(i)));
  return names;
}

std::string_view name_of(NodeCause cause) { return cause_name(cause); }

std::string_view phrase_of(NodeCause cause) {
  switch (cause) {
    case NodeCause::kFits:
      return "would take it";
    case NodeCause::kNotReady:
      return "not Ready";
    case NodeCause::kUnschedulable:
      return "cordoned";
    case NodeCause::kNodeName:
      return "not the node it names";
    case NodeCause::kTaint:
      return "tainted";
    case NodeCause::kNodeAffinity:
      return "not selected";
    case NodeCause::kHostPort:
      return "host port in use";
    case NodeCause::kTooLarge:
      return "too small even when empty";
    case NodeCause::kInsufficient:
      return "too little free";
    case NodeCause::kTooManyPods:
      return "no pod slot free";
    case NodeCause::kCardProduct:
      return "other GPU product";
    case NodeCause::kCardFragmented:
      return "free GPU share in pieces";
    case NodeCause::kVolumeRestriction:
      return "volume in use";
    case NodeCause::kVolumeBinding:
      return "volume out of reach";
    case NodeCause::kFeature:
      return "without a feature it needs";
    case NodeCause::kTopologySpread:
      return "would break the spread";
    case NodeCause::kPodAffinity:
      return "not near the pods it follows";
    case NodeCause::kPodAntiAffinity:
      return "has a pod it avoids";
    case NodeCause::kExistingAntiAffinity:
      return "has a pod that avoids it";
    case NodeCause::kClaimElsewhere:
      return "its claim's devices are elsewhere";
    case NodeCause::kNoDevice:
      return "without such devices";
    case NodeCause::kDeviceBusy:
      return "with such devices in use";
    case NodeCause::kDeviceSelector:
      return "with devices that a selector fails on";
    case NodeCause::kDevicePool:
      return "with a device pool that is incomplete or contradictory";
    case NodeCause::kInvalidClaim:
      return "no node can meet its claim";
    case NodeCause::kDeviceSearch:
      return "where the search for devices gave up";
    case NodeCause::kReserved:
      return "room promised to other pods";
  }
  return "";
}

}  // namespace berth::report
