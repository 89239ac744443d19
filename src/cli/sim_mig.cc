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
#include "cli/sim.h"
#include "cli/spread.h"
#include "sim/mig/study.h"
#include "text/json_writer.h"
#include "text/progress.h"
#include "text/table.h"

namespace berth::cli {
namespace {

namespace mig = sim::mig;

constexpr int kClaimsPerCard = 3;  // of a batch: about as much as there is

struct MigOptions {
  std::vector<std::string> cards = {"a100", "h100"};
  std::vector<int> loads = {100, 150, 250};
  int per_node = 8;
  int arrivals = 4000;
  int seeds = 10;
  int small_worlds = 200;
  std::string output;
};

using PerPolicy = std::array<Spread, mig::kPolicies.size()>;

struct MigLine {
  std::string card;
  int load = 0;
  PerPolicy claims;
  PerPolicy slices;
};

struct MigSmall {
  std::string card;
  PerPolicy online;
  PerPolicy batch;
};

MigLine measure(mig::Card card, int load, const MigOptions& options) {
  MigLine line{.card = std::string(mig::name_of(card)), .load = load, .claims = {}, .slices = {}};
  for (int seed = 1; seed <= options.seeds; ++seed) {
    const mig::Run run =
        mig::run({.card = card, .cards = options.per_node, .arrivals = options.arrivals, .percent = load},
                 static_cast<std::uint64_t>(seed));
    for (std::size_t p = 0; p < mig::kPolicies.size(); ++p) {
      line.claims[p].add(run.accepted[p].claims, run.asked.claims);
      line.slices[p].add(run.accepted[p].slices, run.asked.slices);
    }
  }
  return line;
}

MigSmall measure_small(mig::Card card, const MigOptions& options) {
  MigSmall small{.card = std::string(mig::name_of(card)), .online = {}, .batch = {}};
  for (int seed = 1; seed <= options.small_worlds; ++seed) {
    const mig::SmallWorld world = mig::play(
        mig::batch_world(card, options.per_node, kClaimsPerCard * options.per_node, static_cast<std::uint64_t>(seed)));
    for (std::size_t p = 0; p < mig::kPolicies.size(); ++p) {
      small.online[p].add(world.online[p].slices, world.optimum);
      small.batch[p].add(world.batch[p].slices, world.optimum);
    }
  }
  return small;
}

std::vector<text::Column> columns(std::string_view second) {
  std::vector<text::Column> result{{"CARD"}, {std::string(second), text::Align::kRight}};
  for (const std::string_view title : {"FIRST FIT", "BEST FIT", "BEST"}) {
    result.push_back({std::string(title), text::Align::kRight});
  }
  return result;
}

void add_row(text::Table& table, const std::string& card, std::string second, const PerPolicy& values) {
  std::vector<text::Cell> row{card, std::move(second)};
  for (const Spread& value : values) row.push_back(spread_text(value));
  table.add_row(std::move(row));
}

void print(const MigOptions& options, const std::vector<MigLine>& lines, const std::vector<MigSmall>& small,
           Console& console) {
  console.out << fmt::format("Claims for MIG partitions on a node of {} cards; {} arrivals, {} seeds.\n",
                             options.per_node, options.arrivals, options.seeds);
  for (const bool of_claims : {true, false}) {
    text::Table table(columns("LOAD"));
    for (const MigLine& line : lines) {
      add_row(table, line.card, fmt::format("{} %", line.load), of_claims ? line.claims : line.slices);
    }
    console.out << fmt::format("\nAccepted, percent of {}:\n", of_claims ? "claims" : "memory slices asked for")
                << table.render({.indent = 2, .color = console.color});
  }
  if (options.small_worlds == 0) return;
  text::Table table(columns("CLAIMS COME"));
  for (const MigSmall& one : small) {
    add_row(table, one.card, "one by one", one.online);
    add_row(table, one.card, "at once", one.batch);
  }
  console.out << fmt::format("\nMemory slices in percent of the optimum; {} nodes partly in use, {} claims for each:\n",
                             options.small_worlds, kClaimsPerCard * options.per_node)
              << table.render({.indent = 2, .color = console.color});
}

void write_policies(text::Writer& writer, std::string_view key, const PerPolicy& values) {
  writer.key(key);
  writer.begin_object();
  constexpr std::array<std::string_view, mig::kPolicies.size()> kKeys = {"firstFit", "bestFit", "best"};
  for (std::size_t p = 0; p < kKeys.size(); ++p) write_spread(writer, kKeys[p], values[p]);
  writer.end_object();
}

void print_json(const MigOptions& options, const std::vector<MigLine>& lines, const std::vector<MigSmall>& small,
                Console& console) {
  std::string out;
  text::JsonWriter writer(out);
  begin_document(writer, "MigStudy");
  for (const auto& [key, value] : {std::pair{"cards", options.per_node}, std::pair{"arrivals", options.arrivals},
                                   std::pair{"seeds", options.seeds}, std::pair{"smallWorlds", options.small_worlds}}) {
    writer.key(key);
    writer.number(std::to_string(value));
  }
  write_objects(writer, "loads", lines, [&](const MigLine& line) {
    writer.key("card");
    writer.string(line.card);
    writer.key("percent");
    writer.number(std::to_string(line.load));
    write_policies(writer, "claims", line.claims);
    write_policies(writer, "memorySlices", line.slices);
  });
  write_objects(writer, "optimum", small, [&](const MigSmall& one) {
    writer.key("card");
    writer.string(one.card);
    write_policies(writer, "oneByOne", one.online);
    write_policies(writer, "atOnce", one.batch);
  });
  writer.end_object();
  console.out << out << '\n';
}

}  // namespace

int run_sim_mig(std::span<const std::string> arguments, Console& console) {
  MigOptions options;
  CLI::App app(
      "The MIG packing study: claims for partitions arrive, stay and leave. First fit,\n"
      "best fit and Berth's allocator see the same arrivals; measured is the share that\n"
      "was accepted, and on small worlds how close each comes to the exact optimum.",
      "berth sim mig");
  app.add_option("--card", options.cards, "a100, h100; both if not given")
      ->delimiter(',')
      ->check(CLI::IsMember({"a100", "h100"}))
      ->type_name("CARD");
  app.add_option("--load", options.loads, "memory slices asked for at a time, in percent; 100,150,250 if not given")
      ->delimiter(',')
      ->check(CLI::Range(1, 10'000))
      ->type_name("PERCENT");
  app.add_option("--cards", options.per_node, "cards of the node; 8 if not given")->check(CLI::Range(1, 64));
  app.add_option("--arrivals", options.arrivals, "claims that arrive; 4000 if not given")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--seeds", options.seeds, "runs, with seeds from 1; 10 if not given")->check(CLI::Range(1, 1000));
  app.add_option("--small-worlds", options.small_worlds, "worlds compared with the exact optimum; 200 if not given")
      ->check(CLI::Range(0, 100'000));
  app.add_option("-o,--output", options.output, "the same for programs")->check(CLI::IsMember({"json"}));
  app.footer(
      "Exit codes: 0 done, 1 bad input.\n\n"
      "Example:\n  berth sim mig --card a100 --load 100 --arrivals 500 --seeds 3");
  if (const int code = parse(app, arguments, console); code >= 0) return code;

  std::vector<MigLine> lines;
  std::vector<MigSmall> small;
  const std::size_t all = options.cards.size() * (options.loads.size() + (options.small_worlds > 0 ? 1 : 0));
  auto progress = std::make_unique<text::Progress>(stderr, "running the study", all);
  for (const std::string& name : options.cards) {
    const mig::Card card = *mig::card_named(name);
    for (const int load : options.loads) {
      lines.push_back(measure(card, load, options));
      progress->update(lines.size() + small.size());
    }
    if (options.small_worlds == 0) continue;
    small.push_back(measure_small(card, options));
    progress->update(lines.size() + small.size());
  }
  progress.reset();
  options.output == "json" ? print_json(options, lines, small, console) : print(options, lines, small, console);
  return kDone;
}

}  // namespace berth::cli
