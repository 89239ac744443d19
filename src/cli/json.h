// Parts that the JSON outputs of all commands share; see docs/output.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/decision.h"
#include "sim/cluster.h"
#include "sim/plan/outcome.h"
#include "sim/plan/sharing.h"
#include "text/writer.h"

namespace berth::cli {

// Opens the object and writes apiVersion and kind.
void begin_document(text::Writer& writer, std::string_view kind);
// An array with an object for each item; `write` writes its members.
template <class Items, class Write>
void write_objects(text::Writer& writer, std::string_view key, const Items& items, Write write) {
  writer.key(key);
  writer.begin_array();
  for (const auto& item : items) {
    writer.begin_object();
    write(item);
    writer.end_object();
  }
  writer.end_array();
}
void write_strings(text::Writer& writer, std::string_view key, std::span<const std::string> texts);
// Each with message, file, document, line, object and field as far as they are known.
void write_errors(text::Writer& writer, std::string_view key, std::span<const Error> errors);

// `sharing` and `isolation`; nothing of what has no card.
void write_sharing(text::Writer& writer, sim::Sharing sharing);
// `cards`: each with its resource, the share of each card, and the cards' positions.
void write_card_assignments(text::Writer& writer, std::span<const engine::CardAssignment> assignments,
                            const sim::Cluster& cluster);
// `evictions`.
void write_evictions(text::Writer& writer, std::span<const sim::Eviction> evictions);
// Only where there are any: `brokenBudgets`.
void write_broken_budgets(text::Writer& writer, std::span<const sim::BrokenBudget> budgets);

}  // namespace berth::cli
