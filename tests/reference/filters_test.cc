// The twin's filters on worlds small enough to be judged by eye.
#include "reference/filters.h"

#include <gtest/gtest.h>

#include "reference/reasons.h"
#include "support/builders.h"

namespace berth::reference {
namespace {

using api::SelectorOperator;
using api::TaintEffect;
using support::container;
using support::node;
using support::node_term;
using support::pod;
using support::selector;
using support::term;

const std::string kZone = "topology.kubernetes.io/zone";
const std::string kHost = "kubernetes.io/hostname";

Cause cause_on(const Objects& objects, const api::Pod& candidate, std::size_t index,
               const api::SchedulerProfile& profile = support::upstream_profile()) {
  const Snapshot snapshot = take_snapshot(objects);
  return first_failure({snapshot, candidate, profile}, index).cause;
}

Objects with_nodes(std::vector<api::Node> nodes) {
  Objects objects;
  objects.nodes = std::move(nodes);
  return objects;
}

TEST(NodeNameFilter, AsksForOneNode) {
  const Objects objects = with_nodes({node("a"), node("b")});
  const api::Pod candidate = pod("p").on("b");
  EXPECT_EQ(cause_on(objects, candidate, 0), Cause::kNodeName);
  EXPECT_EQ(cause_on(objects, candidate, 1), Cause::kFits);
}

TEST(NodeUnschedulableFilter, CordonIsToleratedByItsTaint) {
  const Objects objects = with_nodes({node("a").cordoned()});
  EXPECT_EQ(cause_on(objects, pod("p"), 0), Cause::kUnschedulable);
  const api::Toleration cordon{"node.kubernetes.io/unschedulable", api::TolerationOperator::kExists, "", {}, {}};
  EXPECT_EQ(cause_on(objects, pod("p").tolerate(cordon), 0), Cause::kFits);
}

TEST(TaintTolerationFilter, SoftTaintsExcludeNobody) {
  const Objects objects =
      with_nodes({node("a").taint("team", "blue"), node("b").taint("team", "blue", TaintEffect::kNoExecute),
                  node("c").taint("team", "blue", TaintEffect::kPreferNoSchedule)});
  EXPECT_EQ(cause_on(objects, pod("p"), 0), Cause::kTaint);
  EXPECT_EQ(cause_on(objects, pod("p"), 1), Cause::kTaint);
  EXPECT_EQ(cause_on(objects, pod("p"), 2), Cause::kFits);
  const api::Toleration schedule{"team", api::TolerationOperator::kEqual, "blue", TaintEffect::kNoSchedule, {}};
  EXPECT_EQ(cause_on(objects, pod("p").tolerate(schedule), 0), Cause::kFits);
  EXPECT_EQ(cause_on(objects, pod("p").tolerate(schedule), 1), Cause::kTaint);
  const api::Toleration everything{"", api::TolerationOperator::kExists, "", {}, {}};
  EXPECT_EQ(cause_on(objects, pod("p").tolerate(everything), 1), Cause::kFits);
}

TEST(NodeAffinityFilter, OperatorsAndFields) {
  const Objects objects = with_nodes({node("a").label("gen", "7"), node("b").label("gen", "x"), node("c")});
  const auto passes = [&](api::NodeSelectorTerm each) {
    std::string result;
    for (std::size_t i = 0; i < 3; ++i) {
      if (cause_on(objects, pod("p").require_node(each), i) == Cause::kFits) result += objects.nodes[i].metadata.name;
    }
    return result;
  };
  EXPECT_EQ(passes(node_term("gen", SelectorOperator::kIn, {"7", "8"})), "a");
  EXPECT_EQ(passes(node_term("gen", SelectorOperator::kNotIn, {"7"})), "bc");
  EXPECT_EQ(passes(node_term("gen", SelectorOperator::kExists, {})), "ab");
  EXPECT_EQ(passes(node_term("gen", SelectorOperator::kDoesNotExist, {})), "c");
  EXPECT_EQ(passes(node_term("gen", SelectorOperator::kGreaterThan, {"6"})), "a");
  EXPECT_EQ(passes(node_term("gen", SelectorOperator::kLessThan, {"7"})), "");
  EXPECT_EQ(passes(node_term("gen", SelectorOperator::kIn, {})), "") << "a malformed term matches nothing";
  EXPECT_EQ(passes({{}, {{"metadata.name", SelectorOperator::kIn, {"b"}}}}), "b");
  EXPECT_EQ(passes({}), "") << "an empty term matches nothing";
}

TEST(NodeAffinityFilter, ProfileAddsItsOwn) {
  api::SchedulerProfile profile = support::upstream_profile();
  profile.added_affinity.emplace().required.emplace().terms.push_back(
      node_term("pool", SelectorOperator::kIn, {"gpu"}));
  const Objects objects = with_nodes({node("a").label("pool", "gpu"), node("b")});
  EXPECT_EQ(cause_on(objects, pod("p"), 0, profile), Cause::kFits);
  EXPECT_EQ(cause_on(objects, pod("p"), 1, profile), Cause::kNodeAffinity);
}

TEST(NodePortsFilter, WildcardAddressMeetsEveryAddress) {
  Objects objects = with_nodes({node("a")});
  objects.pods = {pod("r").on("a").host_port(80, "10.0.0.1")};
  EXPECT_EQ(cause_on(objects, pod("p").host_port(80, "10.0.0.2"), 0), Cause::kFits);
  EXPECT_EQ(cause_on(objects, pod("p").host_port(80, "10.0.0.1"), 0), Cause::kHostPort);
  EXPECT_EQ(cause_on(objects, pod("p").host_port(80), 0), Cause::kHostPort);
  EXPECT_EQ(cause_on(objects, pod("p").host_port(80, "0.0.0.0", api::Protocol::kUdp), 0), Cause::kFits);
}

TEST(NodeResourcesFitFilter, SidecarsRunBesideLaterInitContainers) {
  const Objects objects = with_nodes({node("a").cpu(1000)});
  // main 300 + sidecar 400 = 700; the init container after the sidecar needs 400 + 700 = 1100.
  EXPECT_EQ(cause_on(objects, pod("p").cpu(300).init(container("s", 400, -1, true)).init(container("i", 700, -1)), 0),
            Cause::kTooLarge);
  EXPECT_EQ(cause_on(objects, pod("p").cpu(300).init(container("i", 700, -1)).init(container("s", 400, -1, true)), 0),
            Cause::kFits);
}

TEST(NodeResourcesFitFilter, PodLevelRequestReplacesContainers) {
  const Objects objects = with_nodes({node("a").cpu(1000)});
  api::Pod candidate = pod("p").cpu(5000);
  candidate.spec.resources.emplace().requests["cpu"] = api::Quantity::from_milli(900);
  EXPECT_EQ(cause_on(objects, candidate, 0), Cause::kFits);
  candidate.spec.overhead["cpu"] = api::Quantity::from_milli(200);
  EXPECT_EQ(cause_on(objects, candidate, 0), Cause::kTooLarge);
}

TEST(NodeResourcesFitFilter, PodCountAndOvercommittedNode) {
  Objects objects = with_nodes({node("a").cpu(1000).pods(2)});
  objects.pods = {pod("r").on("a").cpu(1500)};
  EXPECT_EQ(cause_on(objects, pod("p"), 0), Cause::kFits) << "a pod that asks for nothing fits an overfull node";
  EXPECT_EQ(cause_on(objects, pod("p").cpu(1), 0), Cause::kInsufficient);
  objects.pods.push_back(pod("r2").on("a"));
  EXPECT_EQ(cause_on(objects, pod("p"), 0), Cause::kTooManyPods);
}

TEST(NodeResourcesFitFilter, IgnoredAndUnknownResources) {
  const Objects objects = with_nodes({node("a")});
  api::SchedulerProfile profile = support::upstream_profile();
  EXPECT_EQ(cause_on(objects, pod("p").amount("example.com/nic", 1), 0, profile), Cause::kTooLarge);
  profile.node_resources_fit.ignored_resource_groups = {"example.com"};
  EXPECT_EQ(cause_on(objects, pod("p").amount("example.com/nic", 1), 0, profile), Cause::kFits);
  EXPECT_EQ(cause_on(objects, pod("p").amount("foo", 1), 0), Cause::kFits) << "not a name the scheduler counts";
  EXPECT_EQ(cause_on(objects, pod("p").amount("hugepages-2Mi", 1), 0), Cause::kTooLarge);
}

TEST(NodeResourcesFitFilter, SharesSitInOneCard) {
  Objects objects = with_nodes({node("a").cards(2)});
  objects.pods = {pod("r1").on("a").card_share(600), pod("r2").on("a").card_share(600)};
  EXPECT_EQ(cause_on(objects, pod("p").card_share(400), 0), Cause::kFits);
  EXPECT_EQ(cause_on(objects, pod("p").card_share(500), 0), Cause::kCardFragmented) << "800 milli free, 400 per card";
  objects.pods.pop_back();
  EXPECT_EQ(cause_on(objects, pod("p").cards(1), 0), Cause::kFits);
  EXPECT_EQ(cause_on(objects, pod("p").cards(2), 0), Cause::kInsufficient);
}

TEST(VolumeFilters, BoundVolumeAndLateBinding) {
  Objects objects = with_nodes({node("a").zone("z1"), node("b").zone("z2")});
  api::PersistentVolume volume;
  volume.metadata.name = "pv";
  volume.node_affinity.emplace().terms.push_back(node_term(kZone, SelectorOperator::kIn, {"z2"}));
  objects.volumes = {volume};
  api::PersistentVolumeClaim claim;
  claim.metadata.name = "data";
  claim.metadata.namespace_ = "default";
  claim.volume_name = "pv";
  claim.metadata.annotations["pv.kubernetes.io/bind-completed"] = "yes";
  objects.claims = {claim};
  EXPECT_EQ(cause_on(objects, pod("p").claim("data"), 0), Cause::kVolumeBinding);
  EXPECT_EQ(cause_on(objects, pod("p").claim("data"), 1), Cause::kFits);

  api::StorageClass late;
  late.metadata.name = "late";
  late.provisioner = "disk.example";
  late.volume_binding_mode = api::VolumeBindingMode::kWaitForFirstConsumer;
  late.allowed_topologies = {node_term(kZone, SelectorOperator::kIn, {"z1"})};
  objects.storage_classes = {late};
  claim.volume_name.clear();
  claim.storage_class_name = "late";
  objects.claims = {claim};
  objects.volumes.clear();
  EXPECT_EQ(cause_on(objects, pod("p").claim("data"), 0), Cause::kFits);
  EXPECT_EQ(cause_on(objects, pod("p").claim("data"), 1), Cause::kVolumeBinding);
  const auto profile = support::upstream_profile();
  EXPECT_FALSE(hold(objects, pod("p").claim("data"), profile));
  EXPECT_EQ(hold(objects, pod("p").claim("other"), profile)->cause, HoldCause::kMissingClaim);
  objects.claims.front().storage_class_name = "";
  EXPECT_EQ(hold(objects, pod("p").claim("data"), profile)->cause, HoldCause::kUnboundClaim);
}

TEST(VolumeFilters, OnePodClaimAndZoneLabels) {
  Objects objects = with_nodes({node("a").zone("z1"), node("b").zone("z2"), node("c")});
  api::PersistentVolume volume;
  volume.metadata.name = "pv";
  volume.metadata.labels[kZone] = "z2__z3";
  objects.volumes = {volume};
  api::PersistentVolumeClaim claim;
  claim.metadata.name = "data";
  claim.metadata.namespace_ = "default";
  claim.volume_name = "pv";
  claim.metadata.annotations["pv.kubernetes.io/bind-completed"] = "yes";
  claim.access_modes = {api::AccessMode::kReadWriteOncePod};
  objects.claims = {claim};
  EXPECT_EQ(cause_on(objects, pod("p").claim("data"), 0), Cause::kVolumeBinding);
  EXPECT_EQ(cause_on(objects, pod("p").claim("data"), 1), Cause::kFits);
  EXPECT_EQ(cause_on(objects, pod("p").claim("data"), 2), Cause::kFits) << "a node without a zone is in every zone";
  objects.pods = {pod("r").claim("data").on("c")};
  EXPECT_EQ(cause_on(objects, pod("p").claim("data"), 1), Cause::kVolumeRestriction);
}

api::TopologySpreadConstraint hard_spread(std::string key, std::int32_t skew) {
  api::TopologySpreadConstraint constraint;
  constraint.max_skew = skew;
  constraint.topology_key = std::move(key);
  constraint.label_selector = selector("app", "web");
  return constraint;
}

TEST(PodTopologySpreadFilter, SkewMissingKeyAndMinimumOfDomains) {
  Objects objects = with_nodes({node("a").zone("z1"), node("b").zone("z2"), node("c")});
  objects.pods = {pod("r").label("app", "web").on("a")};
  api::TopologySpreadConstraint constraint = hard_spread(kZone, 1);
  EXPECT_EQ(cause_on(objects, pod("p").label("app", "web").spread(constraint), 0), Cause::kTopologySpread);
  EXPECT_EQ(cause_on(objects, pod("p").label("app", "web").spread(constraint), 1), Cause::kFits);
  EXPECT_EQ(cause_on(objects, pod("p").label("app", "web").spread(constraint), 2), Cause::kTopologySpread);
  EXPECT_EQ(cause_on(objects, pod("p").spread(constraint), 0), Cause::kFits) << "a pod that does not count itself";
  objects.pods.push_back(pod("r2").label("app", "web").on("b"));
  EXPECT_EQ(cause_on(objects, pod("p").label("app", "web").spread(constraint), 1), Cause::kFits);
  constraint.min_domains = 3;
  EXPECT_EQ(cause_on(objects, pod("p").label("app", "web").spread(constraint), 1), Cause::kTopologySpread);
}

TEST(PodTopologySpreadFilter, WhoAndWhereIsCounted) {
  Objects objects = with_nodes({node("a").zone("z1"), node("b").zone("z2").taint("team", "blue")});
  objects.pods = {pod("r").label("app", "web").on("a").terminating(), pod("s").label("app", "web").in("other").on("a")};
  api::TopologySpreadConstraint constraint = hard_spread(kZone, 1);
  EXPECT_EQ(cause_on(objects, pod("p").label("app", "web").spread(constraint), 0), Cause::kFits);
  objects.pods.push_back(pod("t").label("app", "web").on("a"));
  EXPECT_EQ(cause_on(objects, pod("p").label("app", "web").spread(constraint), 0), Cause::kTopologySpread);
  constraint.node_taints_policy = api::InclusionPolicy::kHonor;
  EXPECT_EQ(cause_on(objects, pod("p").label("app", "web").spread(constraint), 0), Cause::kFits)
      << "the tainted zone does not count, so z1 is the emptiest";
  constraint.label_selector = api::LabelSelector{};
  EXPECT_EQ(cause_on(objects, pod("p").spread(constraint), 0), Cause::kFits) << "an empty selector counts nobody";
}

TEST(PodTopologySpreadFilter, LabelKeysSeparateRevisions) {
  Objects objects = with_nodes({node("a"), node("b")});
  objects.pods = {pod("r").label("app", "web").label("rev", "1").on("a")};
  api::TopologySpreadConstraint constraint = hard_spread(kHost, 1);
  constraint.match_label_keys = {"rev", "absent"};
  EXPECT_EQ(cause_on(objects, pod("p").label("app", "web").label("rev", "2").spread(constraint), 0), Cause::kFits);
  EXPECT_EQ(cause_on(objects, pod("p").label("app", "web").label("rev", "1").spread(constraint), 0),
            Cause::kTopologySpread);
}

TEST(InterPodAffinityFilter, FirstOfAGroupStartsAnywhere) {
  Objects objects = with_nodes({node("a").zone("z1"), node("b").zone("z2"), node("c")});
  const auto together = term(kZone, selector("app", "web"));
  const api::Pod web = pod("p").label("app", "web").near(together);
  EXPECT_EQ(cause_on(objects, web, 0), Cause::kFits);
  EXPECT_EQ(cause_on(objects, web, 2), Cause::kPodAffinity) << "no domain there";
  EXPECT_EQ(cause_on(objects, pod("q").near(together), 0), Cause::kPodAffinity) << "not of the group it waits for";
  objects.pods = {pod("r").label("app", "web").on("b")};
  EXPECT_EQ(cause_on(objects, web, 0), Cause::kPodAffinity);
  EXPECT_EQ(cause_on(objects, web, 1), Cause::kFits);
}

TEST(InterPodAffinityFilter, AllTermsMustBeMetByOnePod) {
  Objects objects = with_nodes({node("a").zone("z1")});
  objects.pods = {pod("r").label("app", "web").on("a"), pod("s").label("tier", "front").on("a")};
  const api::Pod both = pod("p").near(term(kZone, selector("app", "web"))).near(term(kZone, selector("tier", "front")));
  EXPECT_EQ(cause_on(objects, both, 0), Cause::kPodAffinity);
  objects.pods.push_back(pod("t").label("app", "web").label("tier", "front").on("a"));
  EXPECT_EQ(cause_on(objects, both, 0), Cause::kFits);
}

TEST(InterPodAffinityFilter, AntiAffinityWorksBothWays) {
  Objects objects = with_nodes({node("a").zone("z1"), node("b").zone("z1"), node("c").zone("z2")});
  const auto apart = term(kZone, selector("app", "web"));
  objects.pods = {pod("r").label("app", "web").on("a")};
  EXPECT_EQ(cause_on(objects, pod("p").apart(apart), 1), Cause::kPodAntiAffinity);
  EXPECT_EQ(cause_on(objects, pod("p").apart(apart), 2), Cause::kFits);
  objects.pods = {pod("r").apart(apart).on("a")};
  EXPECT_EQ(cause_on(objects, pod("p").label("app", "web"), 1), Cause::kExistingAntiAffinity);
  EXPECT_EQ(cause_on(objects, pod("p"), 1), Cause::kFits);
}

TEST(InterPodAffinityFilter, NamespacesOfATerm) {
  Objects objects = with_nodes({node("a")});
  api::Namespace space;
  space.metadata.name = "prod";
  space.metadata.labels["stage"] = "prod";
  objects.namespaces = {space};
  objects.pods = {pod("r").in("prod").label("app", "web").on("a"), pod("s").in("ghost").label("app", "db").on("a")};
  auto apart = term(kHost, selector("app", "web"));
  EXPECT_EQ(cause_on(objects, pod("p").apart(apart), 0), Cause::kFits) << "its own namespace only";
  apart.namespaces = {"prod"};
  EXPECT_EQ(cause_on(objects, pod("p").apart(apart), 0), Cause::kPodAntiAffinity);
  apart.namespaces.clear();
  apart.namespace_selector = selector("stage", "prod");
  EXPECT_EQ(cause_on(objects, pod("p").apart(apart), 0), Cause::kPodAntiAffinity);
  apart.label_selector = selector("app", "db");
  EXPECT_EQ(cause_on(objects, pod("p").apart(apart), 0), Cause::kFits) << "a namespace without object has no labels";
  apart.namespace_selector = api::LabelSelector{};
  EXPECT_EQ(cause_on(objects, pod("p").apart(apart), 0), Cause::kPodAntiAffinity);
}

TEST(InterPodAffinityFilter, MismatchLabelKeysKeepTenantsApart) {
  Objects objects = with_nodes({node("a")});
  objects.pods = {pod("r").label("tenant", "x").on("a")};
  auto apart = term(kHost, api::LabelSelector{{}, {{"tenant", SelectorOperator::kExists, {}}}});
  apart.mismatch_label_keys = {"tenant"};
  EXPECT_EQ(cause_on(objects, pod("p").label("tenant", "x").apart(apart), 0), Cause::kFits);
  EXPECT_EQ(cause_on(objects, pod("p").label("tenant", "y").apart(apart), 0), Cause::kPodAntiAffinity);
}

}  // namespace
}  // namespace berth::reference
