// Inventory: the cards of a cluster by product and state, and what of the free ones no pending pod can use, with the
// cause. Cards that device plugins count and those that ResourceSlices publish (sim/plan/device_inventory.h), each
// once. All amounts are thousandths of a card (engine/ids.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/ids.h"
#include "sim/cluster.h"

namespace berth::sim {

struct CardRow {
  std::string resource;  // "nvidia.com/gpu"; of published cards the driver, "gpu.nvidia.com"
  std::string product;   // "NVIDIA-H100-80GB-HBM3", empty where no label or attribute says
  std::int64_t nodes = 0;
  engine::Amount total = 0;
  engine::Amount allocated = 0;
  engine::Amount free = 0;    // total - allocated, per node not below zero
  engine::Amount closed = 0;  // free, but on nodes that are cordoned or not Ready
  bool whole_gpus = false;    // counts GPUs, not slices of them
};

// One row per resource and product, most cards first. O(nodes x cards).
[[nodiscard]] std::vector<CardRow> inventory(const Cluster& cluster);

// Why free cards serve no pending pod. The order is the order of printing.
enum class StrandedCause : std::uint8_t {
  kTooFewTogether,  // fewer on the node than the smallest pending ask
  kOtherResources,  // enough cards, but CPU, memory or another resource is short
  kHeldBack,        // a pending pod fits, and its gang, its queue or what is kept for others holds it back
  kCordoned,
  kNodeNotReady,
  kTainted,
  kNotSelected,  // the pods' selectors, affinity, volumes or claims point elsewhere
  kRule,         // spread, affinity or port rules among pods
  kNobodyAsks,   // no pending pod asks for such a card, or for any published device
};
inline constexpr std::size_t kStrandedCauseCount = 9;

[[nodiscard]] std::string_view name_of(StrandedCause cause);    // "TooFewTogether", for JSON
[[nodiscard]] std::string_view phrase_of(StrandedCause cause);  // "too few on one node"

struct Stranded {
  engine::Amount total = 0;
  engine::Amount by_cause[kStrandedCauseCount] = {};
};

// What is free of whole GPUs after the step and why `pending` cannot use it. Asks the engine about the smallest asks
// first and stops at the nearest cause that there is; O(nodes x distinct asks) at worst.
[[nodiscard]] Stranded stranded(Cluster& cluster, std::span<const engine::PodId> pending);

// True for resources that count whole GPUs.
[[nodiscard]] bool counts_gpus(std::string_view resource);

}  // namespace berth::sim
