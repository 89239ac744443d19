// The weights by which a problem of mixtures leaves least room beyond what is wanted. See mixtures.h.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/gang/mixtures.h"

namespace berth::engine {

[[nodiscard]] std::int64_t weight_of(const Weights& weights, const std::vector<std::int32_t>& pods);
// Of the state's mixtures the heaviest.
[[nodiscard]] std::int64_t heaviest(const std::vector<Mixture>& state, const Weights& weights);

// A few of them, the tightest first: single items, their number, and those found by raising. O(rounds * mixtures).
[[nodiscard]] std::vector<Weights> telling_weights(const MixtureProblem& problem);

}  // namespace berth::engine
