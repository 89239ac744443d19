// The FGD study on the engine against its slow twin, and against the published means.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>

#include "base/random.h"
#include "base/tie_order.h"
#include "reference/openb_study.h"
#include "sim/openb/results.h"
#include "sim/openb/study.h"
#include "sim/openb/upper_bound.h"
#include "sim/openb/workload.h"
#include "text/csv.h"
#include "text/input.h"

namespace berth::sim::openb {
namespace {

// A small cluster and workload with everything the real ones have: several models, CPU-only nodes and pods, shares,
// whole cards, lists of models, tight CPU and memory.
Cluster small_cluster(Random& random) {
  Cluster cluster{.name = "small", .nodes = {}};
  const std::vector<std::string> models = {"T4", "V100", "G2"};
  for (int i = 0; i < 30; ++i) {
    TraceNode node{.name = "node-" + std::to_string(i)};
    node.cpu_milli = random.between(8, 96) * 1000;
    node.memory_mib = random.between(32, 512) * 1024;
    node.gpus = static_cast<std::int32_t>(std::vector{0, 1, 2, 4, 8}[static_cast<std::size_t>(random.below(5))]);
    if (node.gpus > 0) node.model = models[static_cast<std::size_t>(random.below(3))];
    cluster.nodes.push_back(std::move(node));
  }
  return cluster;
}

Workload small_workload(Random& random) {
  Workload workload{.name = "small", .pods = {}};
  for (int i = 0; i < 120; ++i) {
    TracePod pod{.name = "pod-" + std::to_string(i)};
    pod.cpu_milli = random.chance(1, 10) ? 0 : random.between(1, 24) * 500;
    pod.memory_mib = random.between(0, 32) * 1024;
    const std::uint64_t kind = random.below(10);
    if (kind >= 2) {
      pod.gpus = 1;
      pod.gpu_milli = kind < 6 ? static_cast<std::int32_t>(random.between(1, 995)) : 1000;
      if (kind == 9) pod.gpus = 1 << random.below(4);
      if (random.chance(1, 4)) pod.models = {"G2"};
      if (random.chance(1, 8)) pod.models = {"T4", "V100"};
    }
    workload.pods.push_back(std::move(pod));
  }
  return workload;
}

reference::StudyPolicy twin_policy(Policy policy) {
  switch (policy) {
    case Policy::kRandom:
      break;
    case Policy::kDotProduct:
      return reference::StudyPolicy::kDotProduct;
    case Policy::kClustering:
      return reference::StudyPolicy::kClustering;
    case Policy::kPacking:
      return reference::StudyPolicy::kPacking;
    case Policy::kBestFit:
      return reference::StudyPolicy::kBestFit;
    case Policy::kFragmentationGradient:
      return reference::StudyPolicy::kFragmentationGradient;
    case Policy::kBerth:
      return reference::StudyPolicy::kBerth;
    case Policy::kCardPacking:
    case Policy::kBerthLearned:
    case Policy::kDefault:
      break;
  }
  std::abort();
}

struct TwinRun {
  reference::StudyRun run;
  std::uint64_t hash = 0;
};

std::vector<reference::TypicalPod> typical_pods(const Workload& workload, std::int64_t coverage) {
  engine::Names names;
  const engine::TargetWorkload target = target_workload(workload.pods, coverage, names);
  std::vector<reference::TypicalPod> typical;
  for (const engine::TargetShape& shape : target.shapes()) {
    reference::StudyPod pod{shape.cpu, 0, shape.card_count, shape.card_milli, {}};
    for (const engine::ProductId product : shape.products) pod.models.emplace_back(names.products.text(product));
    typical.push_back({pod, shape.count});
  }
  return typical;
}

TwinRun run_twin(const Cluster& cluster, const Workload& workload, Policy policy, std::uint64_t seed) {
  std::vector<reference::StudyNode> nodes;
  for (const TraceNode& node : cluster.nodes) {
    nodes.push_back({node.name, node.cpu_milli, node.memory_mib, node.gpus, node.model});
  }
  std::vector<reference::StudyPod> pods;
  Random random(seed);
  for (const std::uint32_t i : inflate(workload.pods, capacity_milli(cluster.nodes) * kArrivedPercent / 100, random)) {
    const TracePod& pod = workload.pods[i];
    pods.push_back({pod.cpu_milli, pod.memory_mib, pod.gpus, pod.gpu_milli, pod.models});
  }
  TwinRun twin{reference::run_study(nodes, pods, typical_pods(workload, kStudyCoverage),
                                    typical_pods(workload, kBerthCoverage), twin_policy(policy), seed)};
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const reference::StudyPlacement& placement = twin.run.placements[i];
    if (placement.node < 0) {
      twin.hash = split_mix(twin.hash);
      continue;
    }
    twin.hash = split_mix(twin.hash ^ stable_hash(nodes[static_cast<std::size_t>(placement.node)].name));
    for (const int card : placement.cards) twin.hash = split_mix(twin.hash ^ static_cast<std::uint64_t>(card));
  }
  return twin;
}

TEST(OpenbStudy, DecidesAsTheSlowTwinPodByPod) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Random random(seed);
    const Cluster cluster = small_cluster(random);
    const Workload workload = small_workload(random);
    const std::int64_t capacity = capacity_milli(cluster.nodes);
    for (const Policy policy : kPolicies) {
      if (policy == Policy::kRandom) continue;             // draws; has no one right answer
      if (policy == Policy::kBerthLearned) continue;       // kBerth with another target
      if (policy == Policy::kCardPacking) continue;        // no policy of the study: see card_packing_test.cc
      if (policy == Policy::kDefault) continue;            // a whole profile
      if (policy == Policy::kBerth && seed > 3) continue;  // a second each
      SCOPED_TRACE(std::string(name_of(policy)) + " seed " + std::to_string(seed));
      const auto fast = run(cluster, workload, policy, seed, Ties::kFixed);
      ASSERT_TRUE(fast) << fast.error().to_string();
      const TwinRun twin = run_twin(cluster, workload, policy, seed);
      ASSERT_EQ(static_cast<std::size_t>(fast->pods), twin.run.steps.size());
      ASSERT_EQ(fast->placements_hash, twin.hash);
      const reference::StudyStep& last = twin.run.steps.back();
      const std::size_t at = static_cast<std::size_t>(
          std::lround(100.0 * static_cast<double>(last.arrived_milli) / static_cast<double>(capacity)));
      // The last percent holds the last pods; its mean lies between their extremes.
      ASSERT_TRUE(fast->allocated[at]);
      EXPECT_LE(*fast->allocated[at],
                100.0 * static_cast<double>(last.used_milli) / static_cast<double>(capacity) + 1e-9);
      double fragmented = 0;
      std::size_t count = 0;
      for (const reference::StudyStep& step : twin.run.steps) {
        if (std::lround(100.0 * static_cast<double>(step.arrived_milli) / static_cast<double>(capacity)) !=
            static_cast<long>(at))
          continue;
        fragmented += step.fragmented_milli;
        ++count;
      }
      EXPECT_NEAR(*fast->fragmented[at],
                  100.0 * fragmented / static_cast<double>(count) / static_cast<double>(capacity), 1e-6);
    }
  }
}

