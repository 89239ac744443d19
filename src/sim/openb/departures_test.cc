#include "sim/openb/departures.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace berth::sim::openb {
namespace {

TracePod pod(std::int32_t gpus, std::int32_t milli, std::int64_t from, std::int64_t until) {
  return {.name = "pod",
          .cpu_milli = 1000,
          .memory_mib = 1024,
          .gpus = gpus,
          .gpu_milli = milli,
          .models = {},
          .created = from,
          .deleted = until};
}

Cluster nodes(int count, std::int32_t gpus) {
  Cluster cluster{.name = "nodes.csv", .nodes = {}};
  for (int i = 0; i < count; ++i) {
    cluster.nodes.push_back({"node-" + std::to_string(i), 64'000, 262'144, gpus, "G2"});
  }
  return cluster;
}

DepartureRun replay(const std::vector<TracePod>& pods, std::int64_t percent, Policy policy = Policy::kBestFit) {
  const Workload workload{.name = "list.csv", .pods = pods, .upper_bound = {}};
  return run_with_departures(nodes(4, 1), workload, policy, 1, Ties::kFixed,
                             {.kind = DepartureOptions::Kind::kReplay, .percent = percent})
      .value();
}

TEST(OpenbDepartures, WhoDoesNotFitWaitsUntilAnotherGoes) {
  // Three GPUs are asked for at the busiest time; 60 % of them are two nodes.
  const std::vector<TracePod> pods = {pod(1, 1000, 0, 100), pod(1, 1000, 10, 50), pod(1, 1000, 20, 90),
                                      pod(1, 1000, 200, 300)};
  const DepartureRun run = replay(pods, 60);
  EXPECT_EQ(run.gpus, 2);
  EXPECT_EQ(run.pods, 4);
  EXPECT_EQ(run.waited, 1);
  EXPECT_DOUBLE_EQ(run.mean_wait, 30.0 / 4) << "the third waits from 20 to 50";
  EXPECT_DOUBLE_EQ(run.late_wait, 30);
  // In 200 seconds: 100, 40 and, from 50 on, 70.
  EXPECT_DOUBLE_EQ(run.allocated, 100.0 * 210 / (2 * 200));
  EXPECT_DOUBLE_EQ(run.waiting_time, 100.0 * 30 / 200);
  EXPECT_DOUBLE_EQ(run.free_while_waiting, 0);
}

TEST(OpenbDepartures, WhoGoesGivesItsCardBack) {
  std::vector<TracePod> pods;
  for (int i = 0; i < 50; ++i) pods.push_back(pod(1, 600, i * 100, i * 100 + 100));
  const DepartureRun run = replay(pods, 100);
  EXPECT_EQ(run.gpus, 1);
  EXPECT_EQ(run.waited, 0);
  EXPECT_DOUBLE_EQ(run.allocated, 60);
}

TEST(OpenbDepartures, PodsThatFitOnNoNodeAreLeftOut) {
  const DepartureRun run = replay({pod(1, 1000, 0, 100), pod(2, 1000, 5, 50), pod(1, 1000, 60, 80)}, 100);
  EXPECT_EQ(run.left_out, 1);
  EXPECT_EQ(run.pods, 2);
}

TEST(OpenbDepartures, AListWithoutTimesIsRefused) {
  TracePod timeless = pod(1, 1000, 0, 1);
  timeless.created.reset();
  const Workload workload{.name = "list.csv", .pods = {timeless}, .upper_bound = {}};
  const auto run = run_with_departures(nodes(1, 1), workload, Policy::kBestFit, 1, Ties::kFixed, {});
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().to_string().find("creation_time"), std::string::npos);
}

TEST(OpenbDepartures, LoadedRunsRepeatAndTheirLoadIsWhatWasAsked) {
  Random random(3);
  std::vector<TracePod> pods;
  for (int i = 0; i < 200; ++i) {
    const std::int64_t from = random.between(0, 1000);
    const auto milli = static_cast<std::int32_t>(random.chance(1, 2) ? 1000 : random.between(1, 9) * 100);
    pods.push_back(pod(1, milli, from, from + random.between(1000, 40'000)));
  }
  Study study{.cluster = nodes(200, 2), .policies = {Policy::kBestFit, Policy::kBerth, Policy::kBerthLearned}};
  study.workloads.push_back({.name = "list.csv", .pods = pods, .upper_bound = {}});
  study.seeds = {1, 2, 3};
  const DepartureOptions options{.kind = DepartureOptions::Kind::kLoad, .percent = 60};
  const auto one = run_all_with_departures(study, options, 1, {});
  const auto other = run_all_with_departures(study, options, 3, {});
  ASSERT_TRUE(one && other);
  EXPECT_EQ(*one, *other);
  for (const DepartureRun& run : *one) {
    EXPECT_EQ(run.gpus, 20);
    EXPECT_NEAR(run.allocated, 60, 8);
  }
}

// Two pods that take any card and one that needs a G2 come at a time; the G2 are on the smaller nodes, which are filled
// first by who expects nothing, so that two thirds of those who need one wait. Groups of three never make the count of
// arrivals a power of two.
TEST(OpenbDepartures, WhoLearnsLearnsFromPodsThatComeInGroups) {
  std::vector<TracePod> pods;
  for (int i = 0; i < 300; ++i) {
    pods.push_back(pod(1, 1000, i / 3 * 10, 1'000'000));
    if (i % 3 == 2) pods.back().models = {"G2"};
  }
  Cluster cluster = nodes(75, 8);
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    if (i < 50) cluster.nodes[i].gpus = 2;
    if (i >= 50) cluster.nodes[i].model = "T4";
  }
  const Workload workload{.name = "groups.csv", .pods = pods, .upper_bound = {}};
  const auto waited = [&](Policy policy) {
    return run_with_departures(cluster, workload, policy, 1, Ties::kFixed,
                               {.kind = DepartureOptions::Kind::kReplay, .percent = 100})
        .value()
        .waited;
  };
  EXPECT_GE(waited(Policy::kBestFit), 60);
  EXPECT_LT(waited(Policy::kBerthLearned), 50) << "after the first 22 groups the other G2 are kept";
  EXPECT_EQ(waited(Policy::kBerth), 0);
}

TEST(OpenbDepartures, PodsTooSmallToLoadTheClusterAreRefused) {
  const Workload workload{.name = "tiny.csv", .pods = {pod(1, 1, 0, 1)}, .upper_bound = {}};
  const auto run = run_with_departures(nodes(100, 8), workload, Policy::kBestFit, 1, Ties::kFixed,
                                       {.kind = DepartureOptions::Kind::kLoad, .percent = 100});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().place.file, "tiny.csv");
}

}  // namespace
}  // namespace berth::sim::openb
