#include "cli/defragmentation_view.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/json.h"
#include "cli/plan_amounts.h"
#include "report/layout.h"
#include "text/table.h"

namespace berth::cli {
namespace {

using report::counted;
using text::Align;
using text::Color;
using text::Overflow;

std::string gpus(engine::Amount milli) {
  return cards_text(milli) + (milli == engine::kMilliPerCard ? " GPU" : " GPUs");
}

std::string achieved(const sim::DefragmentationStep& step) {
  if (step.pod.empty()) return fmt::format("{} is free: {}", step.node, gpus(step.node_cards));
  return fmt::format("{} fits on {}", step.pod, step.node);
}

}  // namespace

std::string defragmentation_text(const sim::Defragmentation& moves, text::ColorMode color) {
  std::string out =
      fmt::format("\n{} {}", text::paint("Would move:", Color::kBold, color), counted(moves.moves(), "pod"));
  if (moves.moves() > 0) out += fmt::format(", which interrupts {}", gpus(moves.moved_cards()));
  out += '\n';
  text::Table table({{"POD", Align::kLeft, Overflow::kShorten},
                     {"GPUS", Align::kRight},
                     {"FROM", Align::kLeft, Overflow::kShorten},
                     {"TO", Align::kLeft, Overflow::kShorten},
                     {"THEN", Align::kLeft, Overflow::kWrap}});
  std::size_t bare = 0;
  for (const sim::DefragmentationStep& step : moves.steps) {
    if (step.moves.empty()) table.add_row({"-", "-", "-", "-", achieved(step)});
    for (const sim::PodMove& move : step.moves) {
      const bool last = &move == &step.moves.back();
      table.add_row({move.pod, cards_text(move.cards), move.from, move.to, last ? achieved(step) : std::string()});
      if (move.owner.starts_with("Pod/")) ++bare;
    }
  }
  out += table.render({.indent = 2, .color = color});
  if (moves.moves() > 0)
    out +=
        report::paragraph("  ", "One after the other: each pod fits on its new node when those before it have moved.");
  if (bare > 0)
    out += report::paragraph("  ", fmt::format("{} of them {} no controller; make {} again on the new node yourself.",
                                               bare, bare == 1 ? "has" : "have", bare == 1 ? "it" : "them"));
  if (!moves.without_room.empty())
    out +=
        report::paragraph("  ", fmt::format("No moves were found for {}.", report::enumerate(moves.without_room, 5)));
  return out;
}

void write_defragmentation(text::Writer& writer, const sim::Defragmentation& moves, const sim::Cluster& cluster) {
  writer.key("defragmentation");
  writer.begin_object();
  writer.member("moves", static_cast<std::int64_t>(moves.moves()));
  write_cards(writer, "movedCards", cluster, moves.moved_cards());
  write_objects(writer, "steps", moves.steps, [&](const sim::DefragmentationStep& step) {
    if (!step.pod.empty()) writer.member("pod", step.pod);
    writer.member("node", step.node);
    write_objects(writer, "moves", step.moves, [&](const sim::PodMove& move) {
      writer.member("pod", move.pod);
      writer.member("owner", move.owner);
      writer.member("from", move.from);
      writer.member("to", move.to);
      write_cards(writer, "cards", cluster, move.cards);
    });
  });
  write_strings(writer, "withoutRoom", moves.without_room);
  writer.end_object();
}

}  // namespace berth::cli