TEST(OpenbStudy, RandomPolicyAndRandomTiesRepeatForOneSeedAndDifferBetweenSeeds) {
  Random random(3);
  const Cluster cluster = small_cluster(random);
  const Workload workload = small_workload(random);
  for (const auto& [policy, ties] :
       {std::pair(Policy::kRandom, Ties::kFixed), std::pair(Policy::kPacking, Ties::kRandom)}) {
    const auto first = run(cluster, workload, policy, 7, ties);
    const auto again = run(cluster, workload, policy, 7, ties);
    const auto other = run(cluster, workload, policy, 8, ties);
    EXPECT_EQ(first->placements_hash, again->placements_hash);
    EXPECT_NE(first->placements_hash, other->placements_hash);
  }
  EXPECT_NE(run(cluster, workload, Policy::kPacking, 7, Ties::kRandom)->placements_hash,
            run(cluster, workload, Policy::kPacking, 7, Ties::kFixed)->placements_hash);
}

// Allocation at the last percent up to 100 that some pod rounds to.
double allocated_at_100(const Run& run) {
  std::size_t at = 100;
  while (at > 0 && !run.allocated[at]) --at;
  return run.allocated[at].value_or(0);
}

TEST(OpenbStudy, NamesAndOrderOfNodesDoNotMatterToBerth) {
  Random random(9);
  const Cluster cluster = small_cluster(random);
  const Workload workload = small_workload(random);
  Cluster renamed = cluster;
  std::ranges::reverse(renamed.nodes);
  for (std::size_t i = 0; i < renamed.nodes.size(); ++i) renamed.nodes[i].name = "other-" + std::to_string(i * 7 % 30);
  for (const Ties ties : {Ties::kFixed, Ties::kRandom}) {
    constexpr int kSeeds = 20;
    double sum = 0;
    double squares = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const auto one = run(cluster, workload, Policy::kBerth, seed, ties);
      const auto other = run(renamed, workload, Policy::kBerth, seed, ties);
      ASSERT_TRUE(one && other);
      const double difference = allocated_at_100(*one) - allocated_at_100(*other);
      sum += difference;
      squares += difference * difference;
    }
    const double error = std::sqrt(squares / kSeeds / kSeeds);
    EXPECT_LE(std::abs(sum / kSeeds), 3 * error + 1e-9);
  }
}

