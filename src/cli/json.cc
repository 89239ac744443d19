#include "cli/json.h"

#include <cstdint>

#include "report/amounts.h"

namespace berth::cli {

void begin_document(text::Writer& writer, std::string_view kind) {
  writer.begin_object();
  writer.member("apiVersion", "berth/v1");
  writer.member("kind", kind);
}

void write_strings(text::Writer& writer, std::string_view key, std::span<const std::string> texts) {
  writer.key(key);
  writer.begin_array();
  for (const std::string& text : texts) writer.string(text);
  writer.end_array();
}

void write_errors(text::Writer& writer, std::string_view key, std::span<const Error> errors) {
  write_objects(writer, key, errors, [&writer](const Error& error) {
    writer.member("message", error.message);
    if (!error.place.file.empty()) writer.member("file", error.place.file);
    if (error.place.document > 0) writer.member("document", std::int64_t{error.place.document});
    if (error.place.line > 0) writer.member("line", std::int64_t{error.place.line});
    if (error.place.column > 0) writer.member("column", std::int64_t{error.place.column});
    if (!error.place.object.empty()) writer.member("object", error.place.object);
    if (!error.place.field.empty()) writer.member("field", error.place.field);
  });
}

void write_sharing(text::Writer& writer, sim::Sharing sharing) {
  if (sharing == sim::Sharing::kNone) return;
  writer.member("sharing", name_of(sharing));
  writer.member("isolation", isolation_of(sharing));
}

void write_card_assignments(text::Writer& writer, std::span<const engine::CardAssignment> assignments,
                            const sim::Cluster& cluster) {
  write_objects(writer, "cards", assignments, [&](const engine::CardAssignment& assignment) {
    writer.member("resource", cluster.names().resources.text(assignment.resource));
    writer.key("share");
    writer.number(report::share_text(assignment.milli, assignment.millionths));
    writer.key("cards");
    writer.begin_array();
    for (const std::uint16_t card : assignment.cards) writer.integer(card);
    writer.end_array();
  });
}

void write_evictions(text::Writer& writer, std::span<const sim::Eviction> evictions) {
  write_objects(writer, "evictions", evictions, [&writer](const sim::Eviction& eviction) {
    writer.member("pod", eviction.pod);
    writer.member("owner", eviction.owner);
    writer.member("node", eviction.node);
    writer.member("beneficiary", eviction.beneficiary);
    if (!eviction.replacement.empty()) writer.member("replacement", eviction.replacement);
    write_broken_budgets(writer, eviction.broken_budgets);
  });
}

void write_broken_budgets(text::Writer& writer, std::span<const sim::BrokenBudget> budgets) {
  if (budgets.empty()) return;
  write_objects(writer, "brokenBudgets", budgets, [&writer](const sim::BrokenBudget& budget) {
    writer.member("budget", budget.name);
    writer.member("allowed", std::int64_t{budget.allowed});
    writer.member("needed", std::int64_t{budget.needed});
  });
}

}  // namespace berth::cli
