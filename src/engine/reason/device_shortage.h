// The part of a reason that is about claims: do devices decide, and which?
//
// Devices decide where a node would do if the pod's claims could be satisfied: as things are, or, if there is no such
// node, on the emptied cluster. DeviceBusy: on one of these nodes the devices are there, in use. NoDevice: no node has
// them. SelectorError: as NoDevice, but every node that has devices could not be judged, since a selector failed.
#pragma once

#include "engine/fit/question.h"
#include "engine/reason/reason.h"

namespace berth::engine {

// kNone: devices are not the cause. O(nodes).
[[nodiscard]] ReasonClass classify_devices(const Question& question);

// The extended resource of cards that the pod asks for, that no node offers by count and no class serves, although some
// node has such cards as devices; none if there is no such thing. O(nodes x devices of a node).
[[nodiscard]] ResourceId unserved_resource(const Question& question);

// Fills Reason::device_shortage for a reason whose class is one of the three. O(nodes x devices of a node).
void describe_device_shortage(const Question& question, Reason& reason);

}  // namespace berth::engine
