// The twin's scores against values worked out by hand.
#include "reference/scores.h"

#include <gtest/gtest.h>

#include "support/builders.h"

namespace berth::reference {
namespace {

using Numbers = std::vector<std::int64_t>;
using api::Plugin;
using support::node;
using support::pod;
using support::selector;
using support::term;

ScoreColumn column(const Objects& objects, const api::Pod& candidate, Plugin plugin,
                   const api::SchedulerProfile& profile = support::upstream_profile()) {
  const Snapshot snapshot = take_snapshot(objects);
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < objects.nodes.size(); ++i) all.push_back(i);
  return score({snapshot, candidate, profile}, all, plugin);
}

api::SchedulerProfile fit_profile(api::ScoringStrategy strategy, std::vector<api::ResourceWeight> resources) {
  api::SchedulerProfile profile = support::upstream_profile();
  profile.node_resources_fit.strategy = strategy;
  profile.node_resources_fit.resources = std::move(resources);
  return profile;
}

TEST(FitScore, LeastAllocatedCountsAssumedRequests) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000).memory_gi(1), node("b").cpu(2000).memory_gi(2)};
  objects.pods = {pod("r").on("a").cpu(300)};  // and 200Mi assumed
  // a: cpu (1000-400)/1000 = 60, memory (1024-400)/1024 = 60.9 -> 60; b: cpu 95, memory 1848/2048 = 90.2 -> 90.
  EXPECT_EQ(column(objects, pod("p"), Plugin::kNodeResourcesFit).raw, (Numbers{60, 92}));
}

TEST(FitScore, MostAllocatedWithCardWeight) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000).gpus(8), node("b").cpu(1000).gpus(8), node("c").cpu(1000)};
  objects.pods = {pod("r").on("a").cpu(0).gpus(5)};
  const auto profile = fit_profile(api::ScoringStrategy::kMostAllocated, {{"cpu", 1}, {"nvidia.com/gpu", 10}});
  // a: cpu 50, cards 6 of 8 = 75 -> (50 + 750) / 11 = 72; b: cards 1 of 8 = 12 -> (50 + 120) / 11 = 15; c: cpu alone.
  EXPECT_EQ(column(objects, pod("p").cpu(500).gpus(1), Plugin::kNodeResourcesFit, profile).raw, (Numbers{72, 15, 50}));
}

TEST(FitScore, RatioFollowsItsShape) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000), node("b").cpu(4000)};
  auto profile = fit_profile(api::ScoringStrategy::kRequestedToCapacityRatio, {{"cpu", 1}});
  profile.node_resources_fit.shape = {{0, 10}, {50, 3}, {100, 0}};
  // a: 25 % -> 100 + (30 - 100) * 25 / 50 = 65; b: 6 % -> 100 - 70 * 6 / 50 = 100 - 8 = 92.
  EXPECT_EQ(column(objects, pod("p").cpu(250), Plugin::kNodeResourcesFit, profile).raw, (Numbers{65, 92}));
}

TEST(FitScore, DoesNotSeePodLevelRequests) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000)};
  const auto profile = fit_profile(api::ScoringStrategy::kMostAllocated, {{"cpu", 1}});
  api::Pod candidate = pod("p");
  candidate.spec.resources.emplace().requests["cpu"] = api::Quantity::from_milli(700);
  EXPECT_EQ(column(objects, candidate, Plugin::kNodeResourcesFit, profile).raw, (Numbers{10}));
  objects.pods = {candidate};
  objects.pods.front().spec.node_name = "a";
  EXPECT_EQ(column(objects, pod("q"), Plugin::kNodeResourcesFit, profile).raw, (Numbers{80})) << "but sees placed ones";
}

TEST(BalancedAllocationScore, ComparesWithAndWithoutThePod) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000).memory_gi(1), node("b").cpu(1000).memory_gi(1)};
  objects.pods = {pod("r").on("b").memory_mi(512)};
  // a: before balanced (100), after cpu .5 memory 0: 75 -> 50 + (50 + 75 - 100) / 2 = 62.
  // b: before memory .5: 75, after .5 and .5: 100 -> 50 + (50 + 25) / 2 = 87.
  EXPECT_EQ(column(objects, pod("p").cpu(500), Plugin::kNodeResourcesBalancedAllocation).raw, (Numbers{62, 87}));
  EXPECT_TRUE(column(objects, pod("p"), Plugin::kNodeResourcesBalancedAllocation).skipped);
}

TEST(TaintScore, FewerUntoleratedSoftTaints) {
  Objects objects;
  const auto soft = api::TaintEffect::kPreferNoSchedule;
  objects.nodes = {node("a"), node("b").taint("x", "", soft), node("c").taint("x", "", soft).taint("y", "", soft)};
  const auto result = column(objects, pod("p"), Plugin::kTaintToleration);
  EXPECT_EQ(result.raw, (Numbers{0, 1, 2}));
  EXPECT_EQ(result.normalized, (Numbers{100, 50, 0}));
}

