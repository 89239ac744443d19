// Amounts as people say them: "8 GPUs", "0.5 GPU", "2.5 CPUs", "64Gi memory", "2 nvidia.com/mig-1g.10gb".
// Engine amounts are exact integers (engine/ids.h); a rounded text is rounded to one decimal, down for what there is
// and up for what is asked, so that a sentence never shows a need as smaller than what it is compared with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/ids.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::report {

enum class Rounding : std::uint8_t { kDown, kUp };

// The number alone: "8", "0.5", "64Gi". Cards are in thousandths.
[[nodiscard]] std::string number_text(const engine::Names& names, engine::ResourceId resource, bool is_card,
                                      engine::Amount amount, Rounding rounding);

// What is counted: "GPUs", "GPU" for one, "CPUs", "memory", "pod slots", otherwise the resource's name.
[[nodiscard]] std::string unit_text(const engine::Names& names, engine::ResourceId resource, bool singular);

// Number and unit.
[[nodiscard]] std::string amount_text(const engine::Names& names, engine::ResourceId resource, bool is_card,
                                      engine::Amount amount, Rounding rounding);

// A share of one card, exactly: "0.5", "0.3333".
[[nodiscard]] std::string share_text(std::int32_t milli, std::int32_t millionths);

// What a pod asks of cards: "2 GPUs", "0.5 GPU", "2000Mi of a GPU", "0.5 of each of 2 GPUs".
[[nodiscard]] std::string cards_text(const engine::Names& names, const engine::CardRequest& request);

// 12884901888 as "12Gi", 1500000 as "1.5Mi" (rounded).
[[nodiscard]] std::string bytes_text(engine::Amount bytes, Rounding rounding);

}  // namespace berth::report
