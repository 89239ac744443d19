#include "dialects/workloads/bridge.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "api/load.h"
#include "dialects/workloads/standing.h"

namespace berth::dialects::workloads {
namespace {

class BridgeTest : public testing::Test {
 protected:
  // The events that lead from the objects before to these.
  std::vector<engine::Event> update(std::string_view text) {
    objects_ = api::load_text(text).objects;
    context_ = kubernetes::Context(objects_);
    std::vector<engine::Event> events;
    bridge_.update({objects_, context_, 0}, events);
    return events;
  }
  template <class T>
  static std::vector<T> of_kind(const std::vector<engine::Event>& events) {
    std::vector<T> result;
    for (const engine::Event& event : events)
      if (const T* found = std::get_if<T>(&event)) result.push_back(*found);
    return result;
  }
  [[nodiscard]] std::string text(engine::NameId name) const { return std::string(names_.names.text(name)); }
  [[nodiscard]] Member member(std::size_t pod) const { return bridge_.member(objects_.pods[pod].object).value(); }

  engine::Names names_;
  Bridge bridge_{names_};
  api::ObjectSet objects_;
  kubernetes::Context context_;
};

constexpr std::string_view kPod = R"(
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {schedulingGroup: {podGroupName: g}, containers: [{name: c, image: i}]}}
)";
constexpr std::string_view kGroup = R"(
---
{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g}, spec: {schedulingPolicy: {gang: {minCount: 2}}}}
)";

TEST_F(BridgeTest, APodNamesItsGroupBeforeThatIsThere) {
  EXPECT_TRUE(update(kPod).empty());
  EXPECT_EQ(text(member(0).workload), "PodGroup default/g");
  const auto told = of_kind<engine::WorkloadChanged>(update(std::string(kPod) + std::string(kGroup)));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].workload.name, member(0).workload);
  EXPECT_EQ(told[0].workload.groups.at(0).minimum_pods, 2);
}

TEST_F(BridgeTest, TellsOnlyWhatIsNew) {
  EXPECT_EQ(update(kGroup).size(), 1U);
  EXPECT_TRUE(update(kGroup).empty());
  const std::string larger = R"(
{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g}, spec: {schedulingPolicy: {gang: {minCount: 3}}}}
)";
  EXPECT_EQ(of_kind<engine::WorkloadChanged>(update(larger)).size(), 1U);
  EXPECT_EQ(of_kind<engine::WorkloadRemoved>(update("")).size(), 1U);
  EXPECT_TRUE(update("").empty());
}

TEST_F(BridgeTest, MembersThatSucceededCount) {
  const std::string done = R"(
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {schedulingGroup: {podGroupName: g}, containers: [{name: c, image: i}]}, status: {phase: Succeeded}}
)";
  const auto told = of_kind<engine::WorkloadChanged>(update(done + std::string(kGroup)));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].workload.groups.at(0).succeeded, 1);
}

TEST_F(BridgeTest, EachPodOfABasicGroupIsForItself) {
  const auto told = of_kind<engine::WorkloadChanged>(update(std::string(kPod) + R"(
---
{apiVersion: v1, kind: Pod, metadata: {name: q}, spec: {schedulingGroup: {podGroupName: g}, containers: [{name: c, image: i}]}}
---
{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g}, spec: {schedulingPolicy: {basic: {}}, priority: 9}}
)"));
  ASSERT_EQ(told.size(), 2U);
  EXPECT_NE(member(0).workload, member(1).workload);
  EXPECT_EQ(told[0].workload.priority, 9);
  EXPECT_EQ(member(1).priority, 9);
}

TEST_F(BridgeTest, CompositesThatAreEachOthersParentsAreNotTold) {
  const auto events = update(std::string(kPod) + R"(
---
{apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: {name: a}, spec: {parentCompositePodGroupName: b, workloadRef: {workloadName: w, templateName: t}, schedulingPolicy: {basic: {}}}}
---
{apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: {name: b}, spec: {parentCompositePodGroupName: a, workloadRef: {workloadName: w, templateName: t}, schedulingPolicy: {basic: {}}}}
---
{apiVersion: scheduling.k8s.io/v1alpha3, kind: PodGroup, metadata: {name: g}, spec: {parentCompositePodGroupName: a, schedulingPolicy: {basic: {}}}}
)");
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(text(member(0).workload), "CompositePodGroup default/a");
  EXPECT_LE(bridge_.lineage(objects_.pods[0].object).size(), 1 + api::kMaxGroupDepth);
}