TEST(NodeAffinityScore, SumsAndScales) {
  Objects objects;
  objects.nodes = {node("a").label("k", "1").label("l", "1"), node("b").label("k", "1"), node("c")};
  const api::Pod candidate = pod("p")
                                 .prefer_node(20, support::node_term("k", api::SelectorOperator::kExists, {}))
                                 .prefer_node(40, support::node_term("l", api::SelectorOperator::kExists, {}));
  const auto result = column(objects, candidate, Plugin::kNodeAffinity);
  EXPECT_EQ(result.raw, (Numbers{60, 20, 0}));
  EXPECT_EQ(result.normalized, (Numbers{100, 33, 0}));
  EXPECT_TRUE(column(objects, pod("q"), Plugin::kNodeAffinity).skipped);
}

TEST(ImageLocalityScore, LargeAndWidespreadImages) {
  Objects objects;
  const std::int64_t size = 523LL * 1024 * 1024;
  objects.nodes = {node("a").image("big:latest", size), node("b").image("big:latest", size), node("c")};
  // 523 Mi * 2/3 = 348.67 Mi; (348.67 - 23) / (1000 - 23) = 33.3 %.
  EXPECT_EQ(column(objects, pod("p").image("big"), Plugin::kImageLocality).raw, (Numbers{33, 33, 0}));
  EXPECT_EQ(column(objects, pod("p").image("host:5000/big"), Plugin::kImageLocality).raw, (Numbers{0, 0, 0}));
}

TEST(SpreadScore, CountsByDomainAndIgnoresNodesWithoutKey) {
  Objects objects;
  objects.nodes = {node("a").zone("z1"), node("b").zone("z1"), node("c").zone("z2"), node("d")};
  objects.pods = {pod("r").label("app", "web").on("a"), pod("s").label("app", "web").on("b")};
  api::TopologySpreadConstraint constraint;
  constraint.topology_key = "topology.kubernetes.io/zone";
  constraint.when_unsatisfiable = api::UnsatisfiableAction::kScheduleAnyway;
  constraint.label_selector = selector("app", "web");
  const auto result = column(objects, pod("p").spread(constraint), Plugin::kPodTopologySpread);
  // weight log(2 + 2) = 1.386; 2 * 1.386 = 2.77 -> 3.
  EXPECT_EQ(result.raw, (Numbers{3, 3, 0, 0}));
  EXPECT_EQ(result.normalized, (Numbers{0, 0, 100, 0}));
}

TEST(SpreadScore, DefaultsFollowTheService) {
  Objects objects;
  objects.nodes = {node("a").zone("z1"), node("b").zone("z1")};
  objects.pods = {pod("r").label("app", "web").on("a")};
  EXPECT_TRUE(column(objects, pod("p").label("app", "web"), Plugin::kPodTopologySpread).skipped);
  api::Service service;
  service.metadata.name = "web";
  service.metadata.namespace_ = "default";
  service.selector = {{"app", "web"}};
  objects.services = {service};
  // host log(4) * 1 + 2, zone log(3) * 1 + 4: a 3.386 + 5.099 = 8.48 -> 8, b 2 + 5.099 = 7.1 -> 7.
  const auto result = column(objects, pod("p").label("app", "web"), Plugin::kPodTopologySpread);
  EXPECT_EQ(result.raw, (Numbers{8, 7}));
  EXPECT_EQ(result.normalized, (Numbers{87, 100}));
}

TEST(InterPodAffinityScore, WishesOfBothSides) {
  Objects objects;
  objects.nodes = {node("a").zone("z1"), node("b").zone("z2"), node("c").zone("z3")};
  const std::string zone = "topology.kubernetes.io/zone";
  objects.pods = {pod("r").label("app", "web").on("a"), pod("s").dislike(5, term(zone, selector("app", "job"))).on("b"),
                  pod("t").near(term(zone, selector("app", "job"))).on("c")};
  const api::Pod job = pod("p").label("app", "job").like(10, term(zone, selector("app", "web")));
  const auto result = column(objects, job, Plugin::kInterPodAffinity);
  EXPECT_EQ(result.raw, (Numbers{10, -5, 1}));
  EXPECT_EQ(result.normalized, (Numbers{100, 0, 40}));
  api::SchedulerProfile deaf = support::upstream_profile();
  deaf.inter_pod_affinity.ignore_preferred_terms_of_existing_pods = true;
  EXPECT_TRUE(column(objects, pod("q").label("app", "job"), Plugin::kInterPodAffinity, deaf).skipped);
  EXPECT_TRUE(column(objects, pod("q"), Plugin::kInterPodAffinity).skipped);
}

}  // namespace
}  // namespace berth::reference
