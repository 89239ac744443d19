#include <cstdint>
#include <cstdio>
#include <memory>
#include <ostream>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/sim.h"
#include "cli/study_files.h"
#include "sim/philly/results.h"
#include "sim/philly/study.h"
#include "text/progress.h"

namespace berth::cli {
namespace {

namespace philly = sim::philly;

struct PhillyOptions {
  std::string jobs;
  std::string nodes;
  std::int32_t percent = 25;
  std::string output;
  std::string svg;
  unsigned threads = 0;
};

Result<philly::Study> read_study(const PhillyOptions& options) {
  BERTH_TRY(const std::vector<philly::TraceJob> jobs, philly::read_jobs(options.jobs));
  BERTH_TRY(const std::vector<philly::TraceCluster> clusters, philly::read_clusters(options.nodes));
  return philly::make_study(jobs, clusters, options.percent);
}

}  // namespace

int run_sim_philly(std::span<const std::string> arguments, Console& console) {
  PhillyOptions options;
  CLI::App app(
      "The Philly trace on virtual time, a gang per job, under three ways to share the\n"
      "GPUs of the virtual clusters: pod by pod (kube-scheduler without gangs), a\n"
      "private partition each, and Berth's queues that lend what is idle and take it\n"
      "back.",
      "berth sim philly");
  app.add_option("--jobs", options.jobs, "jobs: timestamp,duration,num_gpus,cluster")->required()->type_name("CSV");
  app.add_option("--nodes", options.nodes, "nodes of 8 GPUs per virtual cluster: vc,node num")
      ->required()
      ->type_name("CSV");
  app.add_option("--scale", options.percent,
                 "percent of the nodes that each virtual cluster gets, but not fewer than its largest job needs; "
                 "25 if not given")
      ->check(CLI::Range(1, 10'000))
      ->type_name("PERCENT");
  app.add_option("-o,--output", options.output, "the same for programs")->check(CLI::IsMember({"json", "csv"}));
  app.add_option("--svg", options.svg, "also write the chart of mean waits to this file")->type_name("FILE");
  app.add_option("--threads", options.threads, "runs at a time; the number of cores if not given")
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N");
  app.footer(
      "Exit codes: 0 done, 1 bad input.\n\n"
      "Example:\n  berth sim philly --jobs examples/philly/jobs.csv \\\n    --nodes examples/philly/nodes.csv");
  if (const int code = parse(app, arguments, console); code >= 0) return code;
  const auto study = read_study(options);
  if (!study) {
    complain(console, study.error().to_string());
    return kBadInput;
  }
  auto progress =
      std::make_unique<text::Progress>(stderr, "replaying the trace", philly::kWays.size() * study->jobs.size());
  const philly::Results results =
      philly::run_all(*study, threads_for(options.threads), [&](std::size_t done) { progress->update(done); });
  progress.reset();
  if (!options.svg.empty()) {
    if (const auto written = write_file(options.svg, philly::render_chart(*study, results)); !written) {
      complain(console, written.error().to_string());
      return kBadInput;
    }
  }
  if (options.output == "json") {
    console.out << philly::render_json(*study, results);
  } else if (options.output == "csv") {
    console.out << philly::render_csv(*study, results);
  } else {
    console.out << philly::render_table(*study, results, {.color = console.color});
  }
  return kDone;
}

}  // namespace berth::cli
