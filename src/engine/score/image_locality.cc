#include "engine/score/image_locality.h"

#include <algorithm>

#include "base/mutant.h"

namespace berth::engine {

std::int64_t score_image_locality(const Question& question, NodeId node) {
  constexpr std::int64_t kMebibyte = 1024 * 1024;
  constexpr std::int64_t kLeast = 23 * kMebibyte;
  const auto& images = question.shape.input.images;
  if (images.empty()) return 0;
  const World& world = question.world;
  const auto& present = world.node(node).input.images;
  std::int64_t sum = 0;
  for (const NameId image : images) {
    if (!std::ranges::binary_search(present, image, {}, &ImageState::image)) continue;
    const ImageSpread spread = world.images().spread(image);
    const double share =
        mutant("Rule.ImageSpread") ? 1.0 : static_cast<double>(spread.nodes) / static_cast<double>(world.node_count());
    sum += static_cast<std::int64_t>(static_cast<double>(spread.size_bytes) * share);
  }
  const std::int64_t most = 1000 * kMebibyte * static_cast<std::int64_t>(images.size());
  return 100 * (std::clamp(sum, kLeast, most) - kLeast) / (most - kLeast);
}

}  // namespace berth::engine
