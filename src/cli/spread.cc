#include "cli/spread.h"

#include <fmt/format.h>

namespace berth::cli {

std::string spread_text(const Spread& value) { return fmt::format("{:.1f} ± {:.1f}", value.mean(), value.deviation()); }

void write_spread(text::Writer& writer, std::string_view key, const Spread& value) {
  writer.key(key);
  writer.begin_object();
  writer.key("mean");
  writer.number(fmt::format("{:.4f}", value.mean()));
  writer.key("deviation");
  writer.number(fmt::format("{:.4f}", value.deviation()));
  writer.end_object();
}

}  // namespace berth::cli
