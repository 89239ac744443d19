#include <ctime>
#include <ostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/explain_view.h"
#include "cli/input.h"
#include "sim/cluster.h"
#include "sim/plan/explanation.h"

namespace berth::cli {
namespace {

bool all_have_a_place(const sim::Explanation& explanation) {
  for (const sim::PodAnswer& pod : explanation.pods) switch (pod.state) {
      case sim::PodAnswer::State::kRuns:
      case sim::PodAnswer::State::kWouldStart:
      case sim::PodAnswer::State::kFinished:
      case sim::PodAnswer::State::kLeftOut:
        break;
      case sim::PodAnswer::State::kWaits:
      case sim::PodAnswer::State::kNotReady:
      case sim::PodAnswer::State::kWouldBeEvicted:
        return false;
    }
  return true;
}

}  // namespace

int run_explain(std::span<const std::string> arguments, Console& console) {
  std::string reference;
  std::string namespace_;
  std::string output;
  std::string config_file;
  std::string profile;
  std::uint64_t seed = 0;
  KubernetesOptions kubernetes_options;
  std::vector<std::string> paths;
  CLI::App app("Why one pod, or the pods of one workload, run or do not.", "berth explain");
  app.add_option("KIND/NAME", reference, "such as Pod/train-0, deploy/web or job/sweep; a bare NAME is a pod")
      ->required();
  app.add_option("FILE", paths, "files or directories of Kubernetes YAML or JSON, gzip too; - reads standard input")
      ->required();
  app.add_option("-n,--namespace", namespace_, "where to look; all namespaces if not given");
  app.add_option("-o,--output", output, "json")->check(CLI::IsMember({"json"}));
  auto* config = app.add_option("--config", config_file, "a KubeSchedulerConfiguration to schedule with");
  app.add_option("--profile", profile, "berth (packs GPUs, spreads the rest) or kube-default")
      ->check(CLI::IsMember({"berth", "kube-default"}))
      ->excludes(config);
  app.add_option("--seed", seed, "draws the order of nodes with equal scores; 0 if not given");
  add_options(app, kubernetes_options);
  app.footer(
      "Exit codes: 0 it has its place, 2 it would wait, 1 bad input or usage.\n\n"
      "Example:\n  kubectl get nodes,pods -A -o json | berth explain -n team-a Pod/train-0 -");
  if (const int code = parse(app, arguments, console); code >= 0) return code;

  const auto configuration = configuration_of(config_file, profile);
  if (!configuration) {
    complain(console, configuration.error().to_string());
    return kBadInput;
  }
  const auto kubernetes = kubernetes_of(kubernetes_options);
  if (!kubernetes) {
    complain(console, kubernetes.error().to_string());
    return kBadInput;
  }
  const api::Time now = std::time(nullptr);
  Input input = read_input(paths, now, *kubernetes);
  sim::Cluster cluster(std::move(input.objects), *configuration, {.seed = seed});
  const engine::StepResult result = cluster.step(now);
  const auto explanation = sim::explain(cluster, result, reference, namespace_);
  if (!explanation) {
    complain_about(input, console);
    complain(console, explanation.error().to_string());
    return kBadInput;
  }
  console.out << (output == "json" ? explanation_json(*explanation, cluster)
                                   : explanation_text(*explanation, cluster, console.color));
  console.out.flush();
  complain_about(input, console);
  if (!input.errors.empty()) return kBadInput;
  return all_have_a_place(*explanation) ? kDone : kNotEverything;
}

}  // namespace berth::cli
