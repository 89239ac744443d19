// Volcano's objects in the engine's terms: trees, queues, levels of switches, statuses.
#include "dialects/volcano/volcano.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "api/load.h"
#include "dialects/volcano/queues.h"
#include "dialects/volcano/statuses.h"

namespace berth::dialects::volcano {
namespace {

class VolcanoObjects : public testing::Test {
 protected:
  void load(std::string_view text) {
    api::Loaded loaded = api::load_text(text, "x.yaml");
    ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front().to_string();
    objects_ = std::move(loaded.objects);
    context_ = kubernetes::Context(objects_);
    reading_ = {};
    volcano_.read({objects_, context_, 7}, reading_);
  }
  const engine::WorkloadInput& workload(std::string_view name) {
    const auto found = std::ranges::find_if(
        reading_.workloads, [&](const engine::WorkloadInput& each) { return names_.names.text(each.name) == name; });
    EXPECT_NE(found, reading_.workloads.end()) << name;
    return *found;
  }
  const engine::QueueInput& queue(std::string_view name) {
    const auto found = std::ranges::find_if(
        reading_.queues, [&](const engine::QueueInput& each) { return names_.names.text(each.name) == name; });
    EXPECT_NE(found, reading_.queues.end()) << name;
    return *found;
  }
  std::string leaf_of(std::size_t pod) {
    const auto member = volcano_.member(objects_.pods.at(pod).object);
    return !member || member->group.is_none() ? "" : std::string(names_.names.text(member->group));
  }
  std::string labels_of(std::size_t node) {
    engine::NodeInput input;
    volcano_.amend(objects_.nodes.at(node).object, input);
    const engine::Labels& labels = input.labels;
    EXPECT_TRUE(std::ranges::is_sorted(labels));
    std::set<std::string> parts;
    for (const engine::Label& label : labels)
      parts.insert(std::string(names_.label_keys.text(label.key)) + "=" + std::string(names_.text(label.value)) + ";");
    std::string text;
    for (const std::string& part : parts) text += part;
    return text;
  }
  bool remarked(std::string_view text) {
    return std::ranges::any_of(reading_.remarks,
                               [&](const Error& each) { return each.message.find(text) != std::string::npos; });
  }

