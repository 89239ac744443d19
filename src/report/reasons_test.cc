#include "report/reasons.h"

#include <array>
#include <string_view>

#include <gtest/gtest.h>

#include "engine/input.h"

namespace berth::report {
namespace {

using engine::NodeCause;
using engine::Reason;
using engine::ReasonClass;

// Three nodes and one holder, as a report would see them.
class Stage final : public Surroundings {
 public:
  Stage() { gpu_ = names_.resources.intern("nvidia.com/gpu"); }
  [[nodiscard]] const engine::Names& names() const override { return names_; }
  [[nodiscard]] std::string_view node_name(engine::NodeId node) const override { return nodes_[node.index()]; }
  [[nodiscard]] std::string_view pod_name(engine::PodId) const override { return "team-a/train-0"; }
  [[nodiscard]] std::string_view pod_node_name(engine::PodId) const override { return "gpu-2"; }
  [[nodiscard]] HolderState holder_state(engine::PodId) const override { return holder_; }
  [[nodiscard]] bool is_card(engine::ResourceId resource) const override { return resource == gpu_; }
  [[nodiscard]] engine::Amount allocatable(engine::NodeId, engine::ResourceId) const override { return 8000; }
  [[nodiscard]] std::vector<std::string> likely_resources(engine::ResourceId) const override {
    return {"nvidia.com/mig-3g.20gb"};
  }
  [[nodiscard]] std::vector<std::string> nodes_with(NodeCause cause) const override {
    if (cause == NodeCause::kUnschedulable) return {"gpu-1"};
    if (cause == NodeCause::kInsufficient) return {"gpu-2", "gpu-3"};
    return {};
  }

  [[nodiscard]] std::vector<TaintedNodes> taints() const override { return tainted_; }
  [[nodiscard]] std::optional<engine::Taint> taint_on(engine::NodeId node) const override {
    if (node.index() == 0) return std::nullopt;
    return taint(node.index() == 1 && other_taint_ ? "broken" : "maintenance");
  }
  [[nodiscard]] engine::Taint taint(std::string_view key) const {
    return {names_.label_keys.find(key), names_.find_label_value(""), engine::Effect::kNoSchedule};
  }
  [[nodiscard]] std::string selection() const override { return "disk=nvme"; }
  [[nodiscard]] std::vector<std::string> needed_features() const override { return {"TimeTravel"}; }
  [[nodiscard]] bool was_refused(std::string_view kind, std::string_view name) const override {
    return refused_ && (name.empty() || (kind == "ResourceClaim" && name == "cards"));
  }
  [[nodiscard]] bool is_on_a_node(engine::LabelKeyId key) const override { return key.index() == 0; }
  [[nodiscard]] std::vector<std::string> unanswered() const override { return {"no node has disk=nvme; there is ssd"}; }

  Reason reason(ReasonClass reason_class) {
    Reason out;
    out.reason_class = reason_class;
    out.resource = gpu_;
    out.needed = 8000;
    out.best_found = 5000;
    out.best_node = engine::NodeId{1U};
    out.missing = 3000;
    out.total_nodes = 3;
    out.nodes[static_cast<std::size_t>(NodeCause::kUnschedulable)] = 1;
    out.nodes[static_cast<std::size_t>(NodeCause::kInsufficient)] = 2;
    out.holders.push_back({engine::PodId{0U}, 3000});
    out.not_causes = 1U << static_cast<unsigned>(NodeCause::kTaint);
    return out;
  }
  engine::Names names_;
  HolderState holder_ = HolderState::kRuns;
  std::vector<TaintedNodes> tainted_;
  bool refused_ = false;
  bool other_taint_ = false;  // gpu-2 has "broken"

