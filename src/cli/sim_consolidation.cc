#include <array>
#include <cstdio>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/json.h"
#include "cli/seed_range.h"
#include "cli/sim.h"
#include "cli/spread.h"
#include "sim/consolidation/study.h"
#include "text/json_writer.h"
#include "text/progress.h"
#include "text/table.h"

namespace berth::cli {
namespace {

namespace consolidation = sim::consolidation;

struct ConsolidationStudyOptions {
  int worlds = 100;
  std::string seeds = "1-10";
  std::vector<int> moves = {1, 2, 3};
  std::string output;
};

struct MovesWay {
  std::string_view name;  // in the table
  std::string_view key;   // for programs
  consolidation::Opened (*opened)(const consolidation::Run&);
};
constexpr std::array kMovesWays = {
    MovesWay{"do nothing", "nothing", [](const consolidation::Run&) { return consolidation::Opened{}; }},
    MovesWay{"Berth", "berth", [](const consolidation::Run& run) { return run.berth; }},
    MovesWay{"exact search", "exact", [](const consolidation::Run& run) { return run.exact; }},
};

// Of one limit of moves, over the seeds.
struct MovesLine {
  Spread free;    // percent of the nodes that have all cards free then
  Spread opened;  // nodes
  Spread moves;
  Spread share;  // percent of what the exact search opens
};

MovesLine line_of(const std::vector<consolidation::Run>& runs, int most_moves, const MovesWay& way) {
  MovesLine line;
  for (const consolidation::Run& run : runs) {
    if (run.most_moves != most_moves) continue;
    const consolidation::Opened opened = way.opened(run);
    line.free.add(run.free_before + opened.nodes, run.nodes);
    line.opened.add(static_cast<double>(opened.nodes));
    line.moves.add(static_cast<double>(opened.moves));
    line.share.add(opened.nodes, run.exact.nodes);
  }
  return line;
}

void print_moves(const ConsolidationStudyOptions& options, const consolidation::Study& study,
                 const std::vector<consolidation::Run>& runs, Console& console) {
  console.out << fmt::format(
      "Moves of running pods that open whole nodes; {} worlds of {} to {} nodes a seed,\n{} seeds. Free: nodes with "
      "all "
      "cards free, percent. Share: of what the exact\nsearch opens with as many moves allowed, percent.\n\n",
      study.worlds, study.size.least_nodes, study.size.most_nodes, study.seeds.size());
  const auto right = text::Align::kRight;
  text::Table table(
      {{"AT MOST", right}, {"WAY"}, {"FREE", right}, {"OPENED", right}, {"MOVES", right}, {"SHARE", right}});
  for (const int most_moves : options.moves) {
    for (const MovesWay& way : kMovesWays) {
      const MovesLine line = line_of(runs, most_moves, way);
      table.add_row({std::to_string(most_moves), std::string(way.name), spread_text(line.free),
                     spread_text(line.opened), spread_text(line.moves), spread_text(line.share)});
    }
  }
  console.out << table.render({.indent = 2, .color = console.color});
}

void print_moves_csv(const std::vector<consolidation::Run>& runs, Console& console) {
  console.out << "most_moves,seed,way,nodes,free_before,opened,moves\n";
  for (const consolidation::Run& run : runs) {
    for (const MovesWay& way : kMovesWays) {
      const consolidation::Opened opened = way.opened(run);
      console.out << fmt::format("{},{},{},{},{},{},{}\n", run.most_moves, run.seed, way.key, run.nodes,
                                 run.free_before, opened.nodes, opened.moves);
    }
  }
}

void print_moves_json(const ConsolidationStudyOptions& options, const consolidation::Study& study,
                      const std::vector<consolidation::Run>& runs, Console& console) {
  std::string out;
  text::JsonWriter writer(out);
  begin_document(writer, "ConsolidationStudy");
  writer.member("worlds", static_cast<std::int64_t>(study.worlds));
  writer.member("seeds", static_cast<std::int64_t>(study.seeds.size()));
  write_objects(writer, "limits", options.moves, [&](int most_moves) {
    writer.member("mostMoves", static_cast<std::int64_t>(most_moves));
    write_objects(writer, "ways", kMovesWays, [&](const MovesWay& way) {
      const MovesLine line = line_of(runs, most_moves, way);
      writer.member("way", way.key);
      write_spread(writer, "free", line.free);
      write_spread(writer, "opened", line.opened);
      write_spread(writer, "moves", line.moves);
      write_spread(writer, "share", line.share);
    });
  });
  write_objects(writer, "runs", runs, [&](const consolidation::Run& run) {
    writer.member("mostMoves", static_cast<std::int64_t>(run.most_moves));
    writer.member("seed", std::to_string(run.seed));
    for (const auto& [key, value] :
         {std::pair{"nodes", run.nodes}, std::pair{"freeBefore", run.free_before},
          std::pair{"openedByBerth", run.berth.nodes}, std::pair{"movesOfBerth", run.berth.moves},
          std::pair{"openedExactly", run.exact.nodes}, std::pair{"movesOfExact", run.exact.moves},
          std::pair{"worldsWithFewer", run.worlds_with_fewer}}) {
      writer.member(key, value);
    }
  });
  writer.end_object();
  console.out << out << '\n';
}

}  // namespace

int run_sim_consolidation(std::span<const std::string> arguments, Console& console) {
  ConsolidationStudyOptions options;
  CLI::App app(
      "The consolidation study: small worlds of nodes with cards, partly in use by pods\n"
      "that may move. Measured is how many nodes have all cards free after at most so\n"
      "many moves: with none, with Berth's, and with the best that there are.",
      "berth sim consolidation");
  app.add_option("--worlds", options.worlds, "worlds per seed; 100 if not given")->check(CLI::Range(1, 100'000));
  app.add_option("--seeds", options.seeds, "A or A-B; 1-10 if not given")->type_name("RANGE");
  app.add_option("--moves", options.moves, "at most so many moves; 1,2,3 if not given")
      ->delimiter(',')
      ->check(CLI::Range(1, 5))
      ->type_name("N");
  app.add_option("-o,--output", options.output, "the same for programs")->check(CLI::IsMember({"json", "csv"}));
  app.footer(
      "Exit codes: 0 done, 1 bad input.\n\n"
      "Example:\n  berth sim consolidation --worlds 10 --seeds 1-3 --moves 2");
  if (const int code = parse(app, arguments, console); code >= 0) return code;

  auto seeds = parse_seeds(options.seeds);
  if (!seeds) {
    complain(console, seeds.error().to_string());
    return kBadInput;
  }
  const consolidation::Study study{
      .size = {}, .worlds = options.worlds, .seeds = std::move(*seeds), .most_moves = options.moves};
  auto progress =
      std::make_unique<text::Progress>(stderr, "running the study", study.seeds.size() * study.most_moves.size());
  const std::vector<consolidation::Run> runs =
      consolidation::run_all(study, [&](std::size_t done) { progress->update(done); });
  progress.reset();
  if (options.output == "json") {
    print_moves_json(options, study, runs, console);
  } else if (options.output == "csv") {
    print_moves_csv(runs, console);
  } else {
    print_moves(options, study, runs, console);
  }
  return kDone;
}

}  // namespace berth::cli
