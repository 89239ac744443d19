#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/allocate_view.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "sim/allocate/allocate.h"

namespace berth::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::string mode = "best";
  std::string node;
  std::string output;
  KubernetesOptions kubernetes;
};

// Objects are read as the API server may have stored them while any gate was on: what a gate that is off now means for
// them is the allocator's to say.
Kubernetes as_stored(Kubernetes kubernetes) {
  for (std::uint8_t gate = 0; gate < api::kGates; ++gate) kubernetes.gates.set(static_cast<api::Gate>(gate), true);
  return kubernetes;
}

int print(const Options& options, const sim::AllocationAnswer& answer, const Input& input, engine::devices::Mode mode,
          Console& console) {
  if (options.output == "json") {
    console.out << allocate_json(answer, input, mode);
  } else if (options.output == "yaml") {
    console.out << allocate_yaml(answer);
    if (answer.outcome != sim::AllocationOutcome::kAllocated)
      complain(console, std::string(name_of(answer.reason.reason)) + ": " + answer.reason.message + ".");
  } else {
    console.out << allocate_text(answer, input, mode, console.color);
  }
  console.out.flush();
  complain(console, input.errors);
  if (!input.errors.empty()) return kBadInput;
  return answer.outcome == sim::AllocationOutcome::kAllocated ? kDone : kNotEverything;
}

}  // namespace

int run_allocate(std::span<const std::string> arguments, Console& console) {
  Options options;
  CLI::App app(
      "Which devices the ResourceClaims get that have none, decided together on one\n"
      "node beside those that have theirs; or why they get none. Without pods.",
      "berth allocate");
  app.add_option("FILE", options.paths,
                 "files or directories with DeviceClasses, ResourceSlices and ResourceClaims; nodes, namespaces and "
                 "DeviceTaintRules count, too; - reads standard input")
      ->required();
  app.add_option("--mode", options.mode, "strict: upstream's devices in upstream's order; best: those that leave most")
      ->check(CLI::IsMember({"strict", "best"}));
  app.add_option("--node", options.node, "the node; all in turn if not given")->type_name("NAME");
  app.add_option("-o,--output", options.output, "json for programs; yaml: the claims with their allocation")
      ->check(CLI::IsMember({"json", "yaml"}));
  add_options(app, options.kubernetes);
  app.footer(
      "Exit codes: 0 every claim has its devices, 2 they cannot have them, 1 bad input\n"
      "(the rest is done) or usage.\n\n"
      "Example:\n  berth allocate examples/dra/cluster.yaml examples/dra/gpu-40gb.yaml\n"
      "  kubectl get deviceclasses,resourceslices,resourceclaims -A -o json |\n"
      "    berth allocate --mode strict --node gpu-1 - claim.yaml");
  if (const int code = parse(app, arguments, console); code >= 0) return code;

  const auto kubernetes = kubernetes_of(options.kubernetes);
  if (!kubernetes) {
    complain(console, kubernetes.error().to_string());
    return kBadInput;
  }
  const Input input = read_objects(options.paths, as_stored(*kubernetes));
  if (input.objects.resource_claims.empty()) {
    complain(console, input.errors);
    complain(console,
             "there is no ResourceClaim in the input; get them with kubectl get resourceclaims -A -o yaml, or write "
             "the one to try.");
    return kBadInput;
  }
  const auto mode = options.mode == "strict" ? engine::devices::Mode::kStrict : engine::devices::Mode::kBest;
  const sim::AllocationAnswer answer = sim::allocate_claims(
      input.objects,
      {.mode = mode, .node = options.node, .kubernetes = kubernetes->version, .gates = kubernetes->gates});
  return print(options, answer, input, mode, console);
}

}  // namespace berth::cli
