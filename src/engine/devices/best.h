// Best mode: of the legal allocations one that leaves the most valuable rest.
//
// Alternatives of firstAvailable are a ranking by the user: the first one with which everything fits is taken, as
// upstream does. Which devices is decided for all claims together by a complete search (completion.h) that tries them
// in the order of preference.h. Where upstream aborts the pod because of one device or one node, best mode goes on:
// - a selector that fails on a device, or an amount that cannot be rounded, disqualifies the device (Answer::faults);
// - All meets a pool that is unfinished or broken: no for this node, and only if the pool may have such devices;
// - a member of All that violates a constraint: no for this node.
#pragma once

#include "engine/devices/allocator.h"

namespace berth::engine::devices {

[[nodiscard]] Answer allocate_best(const Question& question);

}  // namespace berth::engine::devices