// A and Z are as frequent and ask for the same: which of them is expected first must not depend on their names.
TEST(OpenbStudy, NamesOfModelsDoNotMatter) {
  Random random(21);
  Cluster cluster = small_cluster(random);
  Workload workload = small_workload(random);
  for (int i = 0; i < 60; ++i) {
    TracePod pod{.name = "either-" + std::to_string(i), .cpu_milli = 4000, .gpus = 1, .gpu_milli = 700};
    pod.models = {i % 2 == 0 ? "T4" : "G2"};
    workload.pods.push_back(std::move(pod));
  }
  const std::map<std::string, std::string> others = {{"T4", "A4"}, {"V100", "B9"}, {"G2", "Z2"}, {"", ""}};
  const std::map<std::string, std::string> swapped = {{"T4", "Z4"}, {"V100", "M9"}, {"G2", "A2"}, {"", ""}};
  const auto renamed = [&](const std::map<std::string, std::string>& names, Policy policy) {
    Cluster nodes = cluster;
    for (TraceNode& node : nodes.nodes) node.model = names.at(node.model);
    Workload pods = workload;
    for (TracePod& pod : pods.pods) {
      for (std::string& model : pod.models) model = names.at(model);
      std::ranges::sort(pod.models);
    }
    return run(nodes, pods, policy, 4, Ties::kFixed).value().placements_hash;
  };
  for (const Policy policy : kPolicies) EXPECT_EQ(renamed(others, policy), renamed(swapped, policy)) << name_of(policy);
}

// Three pods in a hundred want eight cards and nearly all CPU of a node: beyond the 95 % of the most frequent, yet a
// quarter of all GPU that is asked for. A node that has taken one share is lost to them.
TEST(OpenbStudy, NodesAreKeptForFewPodsOfEightGpus) {
  Cluster cluster{.name = "eights", .nodes = {}};
  for (int i = 0; i < 200; ++i) {
    cluster.nodes.push_back(
        {.name = "node-" + std::to_string(i), .cpu_milli = 96'000, .memory_mib = 1 << 20, .gpus = 8, .model = "G2"});
  }
  Workload workload{.name = "few eights", .pods = {}};
  for (int i = 0; i < 100; ++i) {
    TracePod pod{.name = "pod-" + std::to_string(i)};
    pod.gpus = i < 3 ? 8 : 1;
    pod.gpu_milli = i < 3 ? 1000 : 700;
    pod.cpu_milli = i < 3 ? 90'000 : 8'000;
    workload.pods.push_back(std::move(pod));
  }
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto result = run(cluster, workload, Policy::kBerth, seed, Ties::kRandom);
    ASSERT_TRUE(result) << result.error().to_string();
    ASSERT_TRUE(result->allocated[60]);
    EXPECT_GT(*result->allocated[60], 59.0) << "seed " << seed << ": nobody has to fail at this load";
  }
}

TEST(OpenbStudy, ResultDoesNotDependOnTheNumberOfThreads) {
  Random random(5);
  Study study{.cluster = small_cluster(random),
              .workloads = {small_workload(random)},
              .policies = {kPolicies.begin(), kPolicies.end()},
              .seeds = {1, 2}};
  const auto one = run_all(study, 1, {});
  const auto four = run_all(study, 4, {});
  ASSERT_TRUE(one && four);
  EXPECT_EQ(render_csv(*one), render_csv(*four));
  EXPECT_EQ(render_json(study, *one), render_json(study, *four));
}

TEST(OpenbStudy, RefusesAClusterWithoutGpus) {
  const Cluster cluster{.name = "cpu.csv", .nodes = {{.name = "n", .cpu_milli = 1000, .memory_mib = 1}}};
  const auto result = run(cluster, {}, Policy::kBestFit, 1, Ties::kFixed);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().place.file, "cpu.csv");
}

