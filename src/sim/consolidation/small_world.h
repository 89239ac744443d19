// A small world for the study of consolidation: nodes with cards and CPU, and pods on them that ask for whole cards or
// for a share of one, some of which may not move. Plain books, so that what the engine plans can be checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/input.h"

namespace berth::sim::consolidation {

struct SmallNode {
  std::int64_t cpu = 0;            // free, in thousandths
  std::vector<std::int32_t> free;  // thousandths per card
  bool operator==(const SmallNode&) const = default;
};

struct SmallPod {
  std::int64_t cpu = 0;
  std::int32_t cards = 0;
  std::int32_t milli = engine::kMilliPerCard;  // of each card
  bool movable = true;
  std::size_t node = 0;
  std::vector<std::size_t> on = {};  // its cards there
};

struct SmallWorld {
  std::vector<SmallNode> nodes;
  std::vector<SmallPod> pods;

  [[nodiscard]] bool fits(const SmallPod& pod, std::size_t node) const;
  // A share takes the tightest card that suffices, whole cards the first free ones: as a node's device plugin is told.
  void put(SmallPod& pod, std::size_t node);
  void take(const SmallPod& pod);
  [[nodiscard]] std::int64_t free_nodes() const;  // with all cards free
};

struct WorldSize {
  std::int64_t least_nodes = 3;
  std::int64_t most_nodes = 5;
  std::int64_t least_pods = 4;
  std::int64_t most_pods = 10;  // that are drawn; who does not fit where it was drawn to is left out
};

// Deterministic.
[[nodiscard]] SmallWorld draw_world(const WorldSize& size, std::uint64_t seed);

}  // namespace berth::sim::consolidation
