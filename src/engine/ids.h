// The engine's dense ids. Strings stay outside: a dialect interns them on the way in, a report looks them up on the way
// out.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace berth::engine {

using NodeId = Id<struct NodeTag>;          // a slot in the world's node arrays; reused after removal
using PodId = Id<struct PodTag>;            // a slot in the world's pod arrays; reused after removal
using ShapeId = Id<struct ShapeTag>;        // all that scheduling can see of a pod template
using ResourceId = Id<struct ResourceTag>;  // "cpu", "memory", "nvidia.com/gpu"
using LabelKeyId = Id<struct LabelKeyTag>;  // also taint keys and topology keys
using LabelValueId = Id<struct LabelValueTag>;
using NamespaceId = Id<struct NamespaceTag>;
using NameId = Id<struct NameTag>;            // names of pods and nodes, images, host addresses, claims, devices
using ProductId = Id<struct ProductTag>;      // a GPU product: "NVIDIA-H100-80GB-HBM3"
using ProfileId = Id<struct ProfileTag>;      // a scheduler profile of the configuration
using ClaimSpecId = Id<struct ClaimSpecTag>;  // what a ResourceClaim asks for
using WorkloadId = Id<struct WorkloadTag>;    // a slot in the table of workloads; reused after removal
using QueueId = Id<struct QueueTag>;          // a slot in the queue tree; reused after removal

// Seconds since 1970. The engine never reads a clock: time arrives with the events.
using Time = std::int64_t;

// Amounts of a resource in its exact unit: CPU in thousandths of a core, memory and storage in bytes, cards (see
// cards.h) in thousandths of a card, everything else in whole units.
using Amount = std::int64_t;

}  // namespace berth::engine
