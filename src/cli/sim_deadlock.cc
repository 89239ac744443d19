#include <cstdint>
#include <cstdio>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/sim.h"
#include "cli/study_files.h"
#include "sim/deadlock/results.h"
#include "sim/deadlock/study.h"
#include "text/progress.h"

namespace berth::cli {
namespace {

namespace deadlock = sim::deadlock;

struct DeadlockOptions {
  deadlock::Study study;
  std::vector<std::int32_t> percents = {100, 125, 150, 175, 200, 225, 250, 275, 300};
  std::string output;
  std::string svg;
  unsigned threads = 0;
};

void add_deadlock_options(CLI::App& app, DeadlockOptions& options) {
  deadlock::Load& load = options.study.load;
  app.add_option("--demand", options.percents, "GPUs asked for in percent of the capacity; 100 to 300 if not given")
      ->delimiter(',')
      ->check(CLI::Range(1, 10'000))
      ->type_name("PERCENT");
  app.add_option("--trials", options.study.trials, "random orders per demand; 1000")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N");
  app.add_option("--nodes", load.nodes, "nodes; 16")->check(CLI::Range(1, 10'000))->type_name("N");
  app.add_option("--gpus-per-node", load.cards_per_node, "8")->check(CLI::Range(1, 64))->type_name("N");
  app.add_option("--pods", load.pods, "pods of a gang; 4")->check(CLI::Range(1, 10'000))->type_name("N");
  app.add_option("--gpus", load.cards, "GPUs of a pod; 8")->check(CLI::Range(1, 64))->type_name("N");
  app.add_option("--run", load.runs_for, "how long a gang works; 3600")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->type_name("SECONDS");
  app.add_option("--between", load.between_arrivals, "time between two pods that arrive; 1")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000}))
      ->type_name("SECONDS");
  app.add_option("--seed", options.study.seed, "draws the orders; 1")->type_name("N");
  app.add_option("-o,--output", options.output, "the same for programs")->check(CLI::IsMember({"json", "csv"}));
  app.add_option("--svg", options.svg, "also write the chart of deadlocked trials against demand to this file")
      ->type_name("FILE");
  app.add_option("--threads", options.threads, "trials at a time; the number of cores if not given")
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N");
}

// A gang has to fit the empty cluster, or nobody could run it.
Result<void> check(const deadlock::Load& load, const std::vector<std::int32_t>& percents) {
  const std::int64_t fit = std::int64_t{load.nodes} * (load.cards_per_node / load.cards);
  if (fit < load.pods) {
    return fail(ErrorCode::kUsage, fmt::format("a gang of {} pods with {} GPUs does not fit on {} empty nodes with {}; "
                                               "give more --nodes or smaller gangs.",
                                               load.pods, load.cards, load.nodes, load.cards_per_node));
  }
  constexpr std::int64_t kMostPods = 20'000;
  for (const std::int32_t percent : percents) {
    if (std::int64_t{load.gangs(percent)} * load.pods > kMostPods) {
      return fail(ErrorCode::kUsage,
                  fmt::format("a trial of {} % has {} gangs of {} pods; a trial takes at most {} pods.", percent,
                              load.gangs(percent), load.pods, kMostPods));
    }
  }
  return {};
}

}  // namespace

int run_sim_deadlock(std::span<const std::string> arguments, Console& console) {
  DeadlockOptions options;
  CLI::App app(
      "Gangs whose pods arrive in a random order and ask for more GPUs than there are:\n"
      "pod by pod (kube-scheduler without gangs) against Berth. Counted are the trials\n"
      "in which gangs wait for each other for ever, GPUs held by gangs that do not run,\n"
      "and the time until all have run.",
      "berth sim deadlock");
  add_deadlock_options(app, options);
  app.footer(
      "Exit codes: 0 done, 1 bad input.\n\n"
      "Example:\n  berth sim deadlock --trials 100 --demand 100,150,200");
  if (const int code = parse(app, arguments, console); code >= 0) return code;
  if (const auto valid = check(options.study.load, options.percents); !valid) {
    complain(console, valid.error().to_string());
    return kBadInput;
  }
  deadlock::Study& study = options.study;
  study.percents = options.percents;
  auto progress = std::make_unique<text::Progress>(stderr, "running the study",
                                                   study.percents.size() * static_cast<std::size_t>(study.trials));
  const std::vector<deadlock::Level> levels =
      deadlock::run_all(study, threads_for(options.threads), [&](std::size_t done) { progress->update(done); });
  progress.reset();
  if (!options.svg.empty()) {
    if (const auto written = write_file(options.svg, deadlock::render_chart(study, levels)); !written) {
      complain(console, written.error().to_string());
      return kBadInput;
    }
  }
  if (options.output == "json") {
    console.out << deadlock::render_json(study, levels);
  } else if (options.output == "csv") {
    console.out << deadlock::render_csv(levels);
  } else {
    console.out << deadlock::render_table(study, levels, {.color = console.color});
  }
  return kDone;
}

}  // namespace berth::cli
