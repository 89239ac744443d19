#include <algorithm>
#include <ctime>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/plan_view.h"
#include "cli/remarks.h"
#include "cli/scheduling_options.h"
#include "sim/cluster.h"
#include "sim/plan/plan.h"

namespace berth::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::string output;
  bool defragment = false;
  std::size_t moves = 16;
  SchedulingOptions scheduling;
  KubernetesOptions kubernetes;
};

}  // namespace

int run_plan(std::span<const std::string> arguments, Console& console) {
  Options options;
  CLI::App app("What would run where, and why the rest would not.", "berth plan");
  app.add_option("FILE", options.paths,
                 "files or directories of Kubernetes YAML or JSON, gzip too; - reads standard input")
      ->required();
  app.add_option("-o,--output", options.output,
                 "json for programs; wide: a line per pod with cards and score; yaml: the objects it would write")
      ->check(CLI::IsMember({"json", "wide", "yaml"}));
  app.add_flag("--defragment", options.defragment,
               "also print moves of running pods that make room for those that wait and open whole nodes");
  app.add_option("--moves", options.moves, "at most so many moves; 16 if not given")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}))
      ->type_name("N")
      ->needs("--defragment");
  options.scheduling.add_to(app);
  add_options(app, options.kubernetes);
  app.footer(
      "Exit codes: 0 every pod has a place, 2 some would wait, 1 bad input (the rest is\n"
      "done) or usage.\n\n"
      "Example:\n  berth plan examples/demo\n  kubectl get nodes,pods -A -o json | berth plan - job.yaml");
  if (const int code = parse(app, arguments, console); code >= 0) return code;

  const auto configuration = options.scheduling.configuration();
  if (!configuration) {
    complain(console, configuration.error().to_string());
    return kBadInput;
  }
  const auto kubernetes = kubernetes_of(options.kubernetes);
  if (!kubernetes) {
    complain(console, kubernetes.error().to_string());
    return kBadInput;
  }
  const api::Time now = std::time(nullptr);
  Input input = read_input(options.paths, now, *kubernetes);
  std::vector<std::string> words = options.scheduling.words();
  std::ranges::copy(words_of(options.kubernetes), std::back_inserter(words));
  input.as_typed.insert(input.as_typed.begin(), words.begin(), words.end());
  sim::Cluster cluster(std::move(input.objects), *configuration,
                       {.seed = options.scheduling.seed, .version = kubernetes->version, .gates = kubernetes->gates});
  sim::Plan plan = sim::make_plan(cluster, now, options.defragment ? std::optional(options.moves) : std::nullopt);
  note_remarks(cluster.translator().remarks(), input);
  note_unread(input, plan.weaker);
  if (options.output == "json")
    console.out << plan_json(plan, input, cluster);
  else if (options.output == "yaml")
    console.out << plan_yaml(plan, cluster);
  else
    console.out << plan_text(plan, input, cluster,
                             {.wide = options.output == "wide", .color = console.color, .program = console.program});
  console.out.flush();
  complain(console, input.errors, input.excerpts);
  if (!input.errors.empty()) return kBadInput;
  return plan.waiting.empty() && plan.not_ready.empty() ? kDone : kNotEverything;
}

}  // namespace berth::cli
