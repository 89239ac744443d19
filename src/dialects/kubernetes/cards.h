// Which resource names count cards, and what a node's labels say about them.
//
// A card is anything that computes and that a device plugin hands out in whole pieces: a GPU, a MIG slice, a
// time-slicing replica, another vendor's accelerator. One table, so that a new vendor is one line.
// Sources: the device plugins' documented resource names; NVIDIA GPU feature discovery; AMD and Intel node labellers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/core.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

// The resource of the GPU sharing studies: cards are counted in it, and a pod's annotation or request of
// kStudyMilliResource says how much of each card it takes, in thousandths.
inline constexpr std::string_view kStudyCardResource = "alibabacloud.com/gpu-count";
inline constexpr std::string_view kStudyMilliResource = "alibabacloud.com/gpu-milli";
inline constexpr std::string_view kStudyModelLabel = "alibabacloud.com/gpu-card-model";

inline constexpr std::int64_t kMebibyte = 1024LL * 1024;

// Nodes publish hundreds of shares of a card at most; a count above this is a mistake in the input.
inline constexpr std::int64_t kMaxCardsPerNode = 4096;

// True for names whose units are cards: "nvidia.com/gpu", "amd.com/gpu", "nvidia.com/mig-1g.5gb".
[[nodiscard]] bool is_card_resource(std::string_view name);

// What the labels say of the cards that `resource` counts; product is none and memory 0 where they say nothing.
[[nodiscard]] engine::NodeInput::CardGroup card_group(std::string_view resource, const api::StringMap& labels,
                                                      engine::Names& names);

}  // namespace berth::dialects::kubernetes