TEST_F(BridgeTest, AChildThatIsMissingKeepsItsSeat) {
  const auto told = of_kind<engine::WorkloadChanged>(update(R"(
{apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: {name: a}, spec: {workloadRef: {workloadName: w, templateName: t}, schedulingPolicy: {gang: {minGroupCount: 3}}}}
---
{apiVersion: scheduling.k8s.io/v1alpha3, kind: PodGroup, metadata: {name: g}, spec: {parentCompositePodGroupName: a, schedulingPolicy: {gang: {minCount: 4}}}}
)"));
  ASSERT_EQ(told.size(), 1U);
  const auto& groups = told[0].workload.groups;
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].minimum_children, 3);
  EXPECT_EQ(groups[1].minimum_pods, 4);
  EXPECT_EQ(groups[2].minimum_pods, 2) << "stands for both";
}

TEST_F(BridgeTest, AChildMayGoWholeWhereItsTreeDoesNot) {
  const auto told = of_kind<engine::WorkloadChanged>(update(R"(
{apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: {name: a}, spec: {workloadRef: {workloadName: w, templateName: t}, schedulingPolicy: {gang: {minGroupCount: 1}}}}
---
{apiVersion: scheduling.k8s.io/v1alpha3, kind: PodGroup, metadata: {name: g}, spec: {disruptionMode: {all: {}}, parentCompositePodGroupName: a, schedulingPolicy: {gang: {minCount: 4}}}}
)"));
  ASSERT_EQ(told.size(), 1U);
  const auto& groups = told[0].workload.groups;
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_FALSE(groups[0].goes_whole);
  EXPECT_TRUE(groups[1].goes_whole);
  EXPECT_TRUE(bridge_.remarks().empty());
}

TEST_F(BridgeTest, AnnotationsSayWhatTheApiCannot) {
  const auto events = update(R"(
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata:
  name: g
  annotations: {berth/queue: team, berth/preferred-topology: rack, berth/topology-levels: "block, rack", berth/slice-topology: host, berth/slice-size: "2", berth/runs-for: "60"}
spec: {schedulingPolicy: {gang: {minCount: 4}}, schedulingConstraints: {topology: [{key: block}]}}
)");
  const auto workloads = of_kind<engine::WorkloadChanged>(events);
  const auto topologies = of_kind<engine::TopologyChanged>(events);
  ASSERT_EQ(workloads.size(), 1U);
  ASSERT_EQ(topologies.size(), 1U);
  const engine::WorkloadInput& told = workloads[0].workload;
  EXPECT_EQ(text(told.queues.at(0)), "team");
  EXPECT_EQ(told.runs_for_seconds, 60);
  const engine::TopologyRule& rule = told.groups.at(0).topology;
  EXPECT_EQ(names_.label_keys.text(rule.required), "block");
  EXPECT_EQ(names_.label_keys.text(rule.preferred), "rack");
  EXPECT_EQ(names_.label_keys.text(rule.slice_level), "host");
  EXPECT_EQ(rule.slice_size, 2);
  EXPECT_EQ(rule.topology, topologies[0].topology.name);
  EXPECT_EQ(topologies[0].topology.levels.size(), 2U);
}

TEST_F(BridgeTest, AnnotationsThatCannotBeReadAreRemarkedOn) {
  update(R"(
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata:
  name: g
  annotations: {berth/preferred-topology: "no key", berth/slice-size: many, berth/slice-topology: rack, berth/topology-levels: ","}
spec: {schedulingPolicy: {gang: {minCount: 4}}}
)");
  EXPECT_EQ(bridge_.remarks().size(), 4U);
}

TEST_F(BridgeTest, AGroupThatWasScheduledOnceStaysSo) {
  update(std::string(kPod) + std::string(kGroup));
  const engine::NameId name = member(0).workload;
  Standings standings{.now = 5, .workloads = {}, .queues = {}};
  standings.workloads.push_back({.workload = name, .waiting = 1, .reason = "Busy", .message = "waits"});
  bridge_.write_statuses(standings, objects_);
  ASSERT_EQ(bridge_.conditions(objects_).size(), 1U);
  EXPECT_EQ(bridge_.conditions(objects_)[0].condition.reason, "Unschedulable");
  EXPECT_EQ(bridge_.conditions(objects_)[0].condition.message, "waits");
  standings.now = 6;
  standings.workloads[0].whole = true;
  bridge_.write_statuses(standings, objects_);
  EXPECT_EQ(bridge_.conditions(objects_)[0].condition.status, "True");
  standings.workloads[0].whole = false;
  bridge_.write_statuses(standings, objects_);
  EXPECT_EQ(bridge_.conditions(objects_)[0].condition.status, "True");
  EXPECT_EQ(bridge_.conditions(objects_)[0].condition.last_transition_time, 6);
}

}  // namespace
}  // namespace berth::dialects::workloads
