// What the places for each shape of the target workload are worth, given how many the cluster has left.
//
// A shape's places on a node are the pods of it that would fit there alone. All free GPU of the cluster is given to the
// shapes by what they ask for (popularity times GPU), and a shape's part is spread over its places: where few nodes can
// take a shape, each of its places is worth much. The worth of a node is the sum over the shapes of places times worth.
//
// Worths depend on the whole cluster and are weighed anew from time to time; places depend on the node alone.
// Derivation: docs/berth-policy.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/score/fragmentation.h"
#include "engine/score/placement_policy.h"

namespace berth::engine {

class Scarcity {
 public:
  // The target must outlive this. Nothing is worth anything before the first weigh().
  explicit Scarcity(const TargetWorkload& target);

  // Appends the node's places, one number per shape of the target. `card_free` in any order. O(shapes * cards).
  void append_places(Amount free_cpu, std::span<const std::int32_t> card_free, ProductId product,
                     std::vector<std::uint16_t>& places) const;

  // Sets the worths from the free room of all nodes; one worth is at most all free GPU of the cluster.
  void weigh(std::span<const NodeView> nodes);

  // In 1 / unit of a milli-GPU.
  static constexpr std::int64_t kUnit = 1024;
  [[nodiscard]] std::int64_t worth(std::span<const std::uint16_t> places) const;

 private:
  const TargetWorkload& target_;
  std::vector<std::int64_t> worth_;  // of one place, by shape
};

}  // namespace berth::engine
