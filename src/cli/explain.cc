#include <algorithm>
#include <ctime>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/explain_view.h"
#include "cli/input.h"
#include "cli/remarks.h"
#include "cli/scheduling_options.h"
#include "sim/cluster.h"
#include "sim/plan/explanation.h"
#include "sim/plan/weaker.h"

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

// `berth plan` prints pods as NAMESPACE/NAME, which reads like KIND/NAME.
std::optional<std::string> namespace_for_kind(const sim::Cluster& cluster, const std::string& reference) {
  const std::string first = reference.substr(0, reference.find('/'));
  if (first.size() == reference.size() || sim::canonical_kind(first)) return std::nullopt;
  const auto& pods = cluster.objects().pods;
  if (std::ranges::none_of(pods, [&first](const auto& read) { return read.object.metadata.namespace_ == first; }))
    return std::nullopt;
  return fmt::format("'{}' is NAMESPACE/NAME, and KIND/NAME is wanted; write -n {} Pod/{}.", reference, first,
                     reference.substr(first.size() + 1));
}

}  // namespace

int run_explain(std::span<const std::string> arguments, Console& console) {
  std::string reference;
  std::string namespace_;
  std::string output;
  SchedulingOptions scheduling;
  KubernetesOptions kubernetes_options;
  std::vector<std::string> paths;
  CLI::App app("Why one pod, or the pods of one workload, run or do not.", "berth explain");
  app.add_option("KIND/NAME", reference, "such as Pod/train-0, deploy/web or job/sweep; a bare NAME is a pod")
      ->required();
  app.add_option("FILE", paths, "files or directories of Kubernetes YAML or JSON, gzip too; - reads standard input")
      ->required();
  app.add_option("-n,--namespace", namespace_, "where to look; all namespaces if not given")->type_name("NAME");
  app.add_option("-o,--output", output, "the same for programs")->check(CLI::IsMember({"json"}));
  scheduling.add_to(app);
  add_options(app, kubernetes_options);
  app.footer(
      "Exit codes: 0 it has its place, 2 it would wait, 1 bad input or usage.\n\n"
      "Example:\n  kubectl get nodes,pods -A -o json | berth explain -n team-a Pod/train-0 -");
  if (const int code = parse(app, arguments, console); code >= 0) return code;

  const auto configuration = scheduling.configuration();
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
  sim::Cluster cluster(std::move(input.objects), *configuration,
                       {.seed = scheduling.seed, .version = kubernetes->version, .gates = kubernetes->gates});
  cluster.load(now);
  std::vector<std::string> weaker = sim::weaker_conclusions(cluster);  // of the input, not of what becomes of it
  const sim::Outcome outcome = sim::decide(cluster, now);
  note_remarks(cluster.translator().remarks(), input);
  auto explanation = sim::explain(cluster, outcome, reference, namespace_);
  if (!explanation) {
    complain(console, input.errors, input.excerpts);
    complain(console, namespace_for_kind(cluster, reference).value_or(explanation.error().to_string()));
    return kBadInput;
  }
  note_unread(input, weaker);
  explanation->weaker = std::move(weaker);
  console.out << (output == "json" ? explanation_json(*explanation, input, cluster)
                                   : explanation_text(*explanation, input, cluster, console.color));
  console.out.flush();
  complain(console, input.errors, input.excerpts);
  if (!input.errors.empty()) return kBadInput;
  return all_have_a_place(*explanation) ? kDone : kNotEverything;
}

}  // namespace berth::cli
