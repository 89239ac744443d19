// Shares of cards as other schedulers' users ask for them, and the nodes that offer them.
//
// KAI (kai.md 1.7, 2.9): annotations gpu-fraction (0 < f < 1, to nine digits, rounded up; KAI counts MiB of the card,
// rounded down) and gpu-memory (MiB, exact) ask for a share of one nvidia.com/gpu, gpu-fraction-num-devices for the
// same of several cards of one node. They count for pods of the scheduler kai-scheduler and for pods with the label
// kai.scheduler/queue or a group of sharers (kai_groups.h).
//
// Volcano vGPU (volcano-grove.md A7): resources volcano.sh/vgpu-number, vgpu-memory (MiB of each),
// vgpu-memory-percentage and vgpu-cores (percent of each). Without memory a vGPU has all of its card's. A node counts
// slots in vgpu-number; its cards and their memory are in the annotation volcano.sh/node-vgpu-register (entries without
// memory are left out), else ten slots are one card and vgpu-memory is their sum. How many shares a card may have is
// not limited. In queues a vGPU counts one of vgpu-number, however large it is, and the memory and cores that it asks
// for.
//
// The studies (cards.h) ask by annotation: alibabacloud.com/gpu-count cards, gpu-milli thousandths of one card (several
// cards are always whole ones), of one of the models in gpu-card-model, which `|` separates. A 0 asks for nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

inline constexpr std::string_view kVolcanoGpuNumber = "volcano.sh/vgpu-number";
inline constexpr std::string_view kVolcanoGpuPrefix = "volcano.sh/vgpu-";
inline constexpr std::string_view kVolcanoRegisterAnnotation = "volcano.sh/node-vgpu-register";

struct CardShare {
  std::optional<engine::CardRequest> request;
  std::vector<engine::ResourceAmount> counted = {};  // what it counts in queues, where that is not what it takes
  std::string problem;                               // what it asks has no meaning; then there is no request
};

// What the pod asks for in one of these ways; neither if it does not.
[[nodiscard]] CardShare kai_share(const api::Pod& pod, engine::Names& names);
[[nodiscard]] CardShare volcano_share(const api::Pod& pod, engine::Names& names);
[[nodiscard]] CardShare study_share(const api::Pod& pod, engine::Names& names);

// The cards behind a node's vGPU slots; none if it offers no slots.
struct VolcanoCards {
  std::int64_t count = 0;
  std::int64_t memory_bytes = 0;  // of each, the smallest; 0: not known
  // Entries of the annotation that name no memory, so that they are no cards.
  std::vector<std::string> unreadable = {};
  // In queues: slots, and memory and cores where they are known. Ascending.
  std::vector<engine::ResourceAmount> counted = {};
};
[[nodiscard]] std::optional<VolcanoCards> volcano_cards(const api::Node& node, engine::Names& names);

}  // namespace berth::dialects::kubernetes
