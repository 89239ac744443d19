// A Node in engine terms.
#pragma once

#include "api/core.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

// A node is Ready unless its Ready condition says otherwise; a manifest without conditions is a node that works.
// Amounts are the allocatable ones, or the capacity where a manifest has no allocatable. Each card resource becomes a
// card group with what the labels say of product and memory.
[[nodiscard]] engine::NodeInput node_input(const api::Node& node, engine::Names& names);

}  // namespace berth::dialects::kubernetes
