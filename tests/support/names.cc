// Codes of the engine and of the twin in one vocabulary.
#include "support/compare.h"

namespace berth::support {

std::string full_name(const api::Pod& pod) { return pod.metadata.namespace_ + "/" + pod.metadata.name; }

std::string name_of(reference::ReasonClass reason) {
  switch (reason) {
    case reference::ReasonClass::kFits:
      return "None";
    case reference::ReasonClass::kNotReady:
      return "NotReady";
    case reference::ReasonClass::kNeverFits:
      return "NeverFits";
    case reference::ReasonClass::kBusy:
      return "Busy";
    case reference::ReasonClass::kFragmented:
      return "Fragmented";
    case reference::ReasonClass::kTopologyNoFit:
      return "TopologyNoFit";
    case reference::ReasonClass::kNodeExcluded:
      return "NodeExcluded";
    case reference::ReasonClass::kReserved:
      return "Reserved";
  }
  return "?";
}

std::string name_of(engine::ReasonClass reason) {
  switch (reason) {
    case engine::ReasonClass::kNone:
      return "None";
    case engine::ReasonClass::kNeverFits:
      return "NeverFits";
    case engine::ReasonClass::kBusy:
      return "Busy";
    case engine::ReasonClass::kFragmented:
      return "Fragmented";
    case engine::ReasonClass::kTopologyNoFit:
      return "TopologyNoFit";
    case engine::ReasonClass::kNodeExcluded:
      return "NodeExcluded";
    case engine::ReasonClass::kReserved:
      return "Reserved";
    case engine::ReasonClass::kNotReady:
      return "NotReady";
    case engine::ReasonClass::kGangIncomplete:
    case engine::ReasonClass::kQuotaExceeded:
    case engine::ReasonClass::kQueueDenied:
    case engine::ReasonClass::kNoDevice:
    case engine::ReasonClass::kDeviceBusy:
    case engine::ReasonClass::kSelectorError:
    case engine::ReasonClass::kScaleLimit:
      return "a class that these worlds cannot have";
  }
  return "?";
}

}  // namespace berth::support
