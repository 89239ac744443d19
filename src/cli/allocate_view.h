// An answer of `berth allocate` for people (80 columns), for programs (JSON, docs/output.md) and as objects (YAML).
#pragma once

#include <string>

#include "cli/input.h"
#include "engine/devices/allocator.h"
#include "sim/allocate/allocate.h"
#include "text/color.h"

namespace berth::cli {

[[nodiscard]] std::string_view name_of(engine::devices::Mode mode);

[[nodiscard]] std::string allocate_text(const sim::AllocationAnswer& answer, const Input& input,
                                        engine::devices::Mode mode, text::ColorMode color);
// The kind "Allocation" of berth/v1, with a final newline.
[[nodiscard]] std::string allocate_json(const sim::AllocationAnswer& answer, const Input& input,
                                        engine::devices::Mode mode);
// The claims with the status they get, as documents that can be read again; empty if there are none.
[[nodiscard]] std::string allocate_yaml(const sim::AllocationAnswer& answer);

}  // namespace berth::cli
