#include "sim/case/rebuilt.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "api/scheduler_config.h"
#include "sim/case/documents.h"

namespace berth::sim {
namespace {

constexpr engine::Time kNow = 1'800'000'000;

// A node with 8 CPUs and a pod that asks for some.
class RebuiltTest : public testing::Test {
 protected:
  explicit RebuiltTest(const std::string& asked = "1") {
    add(R"(
apiVersion: v1
kind: Node
metadata: {name: n-1}
status:
  allocatable: {cpu: "8", memory: 32Gi, pods: "110"}
  conditions: [{type: Ready, status: "True"}]
)");
    add(R"(
apiVersion: v1
kind: Pod
metadata: {name: p, creationTimestamp: "2026-01-01T00:00:00Z"}
spec:
  containers: [{name: main, resources: {requests: {cpu: ")" +
        asked + R"("}}}]
)");
    cluster_.load(kNow);
  }

  void add(std::string yaml) {
    auto read = read_case_document({std::move(yaml), 1}, "x.yaml", gates_);
    ASSERT_TRUE(read) << read.error().to_string();
    append(cluster_.objects(), std::move(read->objects));
  }

  api::Node& node() { return cluster_.objects().nodes.front().object; }

  // Makes an engine anew from the objects as they are, and compares a step of both.
  std::string difference() {
    Rebuilt anew(cluster_, configuration_, 0, kNow, gates_);
    const engine::StepResult result = cluster_.engine().step({}, kNow);
    if (auto wrong = anew.decides_otherwise(cluster_, result)) return *wrong;
    return anew.explains_otherwise(cluster_).value_or("");
  }

  api::FeatureGates gates_;
  api::SchedulerConfiguration configuration_ = {{api::berth_default_profile()}};
  Cluster cluster_{{}, configuration_, {}};
};

class RebuiltOfLargePodTest : public RebuiltTest {
 protected:
  RebuiltOfLargePodTest() : RebuiltTest("9") {}
};

TEST_F(RebuiltTest, DecidesTheSameFromTheSameObjects) {
  EXPECT_EQ(difference(), "");
  cluster_.objects().pods.front().object.spec.node_name = "n-1";
  cluster_.load(kNow);
  EXPECT_EQ(difference(), "") << "nobody has anything to decide";
}

TEST_F(RebuiltTest, TellsADecisionThatRestsOnWhatTheObjectsDoNotSay) {
  node().unschedulable = true;  // and the engine does not hear of it
  EXPECT_EQ(difference(),
            "an engine made anew decides otherwise: of 0 decisions the first is \"none\", of 1 here \"default/p gets "
            "n-1\"");
}

TEST_F(RebuiltOfLargePodTest, TellsAReasonThatRestsOnWhatTheObjectsDoNotSay) {
  EXPECT_EQ(difference(), "");
  node().unschedulable = true;
  node().allocatable["cpu"] = *api::Quantity::parse("10");
  EXPECT_EQ(difference(), "an engine made anew says NodeExcluded of default/p, not NeverFits");
}

}  // namespace
}  // namespace berth::sim
