// The tolerations of a pod, asked about one taint after the other. A node may have very many taints and a pod very many
// tolerations; then each taint meets those of its own key and those of every key, and not all of them.
//
// Source: core/v1 Toleration.ToleratesTaint; which toleration helps does not matter, so their order does not either.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/input.h"

namespace berth::engine {

class TolerationsOfPod {
 public:
  // Borrows the tolerations. `taints`: about so many questions follow. O(1), or O(n log n) where both are many.
  TolerationsOfPod(std::span<const Toleration> tolerations, std::size_t taints);

  // Does one of them tolerate the taint? O(n); where both are many O(log n + those of its key and of every key).
  [[nodiscard]] bool help_against(const Taint& taint) const;

 private:
  std::span<const Toleration> all_;
  std::vector<const Toleration*> by_key_;  // empty: they are few
};

}  // namespace berth::engine
