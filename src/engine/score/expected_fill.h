// How much of a node's free GPU would stay unused if only the expected workload came to it.
//
// Fixed streams of pods of the target workload are fed into the node alone, first come first served, each share to the
// tightest card that suffices; what is left free, summed over the streams, is the answer. Pods without GPU are in the
// streams and take their CPU. The pods that come at one time to all streams are dealt in the shapes' proportions, so
// that together the streams are the workload, at every length, and not a sample of it.
//
// A card counts by hundredths, free room rounded down and shares up, so that a lane of a vector is a byte; of a node
// with more than 255 cards the fullest are left out.
//
// A stream has 30 pods: several times what fits, since a node that is nearly full still sees many pods pass.
// Derivation: docs/berth-policy.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/score/fragmentation.h"

namespace berth::engine {

class ExpectedFill {
 public:
  static constexpr std::size_t kStreams = 32;
  static constexpr std::size_t kLength = 30;  // pods of a stream

  explicit ExpectedFill(const TargetWorkload& target);

  // Milli-GPU that stay free, summed over the streams, in steps of ten. O(pods of a stream * free cards) steps over all
  // streams at once.
  [[nodiscard]] std::int64_t unfilled(Amount free_cpu, std::span<const std::int32_t> card_free,
                                      ProductId product) const;

 private:
  // The pods that come at one time, one per stream. What a product cannot take asks for more CPU than there is.
  struct Wave {
    std::array<std::int32_t, kStreams> cpu;  // milli
    std::array<std::uint8_t, kStreams> count;
    std::array<std::uint8_t, kStreams> cells;  // per card
  };
  using Waves = std::vector<Wave>;
  // The streams as a node with cards of one product sees them.
  struct ProductStreams {
    ProductId product;
    Waves waves;
  };
  [[nodiscard]] static ProductStreams streams_for(const TargetWorkload& target, ProductId product);

  bool wide_;                               // the processor has wide vectors
  std::vector<ProductStreams> by_product_;  // of every product that some shape names, ascending
  ProductStreams any_other_product_;
};

}  // namespace berth::engine
