#include <string>

#include <gtest/gtest.h>

#include "controllers/test_objects.h"

namespace berth::controllers {
namespace {

struct Deployments : testing::Test, TestObjects {};

TEST_F(Deployments, ADeploymentMakesAReplicaSetAndItsPods) {
  api::Deployment deployment;
  deployment.metadata = named("web");
  deployment.replicas = 2;
  deployment.selector.match_labels["app"] = "web";
  deployment.pod_template = pod_template();
  auto& given = objects.deployments.emplace_back(deployment, Place{}).object;
  const Expansion expansion = run();
  ASSERT_EQ(expansion.replica_sets.size(), 1U);
  ASSERT_EQ(expansion.pods.size(), 2U);
  EXPECT_EQ(expansion.pods[0].object.metadata.owner_references.at(0).name,
            expansion.replica_sets[0].object.metadata.name);
  EXPECT_TRUE(expansion.pods[0].object.metadata.labels.contains("pod-template-hash"));
  // Once they are there, nothing more is made; then only what a larger count misses.
  add(run(), objects);
  EXPECT_EQ(made(), 0U);
  EXPECT_TRUE(run().replica_sets.empty());
  given.replicas = 5;
  EXPECT_EQ(made(), 3U);
  given.pod_template.spec.containers[0].image = "new";
  EXPECT_EQ(made(), 3U);
  EXPECT_EQ(run().remarks.size(), 1U);
}

TEST_F(Deployments, ADeploymentWithoutItsReplicaSetsCountsTheirPods) {
  api::Deployment deployment;
  deployment.metadata = named("web");
  deployment.replicas = 3;
  deployment.selector.match_labels["app"] = "web";
  deployment.pod_template = pod_template();
  auto& given = objects.deployments.emplace_back(deployment, Place{}).object;
  pod("web-5d4-a", "ReplicaSet", "web-5d4");
  pod("web-5d4-b", "ReplicaSet", "web-5d4");
  EXPECT_EQ(made(), 1U);
  given.paused = true;
  EXPECT_EQ(made(), 0U);
  EXPECT_EQ(run().remarks.size(), 1U);
}

}  // namespace
}  // namespace berth::controllers
