// A plan of moves for people and for programs; see plan_view.h.
#pragma once

#include <string>

#include "sim/cluster.h"
#include "sim/plan/defragmentation.h"
#include "text/color.h"
#include "text/writer.h"

namespace berth::cli {

[[nodiscard]] std::string defragmentation_text(const sim::Defragmentation& moves, text::ColorMode color);
// The member "defragmentation" of the open object.
void write_defragmentation(text::Writer& writer, const sim::Defragmentation& moves, const sim::Cluster& cluster);

}  // namespace berth::cli
