// The ways of choosing that the study compares. All see the same asks in the same order.
// - upstream: kube-scheduler's default scores and its device allocator (strict mode), equal scores broken at random;
// - best mode: the same scores, devices as Berth chooses them on the node;
// - best fit: the card with the least left over, the first start, nothing of the engine;
// - berth: Berth's default profile, node scores and best mode.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "sim/mixed/cards.h"

namespace berth::sim::mixed {

enum class Policy : std::uint8_t { kUpstream, kBestMode, kBestFit, kBerth };
inline constexpr std::array kPolicies = {Policy::kUpstream, Policy::kBestMode, Policy::kBestFit, Policy::kBerth};
[[nodiscard]] std::string_view name_of(Policy policy);

class Chooser {
 public:
  Chooser() = default;
  Chooser(const Chooser&) = delete;
  Chooser& operator=(const Chooser&) = delete;
  virtual ~Chooser() = default;

  // Where the pod of this number goes; none: it fits nowhere and is dropped. Numbers ascend. `cards` are as they stand.
  [[nodiscard]] virtual std::optional<Placement> place(int pod, std::size_t ask, const Cards& cards) = 0;
  // A pod that was placed has left.
  virtual void leave(int pod) = 0;
};

// Independent of all others, so each may have a thread of its own. `seed`: of how equal scores are broken.
[[nodiscard]] std::unique_ptr<Chooser> make_chooser(Policy policy, const Layout& layout, std::uint64_t seed);

}  // namespace berth::sim::mixed
