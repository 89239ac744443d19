#include "dialects/kubernetes/volumes.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/volume_binding.h"

namespace berth::dialects::kubernetes {
namespace {

constexpr auto kWaits = api::VolumeBindingMode::kWaitForFirstConsumer;

struct Volumes : testing::Test {
  engine::Names names;
  api::ObjectSet objects;
  api::Pod pod;
  VolumeRules rules;

  Volumes() { pod.metadata = {.name = "p", .namespace_ = "team", .uid = "u1"}; }

  void use(const std::string& claim) {
    api::Volume volume;
    volume.name = claim;
    volume.persistent_volume_claim = claim;
    pod.spec.volumes.push_back(volume);
  }
  api::PersistentVolumeClaim& claim(const std::string& name, const std::string& storage_class = "fast",
                                    std::int64_t size = 10) {
    api::PersistentVolumeClaim result;
    result.metadata = {.name = name, .namespace_ = "team"};
    result.storage_class_name = storage_class;
    result.requests["storage"] = api::Quantity::from_units(size);
    result.phase = "Pending";
    return objects.persistent_volume_claims.emplace_back(result, Place{}).object;
  }
  api::PersistentVolumeClaim& bound(const std::string& name, const std::string& volume) {
    auto& result = claim(name);
    result.volume_name = volume;
    result.phase = "Bound";
    result.metadata.annotations["pv.kubernetes.io/bind-completed"] = "yes";
    return result;
  }
  api::PersistentVolume& volume(const std::string& name, std::int64_t size, const std::string& node = "") {
    api::PersistentVolume result;
    result.metadata.name = name;
    result.storage_class_name = "fast";
    result.phase = "Available";
    result.capacity["storage"] = api::Quantity::from_units(size);
    if (!node.empty()) {
      result.node_affinity = {{{{{"kubernetes.io/hostname", api::SelectorOperator::kIn, {node}}}, {}}}};
    }
    return objects.persistent_volumes.emplace_back(result, Place{}).object;
  }
  api::StorageClass& storage_class(const std::string& name, const std::string& provisioner,
                                   api::VolumeBindingMode mode = kWaits) {
    api::StorageClass result;
    result.metadata.name = name;
    result.provisioner = provisioner;
    result.volume_binding_mode = mode;
    return objects.storage_classes.emplace_back(result, Place{}).object;
  }
  void node(const std::string& name) {
    api::Node result;
    result.metadata.name = name;
    result.metadata.labels["kubernetes.io/hostname"] = name;
    objects.nodes.emplace_back(result, Place{});
  }
  PodVolumes translate() { return pod_volumes(pod, Context(objects), rules, names); }
  std::string_view text(engine::NameId id) const { return names.names.text(id); }
  // How many volumes, or topologies, the only selector lets the pod choose from.
  std::size_t alternatives() {
    std::size_t count = 0;
    const auto volumes = translate();
    for (const engine::NodeTerm& term : volumes.selectors.at(0)->terms)
      count += term.labels.empty() ? 1 : term.labels[0].values.size();
    return count;
  }
  api::CsiStorageCapacity& capacity(std::int64_t units, const api::StringMap& topology) {
    api::CsiStorageCapacity result;
    result.metadata.name = "c" + std::to_string(objects.csi_storage_capacities.size());
    result.storage_class_name = "fast";
    result.node_topology = api::LabelSelector{topology, {}};
    result.capacity = api::Quantity::from_units(units);
    return objects.csi_storage_capacities.emplace_back(result, Place{}).object;
  }
  api::CsiDriver& driver(const std::string& name) {
    api::CsiDriver result;
    result.metadata.name = name;
    result.storage_capacity = true;
    return objects.csi_drivers.emplace_back(result, Place{}).object;
  }
  // What is scored on the node by its name: "10/100 of requested/capacity per class", empty if nothing is.
  std::string scored(const PodVolumes& result, const std::string& node) const {
    for (const auto& [name, classes] : result.choices->by_node) {
      if (text(name) != node) continue;
      std::string out;
      for (const auto& [requested, capacity] : classes)
        out += (out.empty() ? "" : " ") + std::to_string(requested) + "/" + std::to_string(capacity);
      return out;
    }
    return "";
  }
};

TEST_F(Volumes, AMissingClaimHoldsThePodAndIsNamed) {
  use("data");
  const PodVolumes result = translate();
  EXPECT_EQ(result.hold.cause, engine::HoldCause::kMissingVolumeClaim);
  EXPECT_EQ(text(result.hold.subject), "data");
}

TEST_F(Volumes, AClaimOfAnotherNamespaceIsNotThere) {
  claim("data").metadata.namespace_ = "other";
  use("data");
  EXPECT_EQ(translate().hold.cause, engine::HoldCause::kMissingVolumeClaim);
}

TEST_F(Volumes, UnboundImmediateLostAndDeletedClaimsHold) {
  storage_class("fast", "csi", api::VolumeBindingMode::kImmediate);
  auto& data = claim("data");
  use("data");
  EXPECT_EQ(translate().hold.cause, engine::HoldCause::kUnboundImmediateClaim);
  data.phase = "Lost";
  EXPECT_EQ(translate().hold.cause, engine::HoldCause::kLostVolumeClaim);
  data.phase = "Pending";
  data.metadata.deletion_timestamp = 5;
  EXPECT_EQ(translate().hold.cause, engine::HoldCause::kLostVolumeClaim);
}

// An input without StorageClasses says nothing of when and where they bind.
TEST_F(Volumes, AClassThatIsNotInTheInputIsNamed) {
  claim("data", "nowhere");
  use("data");
  const PodVolumes result = translate();
  EXPECT_EQ(result.hold.cause, engine::HoldCause::kMissingStorageClass);
  EXPECT_EQ(text(result.hold.subject), "nowhere");
}

TEST_F(Volumes, ABoundVolumeBringsItsNodeAffinity) {
  volume("pv", 10, "n1");
  bound("data", "pv");
  use("data");
  const PodVolumes result = translate();
  EXPECT_EQ(result.hold.cause, engine::HoldCause::kNone);
  ASSERT_EQ(result.selectors.size(), 1U);
  EXPECT_EQ(names.text(result.selectors[0]->terms.at(0).labels.at(0).values.at(0)), "n1");
}

TEST_F(Volumes, ABoundClaimWithoutItsVolumeMatchesNoNodeUnlessTheObjectsMayBeAnExcerpt) {
  bound("data", "pv");
  use("data");
  EXPECT_TRUE(translate().selectors.empty());
  EXPECT_TRUE(translate().volume_assumed);
  rules.excerpt = false;
  ASSERT_EQ(translate().selectors.size(), 1U);
  EXPECT_TRUE(translate().selectors[0]->terms.empty());
}

TEST_F(Volumes, ZoneLabelsAskForTheZoneOrForNoZoneAtAll) {
  volume("pv", 10).metadata.labels["failure-domain.beta.kubernetes.io/zone"] = "a__b";
  bound("data", "pv");
  use("data");
  const PodVolumes result = translate();
  ASSERT_EQ(result.selectors.size(), 1U);
  EXPECT_EQ(result.selectors[0]->terms.size(), 3U);  // zoneless, old label, new label
  rules.zone = false;
  EXPECT_TRUE(translate().selectors.empty());
}

TEST_F(Volumes, AWaitingClaimIsServedWhereAVolumeIsOrTheClassProvisions) {
  storage_class("fast", "kubernetes.io/no-provisioner");
  claim("data");
  use("data");
  volume("small", 5, "n0");
  volume("pv1", 10, "n1");
  volume("pv2", 20, "n2");
  ASSERT_EQ(translate().selectors.size(), 1U);
  EXPECT_EQ(alternatives(), 2U);
  objects.storage_classes[0].object.provisioner = "csi";
  EXPECT_TRUE(translate().selectors.empty());
  objects.storage_classes[0].object.allowed_topologies = {{{{"zone", api::SelectorOperator::kIn, {"z"}}}, {}}};
  EXPECT_EQ(alternatives(), 3U);
}

TEST_F(Volumes, ADriverThatTellsItsCapacityMakesVolumesOnlyWhereThereIsRoom) {
  for (const char* name : {"n1", "n2", "n3"}) node(name);
  storage_class("fast", "csi");
  claim("data", "fast", 10);
  use("data");
  capacity(10, {{"kubernetes.io/hostname", "n1"}});
  capacity(9, {{"kubernetes.io/hostname", "n2"}});
  EXPECT_TRUE(translate().selectors.empty()) << "the driver does not say that it counts";
  auto& known = driver("csi");
  const auto nodes = [&] {
    const engine::NameRequirement requirement = translate().selectors.at(0)->terms.at(0).names.at(0);
    std::string text = requirement.in ? "in" : "not in";
    for (const engine::NameId name : requirement.names) text += " " + std::string(this->text(name));
    return text;
  };
  EXPECT_EQ(nodes(), "in n1");
  capacity(50, {{"kubernetes.io/hostname", "n3"}}).maximum_volume_size = api::Quantity::from_units(5);
  EXPECT_EQ(nodes(), "in n1") << "the largest volume counts, not the sum";
  objects.csi_storage_capacities[2].object.maximum_volume_size.reset();
  EXPECT_EQ(nodes(), "not in n2");
  objects.storage_classes[0].object.allowed_topologies = {
      {{{"kubernetes.io/hostname", api::SelectorOperator::kIn, {"n2", "n3"}}}, {}}};
  EXPECT_EQ(nodes(), "in n3");
  objects.storage_classes[0].object.allowed_topologies.clear();
  capacity(20, {});
  EXPECT_TRUE(translate().selectors.empty()) << "an empty topology is every node";
  objects.csi_storage_capacities[3].object.node_topology.reset();
  EXPECT_EQ(nodes(), "not in n2") << "none at all is no node";
  objects.persistent_volume_claims[0].object.requests["storage"] = api::Quantity::from_units(51);
  EXPECT_TRUE(translate().selectors.at(0)->terms.empty());
  volume("pv", 60, "n2");
  EXPECT_EQ(translate().selectors.at(0)->terms.size(), 1U) << "a volume that is there needs no room";
  known.storage_capacity = false;
  EXPECT_TRUE(translate().selectors.empty());
}

TEST_F(Volumes, AVolumeThatNamesTheClaimIsTheOnlyCandidate) {
  storage_class("fast", "kubernetes.io/no-provisioner");
  claim("data");
  use("data");
  volume("a", 10, "n1");
  auto& reserved = volume("b", 50, "n2");
  reserved.claim_namespace = "team";
  reserved.claim_name = "data";
  const PodVolumes result = translate();
  ASSERT_EQ(result.selectors.at(0)->terms.size(), 1U);
  EXPECT_EQ(names.text(result.selectors[0]->terms[0].labels.at(0).values.at(0)), "n2");
}

TEST_F(Volumes, AVolumeOfADeletedClaimDoesNotGoToTheNextOfItsName) {
  storage_class("fast", "kubernetes.io/no-provisioner");
  claim("data").metadata.uid = "new";
  use("data");
  auto& released = volume("a", 10, "n1");
  released.claim_namespace = "team";
  released.claim_name = "data";
  released.claim_uid = "old";
  EXPECT_TRUE(translate().selectors.at(0)->terms.empty());
  objects.persistent_volumes[0].object.claim_uid = "new";
  EXPECT_EQ(translate().selectors.at(0)->terms.size(), 1U);
}

TEST_F(Volumes, AVolumeOfAnotherAttributesClassIsNoCandidateThoughItNamesTheClaim) {
  storage_class("fast", "kubernetes.io/no-provisioner");
  claim("data").volume_attributes_class_name = "gold";
  use("data");
  volume("a", 10, "n1");
  auto& reserved = volume("b", 10, "n2");
  reserved.claim_namespace = "team";
  reserved.claim_name = "data";
  EXPECT_TRUE(translate().selectors.at(0)->terms.empty());
  objects.persistent_volumes[0].object.volume_attributes_class_name = "gold";
  EXPECT_EQ(translate().selectors.at(0)->terms.size(), 1U);
}

TEST_F(Volumes, UnsuitableVolumesAreNoCandidates) {
  storage_class("fast", "kubernetes.io/no-provisioner");
  claim("data").access_modes = {api::AccessMode::kReadWriteMany};
  use("data");
  volume("mode", 10).volume_mode = "Block";
  volume("class", 10).storage_class_name = "slow";
  volume("access", 10).access_modes = {api::AccessMode::kReadWriteOnce};
  volume("phase", 10).phase = "Released";
  auto& taken = volume("taken", 10);
  taken.claim_name = "else";
  taken.claim_namespace = "team";
  EXPECT_TRUE(translate().selectors.at(0)->terms.empty());
}

TEST_F(Volumes, TwoWaitingClaimsNeedTwoVolumesOfOneNode) {
  storage_class("fast", "kubernetes.io/no-provisioner");
  claim("a");
  claim("b");
  use("a");
  use("b");
  node("n1");
  node("n2");
  volume("pv1", 10, "n1");
  volume("pv2", 10, "n2");
  volume("pv3", 10, "n2");
  const PodVolumes result = translate();
  ASSERT_EQ(result.selectors.size(), 1U);
  const auto& served = result.selectors[0]->terms.at(0).names.at(0);
  ASSERT_EQ(served.names.size(), 1U);
  EXPECT_EQ(text(served.names[0]), "n2");
}

TEST_F(Volumes, AnOpenClaimTakesTheSmallestVolumeThatANodeReaches) {
  storage_class("fast", "csi");
  claim("data");
  use("data");
  volume("far", 40, "n1");
  volume("near", 20, "n1");
  volume("twin", 20, "n2");
  volume("anywhere", 80);
  volume("unreached", 90, "n3");
  const auto choices = *translate().choices;
  ASSERT_EQ(choices.existing.size(), 3U);
  ASSERT_TRUE(choices.existing[0].nodes);
  EXPECT_EQ(choices.existing[0].nodes->terms.at(0).labels.at(0).values.size(), 2U)
      << "n1 and n2, whose volumes are of one size";
  EXPECT_EQ(choices.existing[0].classes, (std::vector<engine::VolumeChoice::ClassAmounts>{{10, 20}}));
  EXPECT_EQ(choices.existing[1].classes, (std::vector<engine::VolumeChoice::ClassAmounts>{{10, 40}}));
  EXPECT_FALSE(choices.existing[2].nodes);
  EXPECT_EQ(choices.existing[2].classes, (std::vector<engine::VolumeChoice::ClassAmounts>{{10, 80}}));
}

TEST_F(Volumes, TwoOpenClaimsTakeTheirVolumesTogetherAndPerClass) {
  storage_class("fast", "csi");
  storage_class("slow", "csi");
  claim("a", "fast", 10);
  claim("b", "slow", 20);
  use("b");
  use("a");
  node("n1");
  node("n2");
  node("n3");
  volume("pv1", 40, "n1");
  volume("pv2", 80, "n1").storage_class_name = "slow";
  volume("pv3", 40, "n2");
  const PodVolumes result = translate();
  EXPECT_TRUE(result.choices->existing.empty());
  EXPECT_EQ(scored(result, "n1"), "10/40 20/80");
  EXPECT_EQ(scored(result, "n2"), "10/40");
  EXPECT_EQ(scored(result, "n3"), "") << "both are provisioned";
}

TEST_F(Volumes, WhatADriverHasLeftIsScoredWhereItMakesAllVolumes) {
  for (const char* name : {"n1", "n2", "n3"}) node(name);
  storage_class("fast", "csi");
  driver("csi");
  capacity(40, {{"kubernetes.io/hostname", "n1"}});
  capacity(100, {{"kubernetes.io/hostname", "n2"}});
  capacity(1, {{"kubernetes.io/hostname", "n3"}}).maximum_volume_size = api::Quantity::from_units(30);
  claim("a", "fast", 10);
  use("a");
  EXPECT_EQ(scored(translate(), "n1"), "10/40");
  EXPECT_EQ(scored(translate(), "n2"), "10/100");
  EXPECT_EQ(scored(translate(), "n3"), "10/1") << "the largest volume decides, the capacity is scored";
  claim("b", "fast", 5);
  use("b");
  EXPECT_EQ(scored(translate(), "n2"), "15/100") << "the claims share what there is";
  volume("pv", 50, "n2");
  EXPECT_EQ(scored(translate(), "n1"), "15/40");
  EXPECT_EQ(scored(translate(), "n2"), "5/50") << "where one takes a volume that is there the driver is not asked";
}

TEST_F(Volumes, ClaimsOfOneKindShareWhatTheyMayTake) {
  storage_class("fast", "kubernetes.io/no-provisioner");
  objects.persistent_volume_claims.reserve(3);
  claim("a");
  claim("b");
  claim("c").volume_mode = "Block";
  for (int i = 0; i < 100; ++i) volume("pv" + std::to_string(i), 10, "n" + std::to_string(i));
  const Context context(objects);
  const auto of = [&](const std::string& name) {
    pod.spec.volumes.clear();
    use(name);
    return pod_volumes(pod, context, rules, names);
  };
  const PodVolumes a = of("a");
  EXPECT_EQ(a.selectors.at(0)->terms.size(), 1U);
  EXPECT_EQ(a.selectors[0]->terms[0].labels.at(0).values.size(), 100U);
  EXPECT_EQ(of("b").selectors.at(0).address(), a.selectors[0].address());
  EXPECT_EQ(of("b").choices.address(), a.choices.address());
  EXPECT_TRUE(of("c").selectors.at(0)->terms.empty());
}

TEST_F(Volumes, AVolumeThatWasBoundMeanwhileIsNotTakenTwice) {
  storage_class("fast", "kubernetes.io/no-provisioner");
  objects.persistent_volume_claims.reserve(3);
  for (const char* name : {"a", "b", "c"}) claim(name);
  node("n1");
  volume("small", 10, "n1");
  volume("large", 20, "n1");
  const Context context(objects);
  std::vector<std::string> taken;
  for (auto& read : objects.persistent_volume_claims) {
    pod.spec.volumes.clear();
    use(read.object.metadata.name);
    const auto chosen = choose_volumes(pod, context, objects.nodes[0].object, rules);
    if (!chosen) continue;
    const auto* volume = chosen->taken.at(0).volume;
    taken.push_back(volume->metadata.name);
    for (auto& other : objects.persistent_volumes)
      if (&other.object == volume) api::bind(read.object, other.object);
  }
  EXPECT_EQ(taken, (std::vector<std::string>{"small", "large"}));
}

TEST_F(Volumes, AVolumeOfAnotherClassIsNoCandidateThoughItNamesTheClaim) {
  storage_class("fast", "kubernetes.io/no-provisioner");
  claim("data");
  use("data");
  auto& reserved = volume("b", 50, "n2");
  reserved.storage_class_name = "slow";
  reserved.claim_namespace = "team";
  reserved.claim_name = "data";
  EXPECT_TRUE(translate().selectors.at(0)->terms.empty());
}

TEST_F(Volumes, ASelectedNodeIsBinding) {
  storage_class("fast", "csi");
  claim("data").metadata.annotations["volume.kubernetes.io/selected-node"] = "n7";
  use("data");
  const PodVolumes result = translate();
  ASSERT_EQ(result.selectors.size(), 1U);
  EXPECT_EQ(text(result.selectors[0]->terms.at(0).names.at(0).names.at(0)), "n7");
}

TEST_F(Volumes, ExclusiveClaimsAreNamedWithTheirNamespace) {
  bound("data", "pv").access_modes = {api::AccessMode::kReadWriteOncePod};
  use("data");
  ASSERT_EQ(translate().exclusive_claims.size(), 1U);
  EXPECT_EQ(text(translate().exclusive_claims[0]), "team/data");
  rules.restrictions = false;
  EXPECT_TRUE(translate().exclusive_claims.empty());
}

TEST_F(Volumes, AnEphemeralVolumesClaimMustBelongToThePod) {
  api::Volume scratch;
  scratch.name = "scratch";
  scratch.ephemeral = true;
  pod.spec.volumes = {scratch};
  EXPECT_EQ(translate().hold.cause, engine::HoldCause::kMissingVolumeClaim);
  auto& made = bound("p-scratch", "pv");
  EXPECT_EQ(translate().hold.cause, engine::HoldCause::kMissingVolumeClaim);
  made.metadata.owner_references = {{"v1", "Pod", "p", "u1", true}};
  EXPECT_EQ(translate().hold.cause, engine::HoldCause::kNone);
  // VolumeZone does not look at it.
  volume("pv", 10).metadata.labels["topology.kubernetes.io/zone"] = "a";
  EXPECT_TRUE(translate().selectors.empty());
}

}  // namespace
}  // namespace berth::dialects::kubernetes