struct Published {
  double mean = 0;
  double deviation = 0;
};

// Published allocation at 100 % arrived, by (workload, policy).
std::map<std::pair<std::string, std::string>, Published> read_published(const std::string& path) {
  const std::map<std::string, std::string> policies = {
      {"01-Random", "random"},      {"02-DotProd", "dotprod"}, {"03-GpuClustering", "clustering"},
      {"04-GpuPacking", "packing"}, {"05-BestFit", "bestfit"}, {"06-FGD", "fgd"}};
  std::map<std::pair<std::string, std::string>, Published> result;
  const auto content = text::read_file(path);
  const auto table = text::parse_csv(content.value(), path).value();
  const auto cell = [&](const std::vector<std::string>& row, std::string_view column) {
    return row[static_cast<std::size_t>(table.column(column))];
  };
  for (const auto& row : table.rows) {
    if (cell(row, "metric") != "gpu_alloc_pct" || cell(row, "arrived_pct") != "100") continue;
    result[{workload_name(cell(row, "workload")), policies.at(cell(row, "policy"))}] = {std::stod(cell(row, "mean")),
                                                                                        std::stod(cell(row, "std"))};
  }
  return result;
}

// The short form of the study; skipped where the trace is not there.
class OpenbShortForm : public testing::Test {
 protected:
  void SetUp() override {
    const char* shared_variable = std::getenv("BERTH_SHARED");
    const std::string shared = shared_variable != nullptr ? shared_variable : "../shared";
    const std::string folder = shared + "/traces/alibaba-openb-v2023/";
    if (!std::filesystem::exists(folder)) {
      GTEST_SKIP() << "needs the openb traces under BERTH_SHARED (" << shared << ")";
    }
    study.cluster = {"nodes", read_nodes(folder + "openb_node_list_gpu_node.csv").value()};
    for (const std::string name : {"default", "gpuspec25"}) {
      study.workloads.push_back({name, read_pods(folder + "openb_pod_list_" + name + ".csv").value(), {}});
    }
    published = read_published(shared + "/traces/fgd-atc23-published/summary_mean_std.csv");
  }

  Study study;
  std::map<std::pair<std::string, std::string>, Published> published;
};

TEST_F(OpenbShortForm, IsWithinThePublishedMeans) {
  study.policies = {kPublishedPolicies.begin(), kPublishedPolicies.end()};
  study.seeds = {42, 43};
  const auto runs = run_all(study, 2, {});
  ASSERT_TRUE(runs) << runs.error().to_string();
  for (const Summary& summary : summarize(*runs)) {
    const Published& expected = published.at({summary.workload, std::string(name_of(summary.policy))});
    // Two seeds instead of ten: the mean of two strays by sqrt(5) times as much.
    const double tolerance = std::max(0.3, 1.4 * expected.deviation) * std::sqrt(5.0) / 1.4;
    EXPECT_NEAR(summary.allocated_at_100->mean, expected.mean, tolerance)
        << summary.workload << " " << name_of(summary.policy);
  }
}

TEST_F(OpenbShortForm, BerthIsBetweenThePublishedLeaderAndTheBound) {
  study.policies = {Policy::kBerth};
  study.seeds = {42};
  study.ties = Ties::kRandom;
  const auto runs = run_all(study, 2, {});
  ASSERT_TRUE(runs) << runs.error().to_string();
  for (const auto& run : *runs) {
    SCOPED_TRACE(run.workload);
    const auto workload = std::ranges::find(study.workloads, run.workload, &Workload::name);
    const double bound = upper_bound_at_100(study.cluster, *workload).value();
    EXPECT_GT(*run.allocated[100], published.at({run.workload, "fgd"}).mean);
    EXPECT_LE(*run.allocated[100], bound);
  }
}

}  // namespace
}  // namespace berth::sim::openb
