// The first decision of a scheduler that starts on a cluster that runs, from JSON as `kubectl get -o json` writes it
// (without managedFields): read, translated, decided. gang_bench has the same from decoded objects (FirstDecision).
// A newcomer of ten pods with eight cards each is what is decided about; 10 s are allowed for the large one
// (docs/gangs-and-queues.md).
//
//   build/release/first_decision_bench                                     both
//   build/release/first_decision_bench --benchmark_filter=nodes:50/        1 % of it
#include <fmt/format.h>

#include <benchmark/benchmark.h>

#include <iterator>
#include <string>

#include "api/load.h"
#include "api/scheduler_config.h"
#include "sim/cluster.h"

namespace berth {
namespace {

void add_node(std::string& out, std::int64_t number) {
  fmt::format_to(
      std::back_inserter(out),
      R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"n{0}","labels":{{"kubernetes.io/hostname":"n{0}",)"
      R"("topology.kubernetes.io/zone":"z{1}","nvidia.com/gpu.product":"H100","nvidia.com/gpu.count":"8"}}}},)"
      R"("status":{{"capacity":{{"cpu":"128","memory":"1056604784Ki","pods":"110","nvidia.com/gpu":"8"}},)"
      R"("allocatable":{{"cpu":"128","memory":"1056604784Ki","pods":"110","nvidia.com/gpu":"8"}},)"
      R"("conditions":[{{"type":"Ready","status":"True","reason":"KubeletReady"}}]}}}},)"
      "\n",
      number, number % 5);
}

void add_group(std::string& out, const std::string& name, std::int64_t pods) {
  fmt::format_to(std::back_inserter(out),
                 R"({{"apiVersion":"scheduling.k8s.io/v1beta1","kind":"PodGroup","metadata":{{"name":"{}",)"
                 R"("namespace":"default","creationTimestamp":"2026-11-01T00:00:00Z"}},)"
                 R"("spec":{{"schedulingPolicy":{{"gang":{{"minCount":{}}}}}}}}},)"
                 "\n",
                 name, pods);
}

// Where it runs, or nowhere if `node` is negative.
void add_pod(std::string& out, const std::string& group, std::int64_t number, std::int64_t node) {
  const bool runs = node >= 0;
  fmt::format_to(
      std::back_inserter(out),
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{0}-{1}","namespace":"default","uid":"u-{0}-{1}",)"
      R"("creationTimestamp":"2026-11-01T00:00:00Z","labels":{{"app":"training","job":"{0}","index":"{1}"}}}},)"
      R"("spec":{{{2}"schedulingGroup":{{"podGroupName":"{0}"}},"restartPolicy":"Always",)"
      R"("schedulerName":"default-scheduler","containers":[{{"name":"main","image":"registry.example/training:1",)"
      R"("command":["/usr/bin/python3","-m","train"],"env":[{{"name":"NCCL_DEBUG","value":"INFO"}}],)"
      R"("resources":{{"limits":{{{3}}},"requests":{{"cpu":"500m","memory":"1Gi"}}}}}}],)"
      R"("tolerations":[{{"effect":"NoExecute","key":"node.kubernetes.io/not-ready","operator":"Exists",)"
      R"("tolerationSeconds":300}}]}},"status":{{"phase":"{4}"}}}},)"
      "\n",
      group, number, runs ? fmt::format(R"("nodeName":"n{}",)", node) : "",
      runs ? R"("cpu":"500m","memory":"1Gi")" : R"("cpu":"500m","memory":"1Gi","nvidia.com/gpu":"8")",
      runs ? "Running" : "Pending");
}

std::string cluster_text(std::int64_t nodes, std::int64_t groups, std::int64_t pods) {
  std::string out = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n";
  for (std::int64_t i = 0; i < nodes; ++i) add_node(out, i);
  for (std::int64_t i = 0; i < groups; ++i) {
    const std::string name = fmt::format("g{}", i);
    const std::int64_t members = i < pods - groups ? 2 : 1;
    add_group(out, name, members);
    for (std::int64_t k = 0; k < members; ++k) add_pod(out, name, k, i % nodes);
  }
  add_group(out, "new", 10);
  for (std::int64_t k = 0; k < 10; ++k) add_pod(out, "new", k, -1);
  out.resize(out.size() - 2);  // the last comma
  return out + "\n]}\n";
}

// Nodes, groups, running pods.
void FirstDecisionFromJson(benchmark::State& state) {
  const std::string text = cluster_text(state.range(0), state.range(1), state.range(2));
  for ([[maybe_unused]] const auto _ : state) {
    api::Loaded loaded = api::load_text(text, "cluster.json");
    if (!loaded.errors.empty()) {
      state.SkipWithError(loaded.errors.front().to_string().c_str());
      break;
    }
    sim::Cluster cluster(std::move(loaded.objects), {{api::berth_default_profile()}});
    const engine::StepResult result = cluster.step(0);
    if (result.decisions.size() != 10)
      state.SkipWithError(("decisions: " + std::to_string(result.decisions.size())).c_str());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(FirstDecisionFromJson)
    ->ArgNames({"nodes", "groups", "pods"})
    ->Args({50, 870, 1400})  // for bench/baselines
    ->Args({5000, 87'000, 140'000})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace berth

BENCHMARK_MAIN();
