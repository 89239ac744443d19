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

// "3 GPUs and 2 nvidia.com/mig-1g.10gb".
std::string amounts(const std::vector<sim::CardAmount>& cards) {
  std::vector<std::string> parts;
  for (const sim::CardAmount& each : cards) {
    const std::string unit = !each.whole_gpus ? each.resource : each.amount == engine::kMilliPerCard ? "GPU" : "GPUs";
    parts.push_back(cards_text(each.amount) + ' ' + unit);
  }
  return report::enumerate(parts, parts.size() + 1);
}

// The same in a column: "3", "2 mig-1g.10gb".
std::string short_amounts(const std::vector<sim::CardAmount>& cards) {
  std::string out;
  for (const sim::CardAmount& each : cards) {
    if (!out.empty()) out += ", ";
    out += cards_text(each.amount);
    if (!each.whole_gpus) out += ' ' + each.resource.substr(each.resource.find('/') + 1);
  }
  return out;
}

std::string achieved(const sim::DefragmentationStep& step) {
  if (!step.pod.empty()) return fmt::format("{} fits on {}", step.pod, step.node);
  return fmt::format("{} is free: {}", step.node, amounts(step.node_cards));
}

std::string moves_table(const sim::Defragmentation& moves, text::ColorMode color) {
  text::Table table({{"POD", Align::kLeft, Overflow::kShorten},
                     {"GPUS", Align::kRight},
                     {"FROM", Align::kLeft, Overflow::kShorten},
                     {"TO", Align::kLeft, Overflow::kShorten},
                     {"THEN", Align::kLeft, Overflow::kWrap}});
  for (const sim::DefragmentationStep& step : moves.steps) {
    if (step.moves.empty()) table.add_row({"-", "-", "-", "-", achieved(step)});
    for (const sim::PodMove& move : step.moves) {
      const bool last = &move == &step.moves.back();
      table.add_row({move.pod, short_amounts(move.holds), move.from, move.to, last ? achieved(step) : std::string()});
    }
  }
  return table.render({.indent = 2, .color = color});
}

// Pods that nobody makes again.
std::size_t bare_pods(const sim::Defragmentation& moves) {
  std::size_t bare = 0;
  for (const sim::DefragmentationStep& step : moves.steps) {
    bare += static_cast<std::size_t>(
        std::ranges::count_if(step.moves, [](const sim::PodMove& move) { return move.owner.starts_with("Pod/"); }));
  }
  return bare;
}

}  // namespace

std::string defragmentation_text(const sim::Defragmentation& moves, text::ColorMode color) {
  std::string out =
      fmt::format("\n{} {}", text::paint("Would move:", Color::kBold, color), counted(moves.moves(), "pod"));
  if (moves.moves() > 0) out += fmt::format(", which interrupts {}", amounts(moves.interrupted()));
  out += '\n';
  if (!moves.steps.empty()) out += moves_table(moves, color);
  if (moves.moves() > 0)
    out +=
        report::paragraph("  ", "One after the other: each pod fits on its new node when those before it have moved.");
  if (const std::size_t bare = bare_pods(moves); bare > 0)
    out += report::paragraph("  ", fmt::format("{} of them {} no controller; make {} again on the new node yourself.",
                                               bare, bare == 1 ? "has" : "have", bare == 1 ? "it" : "them"));
  if (!moves.without_room.empty())
    out +=
        report::paragraph("  ", fmt::format("No moves were found for {}.", report::enumerate(moves.without_room, 5)));
  if (!moves.complete)
    out +=
        report::paragraph("  ", fmt::format("The search was cut short after {} questions; there may be more moves, or "
                                            "cheaper ones.",
                                            report::grouped(static_cast<std::uint64_t>(moves.questions))));
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
      write_objects(writer, "holds", move.holds, [&](const sim::CardAmount& each) {
        writer.member("resource", each.resource);
        write_cards(writer, "amount", cluster, each.amount);
      });
    });
  });
  write_strings(writer, "withoutRoom", moves.without_room);
  writer.flag("complete", moves.complete);
  writer.member("questions", moves.questions);
  writer.end_object();
}

}  // namespace berth::cli
