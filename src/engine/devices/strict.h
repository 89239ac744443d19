// Strict mode: the answer of upstream's structured allocator (k8s.io/dynamic-resource-allocation v0.37, package
// structured; its variant `incubating`, and `experimental` for list attributes).
//
// Depth-first, first solution: claims in pod order, requests in claim order, devices in the order of NodeDevices.
// Within one request the next device is looked for after the previous one, so sets and not sequences are tried.
// firstAvailable: the first alternative with which all the rest succeeds. More than 32 results in a claim unwind
// without trying the siblings of the devices chosen so far, because their number would be the same.
#pragma once

#include "engine/devices/allocator.h"

namespace berth::engine::devices {

[[nodiscard]] Answer allocate_strict(const Question& question);

}  // namespace berth::engine::devices
