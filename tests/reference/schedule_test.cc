// The twin's loop, its preemption and its reason classes.
#include "reference/schedule.h"

#include <gtest/gtest.h>

#include "reference/reasons.h"
#include "support/builders.h"

namespace berth::reference {
namespace {

using support::node;
using support::pod;
using support::selector;
using support::term;

Settings settings() { return {{support::upstream_profile()}, 1, true}; }

// "+p@a" placed, "-v@a" evicted, in order.
std::string told(const Objects& objects) {
  std::string text;
  for (const Decision& decision : schedule(objects, settings()).decisions) {
    if (!text.empty()) text += ' ';
    text += decision.kind == Decision::Kind::kPlace ? '+' : '-';
    text += decision.pod->metadata.name + "@" + objects.nodes[decision.node].metadata.name;
  }
  return text;
}

ReasonClass reason(const Objects& objects, const api::Pod& candidate) {
  const Snapshot snapshot = take_snapshot(objects);
  const auto profile = support::upstream_profile();
  return classify({snapshot, candidate, profile});
}

TEST(Schedule, PriorityThenAge) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000)};
  objects.pods = {pod("young").cpu(600).created(9), pod("old").cpu(600).created(5), pod("high").cpu(300).priority(7)};
  EXPECT_EQ(told(objects), "+high@a +old@a");
}

TEST(Schedule, APodPlacedLateMayLetAnEarlierOneRun) {
  Objects objects;
  objects.nodes = {node("a")};
  objects.pods = {pod("follower").near(term("kubernetes.io/hostname", selector("app", "lead"))),
                  pod("leader").label("app", "lead").created(5)};
  EXPECT_EQ(told(objects), "+leader@a +follower@a");
}

TEST(Schedule, PromisedNodeFirst) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000), node("b").cpu(9000)};
  objects.pods = {pod("p").cpu(500)};
  EXPECT_EQ(told(objects), "+p@b");
  objects.pods.front().status.nominated_node_name = "a";
  EXPECT_EQ(told(objects), "+p@a");
}

// Each would leave the node to the other for ever.
TEST(Schedule, TwoPodsThatWerePromisedOnePlaceDoNotBlockEachOther) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000)};
  objects.pods = {pod("p").cpu(1000), pod("q").cpu(1000).created(5)};
  for (api::Pod& each : objects.pods) each.status.nominated_node_name = "a";
  EXPECT_EQ(told(objects), "+q@a") << "p was tried first, found nobody to evict and lost its promise";
  objects.nodes = {node("a").cpu(2000)};
  objects.pods.push_back(pod("r").cpu(1000).created(6));
  objects.pods.back().status.nominated_node_name = "a";
  EXPECT_EQ(told(objects), "+q@a +r@a");
}

TEST(Schedule, HeldPodsAreNotAsked) {
  Objects objects;
  objects.nodes = {node("a")};
  api::Pod stranger = pod("stranger");
  stranger.spec.scheduler_name = "other";
  objects.pods = {pod("gated").gate("wait"), stranger};
  const Outcome outcome = schedule(objects, settings());
  EXPECT_TRUE(outcome.decisions.empty());
  EXPECT_EQ(outcome.held.size(), 2U);
}

TEST(Preemption, SmallestVictimThatSuffices) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000)};
  objects.pods = {pod("v1").cpu(500).priority(1).on("a"), pod("v2").cpu(500).priority(2).on("a"),
                  pod("p").cpu(400).priority(9)};
  EXPECT_EQ(told(objects), "-v1@a +p@a");
  objects.pods.back() = pod("p").cpu(400).priority(9).never_preempts();
  EXPECT_EQ(told(objects), "");
  objects.pods.back() = pod("p").cpu(400).priority(1);
  EXPECT_EQ(told(objects), "");
}

TEST(Preemption, BudgetsOutweighPriorities) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000), node("b").cpu(1000)};
  objects.pods = {pod("v1").label("app", "db").cpu(900).priority(1).on("a"), pod("v2").cpu(900).priority(5).on("b"),
                  pod("p").cpu(500).priority(9)};
  EXPECT_EQ(told(objects), "-v1@a +p@a");
  api::PodDisruptionBudget budget;
  budget.metadata.namespace_ = "default";
  budget.selector = selector("app", "db");
  budget.disruptions_allowed = 0;
  objects.budgets = {budget};
  EXPECT_EQ(told(objects), "-v2@b +p@b");
}

TEST(Preemption, LatestStartAmongEquals) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000), node("b").cpu(1000)};
  objects.pods = {pod("v1").cpu(900).on("a").started(100), pod("v2").cpu(900).on("b").started(50),
                  pod("p").cpu(500).priority(9)};
  EXPECT_EQ(told(objects), "-v1@a +p@a");
}

TEST(Preemption, NotWhereEvictionCannotHelp) {
  Objects objects;
  objects.nodes = {node("a").cpu(1000).taint("team", "blue"), node("b").cpu(400)};
  objects.pods = {pod("v1").cpu(900).on("a"), pod("v2").cpu(300).on("b"), pod("p").cpu(500).priority(9)};
  EXPECT_EQ(told(objects), "");
}

TEST(Reasons, EachByItsDefinition) {
  Objects objects;
  objects.nodes = {node("a").gpus(8), node("b").gpus(8)};
  objects.pods = {pod("r").gpus(5).on("a"), pod("s").gpus(5).on("b")};
  EXPECT_EQ(reason(objects, pod("p").gpus(3)), ReasonClass::kFits);
  EXPECT_EQ(reason(objects, pod("p").gpus(9)), ReasonClass::kNeverFits);
  EXPECT_EQ(reason(objects, pod("p").gpus(7)), ReasonClass::kBusy);
  EXPECT_EQ(reason(objects, pod("p").gpus(4)), ReasonClass::kFragmented);
  EXPECT_EQ(reason(objects, pod("p").gpus(4).host_port(80)), ReasonClass::kFragmented);
  EXPECT_EQ(reason(objects, pod("p").gate("g")), ReasonClass::kNotReady);
  EXPECT_EQ(reason(objects, pod("p").near(term("kubernetes.io/hostname", selector("app", "x")))),
            ReasonClass::kTopologyNoFit);
  EXPECT_EQ(reason(objects, pod("p").select("pool", "none")), ReasonClass::kNeverFits);
  objects.nodes.push_back(node("c").gpus(9).cordoned());
  EXPECT_EQ(reason(objects, pod("p").gpus(7)), ReasonClass::kNodeExcluded);
  EXPECT_EQ(reason(objects, pod("p").gpus(9)), ReasonClass::kNodeExcluded);
  objects.pods.push_back(pod("t").gpus(5).on("c"));
  EXPECT_EQ(reason(objects, pod("p").gpus(7)), ReasonClass::kBusy);
}

TEST(Reasons, CausesPartitionTheNodes) {
  Objects objects;
  objects.nodes = {node("a").cordoned(), node("b").taint("team", "blue"), node("c").cpu(100), node("d").not_ready(),
                   node("e")};
  const api::Pod candidate = pod("p").cpu(200);
  const Snapshot snapshot = take_snapshot(objects);
  const auto profile = support::upstream_profile();
  const std::map<Cause, std::size_t> expected = {
      {Cause::kFits, 1}, {Cause::kNotReady, 1}, {Cause::kUnschedulable, 1}, {Cause::kTaint, 1}, {Cause::kTooLarge, 1}};
  EXPECT_EQ(count_causes({snapshot, candidate, profile}), expected);
}

}  // namespace
}  // namespace berth::reference
