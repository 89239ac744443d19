#include "sim/openb/upper_bound.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"
#include "sim/openb/column_program.h"
#include "sim/openb/node_packing.h"

namespace berth::sim::openb {
namespace {

// The best packing by trying every sequence of pods and every card for each.
std::int64_t by_search(std::int64_t cpu, std::vector<std::int32_t>& cards, const std::vector<PackedPod>& pods,
                       const std::vector<std::int64_t>& values, std::size_t from) {
  std::int64_t best = 0;
  for (std::size_t i = from; i < pods.size(); ++i) {
    const PackedPod& pod = pods[i];
    if (values[i] <= 0 || pod.cpu_milli > cpu) continue;
    if (pod.milli == 1000) {
      if (std::ranges::count(cards, 1000) < pod.cards) continue;
      const std::vector<std::int32_t> before = cards;
      for (std::int32_t n = 0; n < pod.cards; ++n) *std::ranges::find(cards, 1000) = 0;
      best = std::max(best, values[i] + by_search(cpu - pod.cpu_milli, cards, pods, values, i));
      cards = before;
      continue;
    }
    for (std::int32_t& card : cards) {
      if (card < pod.milli) continue;
      card -= pod.milli;
      best = std::max(best, values[i] + by_search(cpu - pod.cpu_milli, cards, pods, values, i));
      card += pod.milli;
    }
  }
  return best;
}

TEST(NodePacking, AgreesWithTheSearchOnSmallNodes) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<PackedPod> pods;
    std::vector<std::int64_t> values;
    for (int i = 0; i < 4; ++i) {
      const bool whole = random.chance(1, 3);
      pods.push_back({random.between(1, 8) * 500, whole ? static_cast<std::int32_t>(random.between(1, 2)) : 1,
                      whole ? 1000 : static_cast<std::int32_t>(random.between(3, 9) * 100)});
      values.push_back(random.between(0, 20));
    }
    const std::int64_t cpu = random.between(1, 12) * 500;
    std::vector<std::int32_t> cards(static_cast<std::size_t>(random.between(1, 3)), 1000);
    const Packing packing = best_packing(cpu, static_cast<std::int32_t>(cards.size()), pods, values);
    EXPECT_EQ(packing.value, by_search(cpu, cards, pods, values, 0));
    std::int64_t value = 0;
    std::int64_t used_cpu = 0;
    for (std::size_t i = 0; i < pods.size(); ++i) {
      value += values[i] * packing.counts[i];
      used_cpu += pods[i].cpu_milli * packing.counts[i];
    }
    EXPECT_EQ(value, packing.value);
    EXPECT_LE(used_cpu, cpu);
  }
}

TEST(ColumnProgram, SolvesATextbookProgram) {
  // max 3x + 5y with x <= 4, 2y <= 12, 3x + 2y <= 18: 36 at (2, 6), prices 0, 1.5 and 1.
  ColumnProgram program({4, 12, 18});
  program.add({3, {{0, 1}, {2, 3}}});
  program.add({5, {{1, 2}, {2, 2}}});
  program.solve();
  EXPECT_NEAR(program.objective(), 36, 1e-9);
  EXPECT_NEAR(program.prices()[0], 0, 1e-9);
  EXPECT_NEAR(program.prices()[1], 1.5, 1e-9);
  EXPECT_NEAR(program.prices()[2], 1, 1e-9);
}

TEST(ColumnProgram, GoesOnWithAColumnFoundLater) {
  ColumnProgram program({10});
  program.add({1, {{0, 1}}});
  program.solve();
  EXPECT_NEAR(program.objective(), 10, 1e-9);
  program.add({3, {{0, 2}}});
  program.solve();
  EXPECT_NEAR(program.objective(), 15, 1e-9);
}

TEST(UpperBound, IsExactWhereTheAnswerIsPlain) {
  const Cluster cluster{.name = "c", .nodes = {{.name = "n", .cpu_milli = 64'000, .gpus = 4, .model = "G2"}}};
  const TracePod most{.name = "p", .cpu_milli = 1000, .gpus = 1, .gpu_milli = 800, .models = {}};
  EXPECT_NEAR(upper_bound_at_100(cluster, {.name = "w", .pods = {most}}).value(), 80, 0.01) << "a card holds one";
  const TracePod third{.name = "q", .cpu_milli = 1000, .gpus = 1, .gpu_milli = 200, .models = {}};
  EXPECT_NEAR(upper_bound_at_100(cluster, {.name = "w", .pods = {most, third}}).value(), 100, 0.01)
      << "they fit together";
  const TracePod hungry{.name = "h", .cpu_milli = 32'000, .gpus = 1, .gpu_milli = 1000, .models = {}};
  EXPECT_NEAR(upper_bound_at_100(cluster, {.name = "w", .pods = {hungry}}).value(), 50, 0.01) << "there is CPU for two";
  const TracePod elsewhere{.name = "e", .cpu_milli = 1000, .gpus = 1, .gpu_milli = 1000, .models = {"T4"}};
  EXPECT_NEAR(upper_bound_at_100(cluster, {.name = "w", .pods = {elsewhere}}).value(), 0, 0.01);
  EXPECT_EQ(upper_bound_at_100(cluster, {.name = "w", .pods = {}}).value(), 0);
}

TEST(UpperBound, NodesWithMoreCoresThanTablesHoldAreRefused) {
  const Cluster cluster{.name = "c.csv", .nodes = {{.name = "n", .cpu_milli = 1'000'000'000, .gpus = 1}}};
  const TracePod pod{.name = "p", .cpu_milli = 1000, .gpus = 1, .gpu_milli = 1000, .models = {}};
  const auto bound = upper_bound_at_100(cluster, {.name = "w", .pods = {pod}});
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().place.file, "c.csv");
}

TEST(UpperBound, NoPolicyExceedsIt) {
  Random random(11);
  Cluster cluster{.name = "c", .nodes = {}};
  for (int i = 0; i < 40; ++i) {
    cluster.nodes.push_back({.name = "n" + std::to_string(i),
                             .cpu_milli = random.between(16, 96) * 1000,
                             .memory_mib = 1 << 20,
                             .gpus = 1 << random.below(4),
                             .model = random.chance(1, 2) ? "G2" : "T4"});
  }
  Workload workload{.name = "w", .pods = {}};
  for (int i = 0; i < 200; ++i) {
    TracePod pod{.name = "p" + std::to_string(i), .cpu_milli = random.between(1, 24) * 500, .gpus = 1};
    pod.gpu_milli = random.chance(1, 2) ? 1000 : static_cast<std::int32_t>(random.between(2, 18) * 50);
    if (random.chance(1, 5)) pod.models = {"T4"};
    workload.pods.push_back(std::move(pod));
  }
  const double bound = upper_bound_at_100(cluster, workload).value();
  EXPECT_GT(bound, 50);
  EXPECT_LE(bound, 100.01);
  for (const Policy policy : {Policy::kBestFit, Policy::kFragmentationGradient, Policy::kBerth}) {
    // On a cluster this small one run strays from the mean arrivals; the mean of ten must not exceed the bound.
    double sum = 0;
    int seeds = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto run = openb::run(cluster, workload, policy, seed, Ties::kRandom);
      ASSERT_TRUE(run);
      if (!run->allocated[100]) continue;
      sum += *run->allocated[100];
      ++seeds;
    }
    ASSERT_GT(seeds, 5);
    EXPECT_LE(sum / seeds, bound + 0.5) << name_of(policy);
  }
}

}  // namespace
}  // namespace berth::sim::openb
