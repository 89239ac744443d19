// What a class of reasons promises, asked of changed worlds. This does not use the twin's own classification.
#pragma once

#include <numeric>
#include <string>

#include "engine/reason/reason.h"
#include "reference/reasons.h"

namespace berth::property {

// Empty, or what the class promises and a changed world denies.
inline std::string broken_promise(const reference::Question& question, const engine::Reason& reason) {
  using engine::ReasonClass;
  using reference::Lifted;
  using reference::Occupied;
  const auto fits = [&](Lifted lifted, Occupied occupied, bool rules_among_pods) {
    return reference::fits_somewhere(question, lifted, occupied, rules_among_pods);
  };
  if (fits(Lifted::kNothing, Occupied::kAsNow, true)) return "it fits as things are";
  switch (reason.reason_class) {
    case ReasonClass::kNeverFits:
      if (fits(Lifted::kExclusions, Occupied::kEmptied, false)) return "it fits on the emptied cluster";
      return "";
    case ReasonClass::kBusy:
    case ReasonClass::kFragmented:
      if (!fits(Lifted::kNothing, Occupied::kEmptied, false)) return "it does not fit on the emptied cluster";
      if (fits(Lifted::kExclusions, Occupied::kAsNow, true)) return "an excluded node would take it now";
      if ((reason.reason_class == ReasonClass::kFragmented) != reference::enough_in_sum(question))
        return "the sum says otherwise";
      return "";
    case ReasonClass::kNodeExcluded:
      if (reason.excluded_are_full == fits(Lifted::kExclusions, Occupied::kAsNow, true)) {
        return "it says otherwise of the room on excluded nodes";
      }
      if (reason.excluded_are_full && !fits(Lifted::kExclusions, Occupied::kEmptied, false)) {
        return "it does not fit with cordons and taints lifted, even on the emptied cluster";
      }
      if (reason.excluded_are_full && fits(Lifted::kNothing, Occupied::kEmptied, false)) {
        return "a node that it may use would take it on the emptied cluster";
      }
      if (std::accumulate(reason.would_do_counts.begin(), reason.would_do_counts.end(), std::size_t{0}) !=
          reference::nodes_that_fit(question, Lifted::kExclusions,
                                    reason.excluded_are_full ? Occupied::kEmptied : Occupied::kAsNow,
                                    !reason.excluded_are_full)) {
        return "it counts otherwise which nodes would do";
      }
      return "";
    case ReasonClass::kTopologyNoFit:
      if (!fits(Lifted::kNothing, Occupied::kAsNow, false)) return "it does not fit with spread and affinity lifted";
      return "";
    case ReasonClass::kReserved:
      if (!reference::fits_without_promises(question)) return "it does not fit with promises taken back";
      return "";
    case ReasonClass::kNone:
    case ReasonClass::kNotReady:
    case ReasonClass::kGangIncomplete:
    case ReasonClass::kQuotaExceeded:
    case ReasonClass::kQueueDenied:
    case ReasonClass::kNoDevice:
    case ReasonClass::kDeviceBusy:
    case ReasonClass::kSelectorError:
    case ReasonClass::kScaleLimit:
      return "no such class can be here";
  }
  return "";
}

}  // namespace berth::property