 private:
  engine::ResourceId gpu_;
  std::vector<std::string> nodes_ = {"gpu-1", "gpu-2", "gpu-3"};
};

TEST(Reasons, BusyComparesNumbers) {
  Stage stage;
  EXPECT_EQ(sentence(stage.reason(ReasonClass::kBusy), stage),
            "needs 8 GPUs on one node; best is gpu-2 with 5 free of 8; 3 missing");
}

TEST(Reasons, WhatCouldNotBeReadIsNotSaidToBeMissing) {
  Stage stage;
  Reason reason = stage.reason(ReasonClass::kNotReady);
  reason.hold = {engine::HoldCause::kMissingResourceClaim, stage.names_.names.intern("cards")};
  EXPECT_EQ(sentence(reason, stage), "ResourceClaim cards does not exist in the input");
  stage.refused_ = true;
  EXPECT_EQ(sentence(reason, stage), "ResourceClaim cards is in the input and could not be read; correct its error");
  Reason nowhere = stage.reason(ReasonClass::kNeverFits);
  nowhere.total_nodes = 0;
  EXPECT_EQ(sentence(nowhere, stage), "no node of the input could be read; correct their errors");
}

TEST(Reasons, AFeatureThatNoNodeDeclaresIsNamed) {
  Stage stage;
  Reason reason = stage.reason(ReasonClass::kNeverFits);
  reason.best_node = engine::NodeId::none();
  reason.best_found = 0;
  reason.nodes = {};
  reason.nodes[static_cast<std::size_t>(NodeCause::kFeature)] = 3;
  EXPECT_EQ(sentence(reason, stage), "needs a node that declares TimeTravel: of 3 nodes 3 without a feature it needs");
  EXPECT_NE(whole_text(reason, stage).find("\nFeature: its node has to declare TimeTravel"), std::string::npos)
      << whole_text(reason, stage);
}

TEST(Reasons, ALabelThatNoNodeHasIsSaid) {
  Stage stage;
  Reason reason = stage.reason(ReasonClass::kTopologyNoFit);
  reason.needed = 0;
  stage.names_.label_keys.intern("zone");  // on a node
  reason.topology_key = stage.names_.label_keys.intern("rack");
  EXPECT_EQ(sentence(reason, stage), "no node has the label rack, by which its rule counts");
  reason.topology_key = stage.names_.label_keys.intern("zone");
  EXPECT_EQ(sentence(reason, stage), "no value of zone will do now");
}

TEST(Reasons, FragmentedGivesTheSum) {
  Stage stage;
  Reason reason = stage.reason(ReasonClass::kFragmented);
  reason.sum_free = 9000;
  EXPECT_EQ(sentence(reason, stage),
            "needs 8 GPUs on one node; best is gpu-2 with 5 free of 8; 3 missing; 9 free in sum over 2 nodes");
}

TEST(Reasons, NeverFitsNamesWhatTheClusterHasInstead) {
  Stage stage;
  Reason reason = stage.reason(ReasonClass::kNeverFits);
  EXPECT_EQ(sentence(reason, stage),
            "needs 8 GPUs (nvidia.com/gpu) on one node; the largest node, gpu-2, has 5, even when empty");
  reason.best_found = 0;
  EXPECT_EQ(sentence(reason, stage),
            "needs 8 GPUs (nvidia.com/gpu) on one node; no node has any (the cluster offers nvidia.com/mig-3g.20gb)");
  reason.total_nodes = 0;
  EXPECT_EQ(sentence(reason, stage), "there is no node in the input");
}

TEST(Reasons, NodeExcludedNamesTheNode) {
  Stage stage;
  EXPECT_EQ(sentence(stage.reason(ReasonClass::kNodeExcluded), stage),
            "capacity exists, but on nodes it may not use: gpu-1 cordoned; it needs 8 GPUs");
}

// A cordoned node that is too small, or of another product, is not told of where a tainted one would do.
TEST(Reasons, NodeExcludedNamesOnlyNodesThatWouldDo) {
  Stage stage;
  stage.names_.label_keys.intern("maintenance");
  stage.names_.label_value("");
  Reason reason = stage.reason(ReasonClass::kNodeExcluded);
  reason.would_do = {{engine::NodeId{2U}, NodeCause::kTaint}};
  reason.would_do_counts[static_cast<std::size_t>(NodeCause::kTaint)] = 1;
  EXPECT_EQ(sentence(reason, stage),
            "capacity exists, but on nodes it may not use: gpu-3 tainted maintenance:NoSchedule; it needs 8 GPUs");
  reason.would_do_counts[static_cast<std::size_t>(NodeCause::kTaint)] = 12;
  reason.would_do.push_back({engine::NodeId{1U}, NodeCause::kTaint});
  EXPECT_NE(sentence(reason, stage).find("gpu-2, gpu-3 and 10 more tainted"), std::string::npos);
}

// "gpu-2 and gpu-3 tainted a and b" left open which node has which.
TEST(Reasons, EachTaintIsSaidWithItsNodes) {
  Stage stage;
  stage.names_.label_keys.intern("maintenance");
  stage.names_.label_keys.intern("broken");
  stage.names_.label_value("");
  stage.other_taint_ = true;
  Reason reason = stage.reason(ReasonClass::kNodeExcluded);
  reason.would_do = {{engine::NodeId{1U}, NodeCause::kTaint}, {engine::NodeId{2U}, NodeCause::kTaint}};
  reason.would_do_counts[static_cast<std::size_t>(NodeCause::kTaint)] = 2;
  EXPECT_EQ(sentence(reason, stage),
            "capacity exists, but on nodes it may not use: gpu-2 tainted broken:NoSchedule and gpu-3 tainted "
            "maintenance:NoSchedule; it needs 8 GPUs");
  reason.would_do_counts[static_cast<std::size_t>(NodeCause::kTaint)] = 9;
  EXPECT_NE(sentence(reason, stage).find("and 7 more nodes tainted; it"), std::string::npos) << sentence(reason, stage);

  reason.nodes[static_cast<std::size_t>(NodeCause::kTaint)] = 2;
  stage.tainted_ = {{stage.taint("broken"), {"gpu-2"}}, {stage.taint("maintenance"), {"gpu-3"}}};
  EXPECT_NE(whole_text(reason, stage).find("2 tainted broken:NoSchedule: gpu-2; maintenance:NoSchedule: gpu-3"),
            std::string::npos)
      << whole_text(reason, stage);
}

TEST(Reasons, AHolderThatLeavesOrIsOnlyPlannedIsSaidToBe) {
  Stage stage;
  stage.holder_ = HolderState::kLeaving;
  const Reason reason = stage.reason(ReasonClass::kBusy);
  EXPECT_NE(whole_text(reason, stage).find("(3 GPUs on gpu-2, being deleted)"), std::string::npos);
  stage.holder_ = HolderState::kPlanned;
  EXPECT_NE(whole_text(reason, stage).find("(3 GPUs on gpu-2 in this plan, not yet)"), std::string::npos);
}

// "it needs 4 CPUs, the best has 8" is no cause.
TEST(Reasons, ARuleAmongPodsIsNotToldWithAmountsThatAreThere) {
  Stage stage;
  Reason reason = stage.reason(ReasonClass::kTopologyNoFit);
  stage.names_.label_keys.intern("zone");
  reason.topology_key = stage.names_.label_keys.intern("rack");
  EXPECT_NE(sentence(reason, stage).find("; it needs 8 GPUs, the best has 5"), std::string::npos);
  reason.best_found = 9000;
  reason.missing = 0;
  EXPECT_EQ(sentence(reason, stage).find("it needs"), std::string::npos);
}

TEST(Reasons, ASelectorThatNoNodeAnswersIsShownWithWhatThereIs) {
  Stage stage;
  Reason reason = stage.reason(ReasonClass::kNeverFits);
  reason.best_found = 0;
  reason.nodes = {};
  reason.nodes[static_cast<std::size_t>(NodeCause::kNodeAffinity)] = 3;
  EXPECT_EQ(sentence(reason, stage), "no node has disk=nvme; there is ssd");
  EXPECT_NE(whole_text(reason, stage).find("Selects: disk=nvme"), std::string::npos);
}

TEST(Reasons, NotReadyNamesTheGate) {
  Stage stage;
  Reason reason;
  reason.reason_class = ReasonClass::kNotReady;
  reason.hold = {engine::HoldCause::kSchedulingGate, stage.names_.names.intern("example.com/quota")};
  EXPECT_EQ(sentence(reason, stage), "held by its scheduling gate example.com/quota");
}

TEST(Reasons, FactsPartitionTheNodesAndNameHolders) {
  Stage stage;
  const std::string text = whole_text(stage.reason(ReasonClass::kBusy), stage);
  EXPECT_NE(text.find("3 nodes: 1 cordoned: gpu-1"), std::string::npos) << text;
  EXPECT_NE(text.find("2 too little free: gpu-[2,3]"), std::string::npos) << text;
  EXPECT_NE(text.find("Held by: team-a/train-0 (3 GPUs on gpu-2)"), std::string::npos) << text;
  EXPECT_NE(text.find("Not it: taints"), std::string::npos) << text;
}

TEST(Reasons, EveryClassHasAName) {
  const std::array<std::string_view, 15> names = {"Runs",           "NeverFits",     "Busy",        "Fragmented",
                                                  "GangIncomplete", "QuotaExceeded", "QueueDenied", "TopologyNoFit",
                                                  "NodeExcluded",   "NoDevice",      "DeviceBusy",  "SelectorError",
                                                  "Reserved",       "ScaleLimit",    "NotReady"};
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(name_of(static_cast<ReasonClass>(i)), names[i]);
}

}  // namespace
}  // namespace berth::report
