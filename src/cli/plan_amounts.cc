#include "cli/plan_amounts.h"

#include "engine/input.h"
#include "report/amounts.h"
#include "report/layout.h"

namespace berth::cli {

std::string cards_text(engine::Amount amount) {
  const engine::Amount rest = amount % engine::kMilliPerCard;
  std::string out = report::grouped(static_cast<std::uint64_t>(amount / engine::kMilliPerCard));
  if (rest == 0) return out;
  std::string digits = std::to_string(engine::kMilliPerCard + rest).substr(1);
  digits.erase(digits.find_last_not_of('0') + 1);
  return out + '.' + digits;
}

void write_cards(text::Writer& writer, std::string_view key, const sim::Cluster& cluster, engine::Amount amount) {
  writer.key(key);
  writer.number(report::number_text(cluster.names(), engine::kCpu, true, amount, report::Rounding::kDown));
}

}  // namespace berth::cli
