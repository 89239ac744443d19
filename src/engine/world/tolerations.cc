#include "engine/world/tolerations.h"

#include <algorithm>

#include "engine/world/selectors.h"

namespace berth::engine {

TolerationsOfPod::TolerationsOfPod(std::span<const Toleration> tolerations, std::size_t taints) : all_(tolerations) {
  constexpr std::size_t kMany = 64;
  if (tolerations.size() < kMany || taints < kMany) return;
  by_key_.reserve(tolerations.size());
  for (const Toleration& toleration : tolerations) by_key_.push_back(&toleration);
  std::ranges::sort(by_key_, {}, &Toleration::key);
}

bool TolerationsOfPod::help_against(const Taint& taint) const {
  const auto helps = [&taint](const Toleration& toleration) { return tolerates(toleration, taint); };
  if (by_key_.empty()) return std::ranges::any_of(all_, helps);
  const auto of_key = [&](LabelKeyId key) {
    return std::ranges::any_of(std::ranges::equal_range(by_key_, key, {}, &Toleration::key),
                               [&](const Toleration* toleration) { return helps(*toleration); });
  };
  return of_key(taint.key) || of_key(LabelKeyId::none());
}

}  // namespace berth::engine
