#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/seed_range.h"
#include "cli/sim.h"
#include "cli/study_files.h"
#include "sim/openb/departure_results.h"
#include "sim/openb/departures.h"
#include "sim/openb/results.h"
#include "sim/openb/study.h"
#include "sim/openb/upper_bound.h"
#include "text/progress.h"

namespace berth::cli {
namespace {

namespace openb = sim::openb;

Result<std::vector<openb::Policy>> parse_policies(const std::vector<std::string>& names) {
  std::vector<openb::Policy> policies;
  for (const std::string& name : names) {
    if (name == "all") {
      policies.assign(openb::kPolicies.begin(), openb::kPolicies.end());
      continue;
    }
    const auto policy = openb::policy_named(name);
    if (!policy) {
      std::string known;
      for (const openb::Policy each : openb::kPolicies) known += std::string(openb::name_of(each)) + ", ";
      return fail(ErrorCode::kUsage, fmt::format("there is no policy '{}'; choose from {}or all.", name, known));
    }
    if (std::ranges::find(policies, *policy) == policies.end()) policies.push_back(*policy);
  }
  return policies;
}

struct OpenbOptions {
  std::string nodes;
  std::vector<std::string> pods;
  std::vector<std::string> policies;
  std::string seeds = "42-51";
  std::string ties = "fixed";
  std::string output;
  std::string svg;
  unsigned threads = 0;
  bool bound = false;
  std::int64_t replay = 0;  // percent; 0: not asked for
  std::int64_t load = 0;
};

Result<openb::Study> make_study(const OpenbOptions& options) {
  openb::Study study;
  study.cluster.name = options.nodes;
  BERTH_TRY(study.policies, parse_policies(options.policies));
  BERTH_TRY(study.seeds, parse_seeds(options.seeds));
  study.ties = options.ties == "random" ? openb::Ties::kRandom : openb::Ties::kFixed;
  BERTH_TRY(study.cluster.nodes, openb::read_nodes(options.nodes));
  for (const std::string& path : options.pods) {
    BERTH_TRY(std::vector<openb::TracePod> pods, openb::read_pods(path));
    const std::string name = openb::workload_name(path);
    if (std::ranges::find(study.workloads, name, &openb::Workload::name) != study.workloads.end()) {
      return fail(ErrorCode::kUsage, fmt::format("two lists of pods are named '{}', by which results are told apart; "
                                                 "rename the file of one, or run them one by one.",
                                                 name));
    }
    study.workloads.push_back({name, std::move(pods)});
    if (options.bound) {
      BERTH_TRY(study.workloads.back().upper_bound, openb::upper_bound_at_100(study.cluster, study.workloads.back()));
    }
  }
  return study;
}

// The chart of one workload goes to the path itself, of several to PATH with the workload's name before the ending.
Result<void> write_charts(const std::string& path, const openb::Study& study, const std::vector<openb::Run>& runs) {
  for (const openb::Workload& workload : study.workloads) {
    std::string target = path;
    if (study.workloads.size() > 1) {
      const std::size_t dot = std::min(path.rfind('.'), path.size());
      target = path.substr(0, dot) + "-" + workload.name + path.substr(dot);
    }
    BERTH_TRY_VOID(write_file(target, openb::render_chart(runs, workload.name)));
  }
  return {};
}

std::string refuse_mixture(const OpenbOptions& options) {
  if (options.bound || !options.svg.empty() || options.output == "csv") {
    return "--bound, --svg and -o csv belong to the study without departures; leave them out, or leave out --replay "
           "and --load.";
  }
  return {};
}

int run_departures(const OpenbOptions& options, const openb::Study& study, Console& console) {
  const openb::DepartureOptions departures{
      .kind = options.load > 0 ? openb::DepartureOptions::Kind::kLoad : openb::DepartureOptions::Kind::kReplay,
      .percent = options.load > 0 ? options.load : options.replay};
  const std::size_t all = study.workloads.size() * study.policies.size() * study.seeds.size();
  auto progress = std::make_unique<text::Progress>(stderr, "running the study", all);
  const auto runs = openb::run_all_with_departures(study, departures, threads_for(options.threads),
                                                   [&](std::size_t done) { progress->update(done); });
  progress.reset();
  if (!runs) {
    complain(console, runs.error().to_string());
    return kBadInput;
  }
  console.out << (options.output == "json" ? openb::render_json(study, departures, *runs)
                                           : openb::render_table(*runs, {.color = console.color}));
  return kDone;
}

int run_study(const OpenbOptions& options, const openb::Study& study, Console& console) {
  const std::size_t all = study.workloads.size() * study.policies.size() * study.seeds.size();
  auto progress = std::make_unique<text::Progress>(stderr, "running the study", all);
  const auto runs =
      openb::run_all(study, threads_for(options.threads), [&](std::size_t done) { progress->update(done); });
  progress.reset();
  if (!runs) {
    complain(console, runs.error().to_string());
    return kBadInput;
  }
  if (!options.svg.empty()) {
    if (const auto written = write_charts(options.svg, study, *runs); !written) {
      complain(console, written.error().to_string());
      return kBadInput;
    }
  }
  if (options.output == "json") {
    console.out << openb::render_json(study, *runs);
  } else if (options.output == "csv") {
    console.out << openb::render_csv(*runs);
  } else {
    console.out << openb::render_table(study, *runs, {.color = console.color});
  }
  return kDone;
}

void add_openb_options(CLI::App& app, OpenbOptions& options) {
  app.add_option("--nodes", options.nodes, "nodes: sn,cpu_milli,memory_mib,gpu,model")->required()->type_name("CSV");
  app.add_option("--pods", options.pods, "pods, a workload per file: name,cpu_milli,memory_mib,num_gpu,gpu_milli,...")
      ->required()
      ->type_name("CSV");
  app.add_option("--policy", options.policies,
                 "random dotprod clustering packing bestfit fgd cardpacking berth berth-learned default, or all")
      ->required()
      ->delimiter(',')
      ->type_name("NAME");
  app.add_option("--seeds", options.seeds, "A or A-B; 42-51 if not given")->type_name("RANGE");
  app.add_option("--ties", options.ties, "equal scores: fixed (one order of nodes per seed) or random (per pod)")
      ->check(CLI::IsMember({"fixed", "random"}));
  app.add_option("-o,--output", options.output, "the same for programs")->check(CLI::IsMember({"json", "csv"}));
  app.add_option("--svg", options.svg, "also write the chart of allocation against arrived load to this file")
      ->type_name("FILE");
  app.add_option("--threads", options.threads, "runs at a time; the number of cores if not given")
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N");
  app.add_flag("--bound", options.bound, "also print what no policy can exceed at 100 % arrived; takes seconds");
  auto* replay = app.add_option("--replay", options.replay,
                                "pods come and go as in the trace, on nodes with so many percent of the GPUs asked for "
                                "at the busiest time")
                     ->check(CLI::Range(1, 1000))
                     ->type_name("PERCENT");
  app.add_option("--load", options.load,
                 "pods come at random times and go, so that so many percent of the GPUs are asked for, on a twentieth "
                 "of the nodes")
      ->check(CLI::Range(1, 1000))
      ->type_name("PERCENT")
      ->excludes(replay);
  app.footer(
      "Exit codes: 0 done, 1 bad input.\n\n"
      "Example:\n  berth sim openb --nodes examples/openb/nodes.csv \\\n"
      "    --pods examples/openb/pods.csv --policy all --seeds 1-3");
}

}  // namespace

int run_sim_openb(std::span<const std::string> arguments, Console& console) {
  OpenbOptions options;
  CLI::App app(
      "The FGD study (USENIX ATC 2023): pods arrive one by one until 130 % of the GPUs\n"
      "are asked for; nothing leaves; measured is what is allocated and fragmented.",
      "berth sim openb");
  add_openb_options(app, options);
  if (const int code = parse(app, arguments, console); code >= 0) return code;

  const bool departures = options.replay > 0 || options.load > 0;
  if (const std::string refused = departures ? refuse_mixture(options) : std::string(); !refused.empty()) {
    complain(console, refused);
    return kBadInput;
  }
  const auto study = make_study(options);
  if (!study) {
    complain(console, study.error().to_string());
    return kBadInput;
  }
  return departures ? run_departures(options, *study, console) : run_study(options, *study, console);
}

}  // namespace berth::cli
