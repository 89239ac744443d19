// ImageLocality: nodes that hold the pod's images already, large and widespread images counting more.
#include <algorithm>

#include "reference/scores.h"

namespace berth::reference {
namespace {

constexpr std::int64_t kMi = 1024 * 1024;

std::string with_tag(const std::string& image) {
  const std::size_t colon = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  const bool tagged = colon != std::string::npos && (slash == std::string::npos || colon > slash);
  return tagged ? image : image + ":latest";
}

const api::ContainerImage* find_image(const api::Node& node, const std::string& name) {
  for (const auto& image : node.images) {
    if (std::ranges::find(image.names, name) != image.names.end()) return &image;
  }
  return nullptr;
}

// The size that the first node by name with this image tells, less where few nodes have it.
std::int64_t worth(const Snapshot& snapshot, const std::string& name) {
  const api::ContainerImage* first = nullptr;
  std::string_view first_name;
  std::int64_t having = 0;
  for (const NodeState& state : snapshot.nodes) {
    const auto* image = find_image(*state.node, name);
    if (image == nullptr) continue;
    if (first == nullptr || state.node->metadata.name < first_name) {
      first = image;
      first_name = state.node->metadata.name;
    }
    ++having;
  }
  if (first == nullptr) return 0;
  const double spread = static_cast<double>(having) / static_cast<double>(snapshot.nodes.size());
  return static_cast<std::int64_t>(static_cast<double>(first->size_bytes) * spread);
}

}  // namespace

ScoreColumn score_image_locality(const Question& question, const std::vector<std::size_t>& feasible) {
  std::vector<std::string> images;
  for (const auto& container : question.pod.spec.init_containers) images.push_back(with_tag(container.image));
  for (const auto& container : question.pod.spec.containers) images.push_back(with_tag(container.image));
  for (const auto& volume : question.pod.spec.volumes) {
    if (!volume.image.empty()) images.push_back(with_tag(volume.image));
  }
  const std::int64_t least = 23 * kMi;
  const std::int64_t most = 1000 * kMi * static_cast<std::int64_t>(images.size());
  ScoreColumn column;
  for (const std::size_t node : feasible) {
    std::int64_t sum = 0;
    for (const std::string& image : images) {
      if (find_image(*question.snapshot.nodes[node].node, image) != nullptr) sum += worth(question.snapshot, image);
    }
    // In this order, so that a pod without images has the least.
    sum = sum < least ? least : std::min(sum, most);
    column.raw.push_back(100 * (sum - least) / (most - least));
  }
  column.normalized = column.raw;
  return column;
}

}  // namespace berth::reference