  engine::Names names_;
  Volcano volcano_{names_};
  api::ObjectSet objects_;
  kubernetes::Context context_;
  workloads::Reading reading_;
};

std::string group(std::string_view spec) {
  return "{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g}, spec: {" +
         std::string(spec) + "}}\n---\n";
}
std::string pod(std::string_view name, std::string_view metadata) {
  return "{apiVersion: v1, kind: Pod, metadata: {name: " + std::string(name) + ", " + std::string(metadata) +
         "}, spec: {schedulerName: volcano, containers: [{name: m, image: i}]}}\n---\n";
}
constexpr std::string_view kIn = "annotations: {scheduling.k8s.io/group-name: g";

TEST_F(VolcanoObjects, RolesAreLeavesWhileTheirMinimumsFit) {
  const std::string pods =
      pod("a", std::string(kIn) + ", volcano.sh/task-spec: ps}") + pod("b", std::string(kIn) + "}");
  load(group("minMember: 3, minTaskMember: {ps: 1, w: 2}") + pods);
  const engine::WorkloadInput& three = workload("Volcano PodGroup default/g");
  ASSERT_EQ(three.groups.size(), 4U);  // all, ps, w, the others
  EXPECT_EQ(three.groups[0].minimum_pods, 3);
  EXPECT_EQ(three.groups[1].minimum_pods, 1);
  EXPECT_EQ(three.groups[2].minimum_pods, 2);
  EXPECT_EQ(leaf_of(0), "ps");
  EXPECT_EQ(leaf_of(1), "the others");
  load(group("minMember: 2, minTaskMember: {ps: 1, w: 2}") + pods);
  EXPECT_EQ(workload("Volcano PodGroup default/g").groups.size(), 1U);
  EXPECT_EQ(leaf_of(0), "");
}

TEST_F(VolcanoObjects, SubGroupsComeFromLabelValues) {
  load(group("minMember: 2, subGroupPolicy: [{name: s, subGroupSize: 2, minSubGroups: 3, matchLabelKeys: [k]}]") +
       pod("a", std::string(kIn) + "}, labels: {k: x}") + pod("b", std::string(kIn) + "}, labels: {k: z}") +
       pod("c", std::string(kIn) + "}"));
  const engine::WorkloadInput& input = workload("Volcano PodGroup default/g");
  ASSERT_EQ(input.groups.size(), 6U);  // all, s, s/x, s/z, the third, the others
  EXPECT_EQ(input.groups[1].minimum_children, 3);
  EXPECT_EQ(input.groups[2].minimum_pods, 2);
  EXPECT_EQ(input.groups[4].parent, 1U);  // missing, not unneeded
  EXPECT_EQ(leaf_of(0), "s/x");
  EXPECT_EQ(leaf_of(1), "s/z");
  EXPECT_EQ(leaf_of(2), "the others");
}

TEST_F(VolcanoObjects, TheAnnotationThatVolcanoDoesNotReadIsRemarkedOn) {
  load(group("minMember: 2") + pod("a", "annotations: {scheduling.volcano.sh/pod-group: g}") +
       pod("b", "labels: {scheduling.k8s.io/group-name: g}"));
  EXPECT_TRUE(volcano_.member(objects_.pods[0].object).has_value());
  EXPECT_TRUE(remarked("Volcano does not read scheduling.volcano.sh/pod-group"));
  EXPECT_FALSE(volcano_.member(objects_.pods[1].object).has_value());  // its own group is not made yet
}

TEST_F(VolcanoObjects, QueuesHaveGuaranteeDeservedAndCapability) {
  load(
      "{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}, spec: {weight: 5, priority: 2, "
      "parent: up, reclaimable: false, dequeueStrategy: fifo, guarantee: {resource: {cpu: 2}}, deserved: {cpu: 6}, "
      "capability: {cpu: 8, memory: 1Gi}}, status: {state: Closed}}\n");
  const engine::QueueInput& q = queue("volcano/q");
  EXPECT_EQ(names_.names.text(q.parent), "volcano/up");
  ASSERT_EQ(q.quotas.size(), 2U);
  EXPECT_EQ(q.quotas[0].guarantee, 6000);
  EXPECT_EQ(q.quotas[0].lending_limit, 4000);
  EXPECT_EQ(q.quotas[0].cap, 8000);
  EXPECT_FALSE(q.quotas[1].guarantee.has_value());
  EXPECT_EQ(q.quotas[1].cap, std::int64_t{1} << 30U);
  EXPECT_EQ(q.weight, 5);
  EXPECT_EQ(q.priority, 2);
  EXPECT_TRUE(q.strict);
  EXPECT_FALSE(q.reclaimable);
  EXPECT_FALSE(q.open);
  EXPECT_EQ(q.fairness, engine::FairnessPolicy::kCapacity);
  EXPECT_TRUE(queue("volcano/root").parent.is_none());
  EXPECT_EQ(names_.names.text(queue("volcano/default").parent), "volcano/root");
}

TEST_F(VolcanoObjects, SwitchesAreLevels) {
  const auto hyper = [](std::string_view name, int tier, std::string_view members) {
    return "{apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: " + std::string(name) +
           "}, spec: {tier: " + std::to_string(tier) + ", members: [" + std::string(members) + "]}}\n---\n";
  };
  const auto node = [](std::string_view name) {
    return "{apiVersion: v1, kind: Node, metadata: {name: " + std::string(name) + ", labels: {rack: r2}}}\n---\n";
  };
  load(node("n1") + node("n2") + node("x3") + node("n4") +
       hyper("s1", 1, "{type: Node, selector: {regexMatch: {pattern: '^n[12]$'}}}") +
       hyper("s2", 1, "{type: Node, selector: {exactMatch: {name: x3}}}") +
       hyper("top", 3,
             "{type: HyperNode, selector: {regexMatch: {pattern: '^s'}}}, {type: Node, selector: {exactMatch: "
             "{name: n4}}}") +
       hyper("again", 3, "{type: HyperNode, selector: {exactMatch: {name: s2}}}") +
       hyper("bad", 1, "{type: Node, selector: {regexMatch: {pattern: '('}}}") +
       group("minMember: 2, networkTopology: {mode: hard, highestTierAllowed: 2}"));
  EXPECT_EQ(labels_of(0), "hypernode.volcano.sh/tier-1=s1;hypernode.volcano.sh/tier-3=top;");
  EXPECT_EQ(labels_of(1), labels_of(0));
  EXPECT_EQ(labels_of(2), "hypernode.volcano.sh/tier-1=s2;hypernode.volcano.sh/tier-3=again;");
  EXPECT_EQ(labels_of(3), "hypernode.volcano.sh/tier-1=n4 alone;hypernode.volcano.sh/tier-3=top;");
  EXPECT_TRUE(remarked("HyperNode s2 is in again and in top"));
  EXPECT_TRUE(remarked("no regular expression"));
  ASSERT_EQ(reading_.topologies.size(), 1U);
  EXPECT_EQ(reading_.topologies[0].levels.size(), 2U);
  // Tier 2 is not there, so the widest allowed is 1.
  const engine::TopologyRule& rule = workload("Volcano PodGroup default/g").groups[0].topology;
  EXPECT_EQ(names_.label_keys.text(rule.required), "hypernode.volcano.sh/tier-1");
}

TEST_F(VolcanoObjects, ANodeInTwoHyperNodesOfOneTierIsRemarkedOn) {
  const auto hyper = [](std::string_view name, int tier, std::string_view member) {
    return "{apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: " + std::string(name) +
           "}, spec: {tier: " + std::to_string(tier) + ", members: [" + std::string(member) + "]}}\n---\n";
  };
  load(
      "{apiVersion: v1, kind: Node, metadata: {name: n1}}\n---\n{apiVersion: v1, kind: Node, metadata: {name: "
      "n2}}\n---\n" +
      hyper("s1", 1, "{type: Node, selector: {exactMatch: {name: n1}}}") +
      hyper("s2", 1, "{type: Node, selector: {regexMatch: {pattern: '^n'}}}") +
      hyper("none", 1, "{type: Node, selector: {labelMatch: {}}}") +
      hyper("top", 2,
            "{type: HyperNode, selector: {regexMatch: {pattern: '^s'}}}, {type: Node, selector: {exactMatch: "
            "{name: n1}}}"));
  EXPECT_EQ(labels_of(0), "hypernode.volcano.sh/tier-1=s1;hypernode.volcano.sh/tier-2=top;");
  EXPECT_EQ(labels_of(1), "hypernode.volcano.sh/tier-1=s2;hypernode.volcano.sh/tier-2=top;");
  EXPECT_TRUE(remarked("Node n1 is in HyperNodes s1 and s2, which have one tier, 1"));
  EXPECT_EQ(reading_.remarks.size(), 1U);
}

TEST_F(VolcanoObjects, AnnotationsThatNobodyReadsAreNamed) {
  load(pod("a",
           "annotations: {volcano.sh/preemptible: 'true', volcano.sh/cooldown-time: 5m, volcano.sh/preemptable: "
           "'true', other.example/volcano.sh: x}") +
       pod("b", "annotations: {volcano.sh/preemptible: 'true', scheduling.volcano.sh/min-gpu: '8'}"));
  EXPECT_TRUE(remarked("did you mean volcano.sh/preemptable?"));
  EXPECT_TRUE(remarked("Volcano reads this annotation and Berth does not"));
  EXPECT_TRUE(remarked("Nobody reads this annotation, Volcano neither, so it does nothing; "));
  EXPECT_EQ(reading_.remarks.size(), 3U);  // each key once
}

TEST_F(VolcanoObjects, AConfSelectsThePolicies) {
  load("{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}, spec: {deserved: {cpu: 6}}}\n");
  api::volcano::SchedulerConf conf;
  conf.actions = {"allocate", "reclaim"};
  conf.tiers = {
      {{.name = "gang", .switches = {}, .arguments = {}}, {.name = "proportion", .switches = {}, .arguments = {}}}};
  const Policies policies = policies_of(conf, objects_);
  EXPECT_EQ(policies.fairness, engine::FairnessPolicy::kProportion);
  EXPECT_EQ(policies.preempts, engine::EvictionRight::kNever);
  EXPECT_EQ(policies.reclaims, engine::EvictionRight::kAny);
  EXPECT_EQ(policies.order, engine::OrderPolicy::kAge);
  EXPECT_FALSE(policies.uses_deserved);
  EXPECT_FALSE(policies.network_topology);
}

TEST_F(VolcanoObjects, APodThatWasJustPlacedCountsAsRunning) {
  api::volcano::PodGroup pod_group;
  pod_group.min_member = 2;
  workloads::Standing standing;
  standing.whole = true;
  standing.minimum = 2;
  standing.placed = 2;
  write_status(standing, {.running = 0, .succeeded = 0, .failed = 0, .known = 2}, 100, pod_group);
  EXPECT_EQ(pod_group.status.phase, api::volcano::PodGroupPhase::kRunning);
  EXPECT_EQ(pod_group.status.running, 2);
  EXPECT_EQ(pod_group.status.conditions.front().type, "Scheduled");
}

// The phase function of Volcano's session close, row by row.
TEST_F(VolcanoObjects, PhasesAreVolcanos) {
  struct Row {
    bool whole;
    MemberCounts members;
    std::string_view reason;
    api::volcano::PodGroupPhase phase;
    std::string_view condition;
  };
  using Phase = api::volcano::PodGroupPhase;
  const std::vector<Row> rows = {
      {false, {0, 0, 0, 2}, "GangIncomplete", Phase::kInqueue, "Unschedulable"},
      {false, {0, 0, 0, 2}, "QuotaExceeded", Phase::kPending, "Unschedulable"},
      {false, {0, 0, 0, 0}, "", Phase::kInqueue, ""},
      {true, {2, 0, 0, 2}, "", Phase::kRunning, "Scheduled"},
      {false, {1, 0, 0, 2}, "Busy", Phase::kUnknown, "Unschedulable"},
      {true, {1, 1, 0, 2}, "", Phase::kRunning, "Scheduled"},
      {true, {0, 2, 0, 2}, "", Phase::kCompleted, "Scheduled"},
  };
  for (const Row& row : rows) {
    api::volcano::PodGroup pod_group;
    pod_group.min_member = 2;
    workloads::Standing standing;
    standing.whole = row.whole;
    standing.minimum = 2;
    standing.placed = row.members.running;
    standing.succeeded = row.members.succeeded;
    standing.reason = row.reason;
    write_status(standing, row.members, 100, pod_group);
    EXPECT_EQ(pod_group.status.phase, row.phase);
    EXPECT_EQ(pod_group.status.conditions.empty() ? "" : pod_group.status.conditions.front().type, row.condition);
    EXPECT_EQ(pod_group.status.running, row.members.running);
  }
}

TEST_F(VolcanoObjects, ReasonsAreOnlyThoseThatVolcanoHas) {
  const auto reason_of = [](const api::volcano::PodGroup& group, const MemberCounts& members, std::string_view why) {
    api::volcano::PodGroup written = group;
    workloads::Standing standing;
    standing.minimum = group.min_member;
    standing.reason = why;
    write_status(standing, members, 100, written);
    return written.status.conditions.empty() ? std::string() : written.status.conditions.front().reason;
  };
  api::volcano::PodGroup group;
  group.min_member = 3;
  EXPECT_EQ(reason_of(group, {0, 0, 0, 3}, "QueueDenied"), "NotEnoughResources");
  EXPECT_EQ(reason_of(group, {0, 0, 0, 3}, "QuotaExceeded"), "NotEnoughResources");
  EXPECT_EQ(reason_of(group, {0, 0, 0, 2}, "GangIncomplete"), "NotEnoughTasks");
  group.min_task_member = {{"ps", 1}, {"worker", 2}};
  EXPECT_EQ(reason_of(group, {0, 0, 0, 3, {{"worker", 3}}}, "GangIncomplete"), "NotEnoughPodsOfTask");
  EXPECT_EQ(reason_of(group, {0, 0, 0, 3, {{"ps", 1}, {"worker", 2}}}, "Busy"), "NotEnoughResources");
}

}  // namespace
}  // namespace berth::dialects::volcano
