// How the views of a plan write amounts of cards.
#pragma once

#include <string>
#include <string_view>

#include "engine/ids.h"
#include "sim/cluster.h"
#include "text/writer.h"

namespace berth::cli {

// Thousandths as a number of cards: 12500 is "12.5".
[[nodiscard]] std::string cards_text(engine::Amount amount);
// The same as a JSON number, exact.
void write_cards(text::Writer& writer, std::string_view key, const sim::Cluster& cluster, engine::Amount amount);

}  // namespace berth::cli
