#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/json.h"
#include "cli/sim.h"
#include "cli/spread.h"
#include "cli/study_files.h"
#include "sim/mixed/study.h"
#include "text/json_writer.h"
#include "text/progress.h"
#include "text/table.h"

namespace berth::cli {
namespace {

namespace mixed = sim::mixed;

// One way of choosing at one load, over the seeds.
struct MixedLine {
  int percent = 0;
  mixed::Policy policy = mixed::Policy::kBerth;
  Spread pods;                                     // accepted, percent of those that asked
  Spread size;                                     // accepted, percent of the GPU asked for
  Spread free;                                     // percent of all GPU
  Spread useless;                                  // percent of all GPU
  Spread whole;                                    // percent of the cards
  std::array<Spread, mixed::kKinds.size()> kinds;  // as `pods`
};

// Of the optimum, in percent.
struct MixedSmall {
  mixed::Policy policy = mixed::Policy::kBerth;
  Spread in_order;
  Spread largest_first;
};

MixedLine line_of(const mixed::Study& study, int percent, mixed::Policy policy, const std::vector<mixed::Run>& runs) {
  MixedLine line{.percent = percent, .policy = policy};
  for (const mixed::Run& run : runs) {
    mixed::Count asked;
    mixed::Count accepted;
    for (std::size_t k = 0; k < mixed::kKinds.size(); ++k) {
      line.kinds[k].add(run.accepted[k].pods, run.asked[k].pods);
      asked.pods += run.asked[k].pods;
      asked.size += run.asked[k].size;
      accepted.pods += run.accepted[k].pods;
      accepted.size += run.accepted[k].size;
    }
    line.pods.add(accepted.pods, asked.pods);
    line.size.add(accepted.size, asked.size);
    const std::int64_t cards = run.moments * study.load.layout.cards();
    line.free.add(run.free, cards * mixed::kMilli);
    line.useless.add(run.useless, cards * mixed::kMilli * mixed::total_often());
    line.whole.add(run.whole, cards);
  }
  return line;
}

std::vector<MixedLine> lines_of(const mixed::Study& study, const mixed::Results& results) {
  std::vector<MixedLine> lines;
  for (std::size_t i = 0; i < study.percents.size(); ++i) {
    for (std::size_t p = 0; p < mixed::kPolicies.size(); ++p)
      lines.push_back(line_of(study, study.percents[i], mixed::kPolicies[p], results.runs[i][p]));
  }
  return lines;
}

std::vector<MixedSmall> small_of(const mixed::Results& results) {
  std::vector<MixedSmall> small;
  if (results.small.empty()) return small;
  for (std::size_t p = 0; p < mixed::kPolicies.size(); ++p) {
    MixedSmall& one =
        small.emplace_back(MixedSmall{.policy = mixed::kPolicies[p], .in_order = {}, .largest_first = {}});
    for (const mixed::SmallWorld& world : results.small) {
      one.in_order.add(world.in_order[p], world.optimum);
      one.largest_first.add(world.largest_first[p], world.optimum);
    }
  }
  return small;
}

text::Table table_of(const std::vector<std::string_view>& titles, bool with_load) {
  std::vector<text::Column> columns;
  if (with_load) columns.push_back({"LOAD", text::Align::kRight});
  columns.push_back({"CHOICE"});
  for (const std::string_view title : titles) columns.push_back({std::string(title), text::Align::kRight});
  return text::Table(std::move(columns));
}

void print(const mixed::Study& study, const mixed::Results& results, Console& console) {
  const mixed::Layout& layout = study.load.layout;
  const text::TableStyle style{.indent = 2, .color = console.color};
  console.out << fmt::format(
      "Partitions, shares, whole cards and several of them on {} A100 and {} H100 nodes\n"
      "of {} cards; {} pods arrive and leave, {} seeds.\n",
      layout.a100_nodes, layout.h100_nodes, layout.per_node, study.load.arrivals, study.seeds);
  const std::vector<MixedLine> lines = lines_of(study, results);
  text::Table amounts = table_of({"PODS", "GPU", "FREE", "USELESS", "WHOLE"}, true);
  text::Table kinds = table_of({"PARTITIONS", "SHARES", "CARD", "CARDS"}, true);
  for (const MixedLine& line : lines) {
    const std::string load = fmt::format("{} %", line.percent);
    const std::string name(mixed::name_of(line.policy));
    amounts.add_row({load, name, spread_text(line.pods), spread_text(line.size), spread_text(line.free),
                     spread_text(line.useless), spread_text(line.whole)});
    std::vector<text::Cell> row{load, name};
    for (const Spread& kind : line.kinds) row.push_back(spread_text(kind));
    kinds.add_row(std::move(row));
  }
  console.out << "\nAccepted of the pods and of the GPU they ask for; GPU that is free, that is free\n"
                 "and of no use to the next pod; cards that are whole; percent:\n"
              << amounts.render(style) << "\nPods accepted, by what they ask for, percent:\n"
              << kinds.render(style);
  const std::vector<MixedSmall> small = small_of(results);
  if (small.empty()) return;
  text::Table table = table_of({"AS THEY COME", "LARGEST FIRST"}, false);
  for (const MixedSmall& one : small)
    table.add_row({std::string(mixed::name_of(one.policy)), spread_text(one.in_order), spread_text(one.largest_first)});
  console.out << fmt::format(
                     "\nGPU given in percent of the optimum; {} worlds of an A100 and an H100 node with\n"
                     "{} cards each, {} pods that stay:\n",
                     study.small.worlds, study.small.per_node, study.small.pods)
              << table.render(style);
}

// "best fit" is bestFit.
std::string_view key_of(mixed::Policy policy) {
  switch (policy) {
    case mixed::Policy::kUpstream:
      return "upstream";
    case mixed::Policy::kBestMode:
      return "bestMode";
    case mixed::Policy::kBestFit:
      return "bestFit";
    case mixed::Policy::kBerth:
      return "berth";
  }
  return "";
}

void print_json(const mixed::Study& study, const mixed::Results& results, Console& console) {
  std::string out;
  text::JsonWriter writer(out);
  begin_document(writer, "MixedStudy");
  writer.member("a100Nodes", study.load.layout.a100_nodes);
  writer.member("h100Nodes", study.load.layout.h100_nodes);
  writer.member("cardsPerNode", study.load.layout.per_node);
  writer.member("arrivals", study.load.arrivals);
  writer.member("seeds", study.seeds);
  write_objects(writer, "loads", lines_of(study, results), [&](const MixedLine& line) {
    writer.member("percent", line.percent);
    writer.member("choice", key_of(line.policy));
    write_spread(writer, "pods", line.pods);
    write_spread(writer, "gpu", line.size);
    write_spread(writer, "free", line.free);
    write_spread(writer, "useless", line.useless);
    write_spread(writer, "whole", line.whole);
    for (std::size_t k = 0; k < mixed::kKinds.size(); ++k)
      write_spread(writer, mixed::name_of(mixed::kKinds[k]), line.kinds[k]);
  });
  writer.key("optimum");
  writer.begin_object();
  writer.member("worlds", study.small.worlds);
  writer.member("cardsPerNode", study.small.per_node);
  writer.member("pods", study.small.pods);
  write_objects(writer, "choices", small_of(results), [&](const MixedSmall& one) {
    writer.member("choice", key_of(one.policy));
    write_spread(writer, "asTheyCome", one.in_order);
    write_spread(writer, "largestFirst", one.largest_first);
  });
  writer.end_object();
  writer.end_object();
  console.out << out << '\n';
}

}  // namespace

int run_sim_mixed(std::span<const std::string> arguments, Console& console) {
  mixed::Study study;
  std::string output;
  unsigned threads = 0;
  CLI::App app(
      "Pods that want MIG partitions, shares of a card, whole cards and several of them\n"
      "arrive at A100 and H100 nodes, stay and leave. Upstream's choice, upstream's with\n"
      "Berth's devices, best fit and Berth's default see the same pods; measured is what\n"
      "is accepted, what is free and of no use, and how close each comes to the optimum.",
      "berth sim mixed");
  app.add_option("--a100", study.load.layout.a100_nodes, "nodes with A100 cards; 4 if not given")
      ->check(CLI::Range(0, 64))
      ->type_name("NODES");
  app.add_option("--h100", study.load.layout.h100_nodes, "nodes with H100 cards; 4 if not given")
      ->check(CLI::Range(1, 64))
      ->type_name("NODES");
  app.add_option("--cards", study.load.layout.per_node, "cards of a node; 8 if not given")->check(CLI::Range(1, 16));
  app.add_option("--load", study.percents, "GPU asked for at a time, in percent; 90,120 if not given")
      ->delimiter(',')
      ->check(CLI::Range(1, 1000))
      ->type_name("PERCENT");
  app.add_option("--arrivals", study.load.arrivals, "pods that arrive; 2000 if not given")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--seeds", study.seeds, "runs, with seeds from 1; 10 if not given")->check(CLI::Range(1, 1000));
  app.add_option("--small-worlds", study.small.worlds, "worlds compared with the exact optimum; 100 if not given")
      ->check(CLI::Range(0, 10'000));
  app.add_option("--threads", threads, "how much runs at a time; the number of cores if not given")
      ->check(CLI::Range(1, 256));
  app.add_option("-o,--output", output, "the same for programs")->check(CLI::IsMember({"json"}));
  app.footer(
      "Exit codes: 0 done, 1 bad input.\n\n"
      "Example:\n  berth sim mixed --a100 2 --h100 2 --load 100 --arrivals 500 --seeds 3");
  if (const int code = parse(app, arguments, console); code >= 0) return code;

  auto progress = std::make_unique<text::Progress>(stderr, "running the study", mixed::parts(study));
  const mixed::Results results =
      mixed::run_all(study, threads_for(threads), [&](std::size_t done) { progress->update(done); });
  progress.reset();
  output == "json" ? print_json(study, results, console) : print(study, results, console);
  return kDone;
}

}  // namespace berth::cli
