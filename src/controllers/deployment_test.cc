#include <map>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "controllers/test_objects.h"

namespace berth::controllers {
namespace {

struct Deployments : testing::Test, TestObjects {
  api::Deployment& deployment(std::int32_t replicas) {
    api::Deployment result;
    result.metadata = named("web");
    result.replicas = replicas;
    result.selector.match_labels["app"] = "web";
    result.pod_template = pod_template();
    return objects.deployments.emplace_back(result, Place{}).object;
  }
  using TestObjects::replica_set;
  api::ReplicaSet& replica_set(const std::string& name, std::int32_t replicas, const std::string& image) {
    api::ReplicaSet& set = TestObjects::replica_set(replicas);
    set.metadata.name = name;
    set.metadata.owner_references = {{"apps/v1", "Deployment", "web", "", true}};
    set.pod_template.spec.containers[0].image = image;
    set.pod_template.metadata.labels["pod-template-hash"] = name;
    return set;
  }
  // How many pods each ReplicaSet gets.
  static std::map<std::string, int> owners(const Expansion& expansion) {
    std::map<std::string, int> result;
    for (const auto& read : expansion.pods) ++result[read.object.metadata.owner_references.at(0).name];
    return result;
  }
};

TEST_F(Deployments, ADeploymentMakesAReplicaSetAndItsPods) {
  api::Deployment& given = deployment(2);
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
  api::Deployment& given = deployment(3);
  pod("web-5d4-a", "ReplicaSet", "web-5d4");
  pod("web-5d4-b", "ReplicaSet", "web-5d4");
  EXPECT_EQ(made(), 1U);
  given.paused = true;
  EXPECT_EQ(made(), 0U);
  EXPECT_EQ(run().remarks.size(), 1U);
}

TEST_F(Deployments, ManyWithoutTheirReplicaSetsTakeLinearTime) {
  constexpr int kApps = 20'000;
  for (int i = 0; i < kApps; ++i) {
    const std::string app = "app-" + std::to_string(i);
    api::Deployment& from = deployment(2);
    from.metadata.name = app;
    from.selector.match_labels["app"] = app;
    from.pod_template = pod_template(app);
    pod(app + "-5d4-a", "ReplicaSet", app + "-5d4").metadata.labels["app"] = app;
  }
  EXPECT_EQ(made(), static_cast<std::size_t>(kApps));
}

TEST_F(Deployments, ScaledDownOneMakesNoMoreThanItWants) {
  auto& given = deployment(2);
  replica_set("web-1", 5, "");
  EXPECT_EQ(made(), 2U);
  pod("a", "ReplicaSet", "web-1");
  EXPECT_EQ(made(), 1U);
  given.recreate = true;
  EXPECT_EQ(made(), 1U);
  given.paused = true;
  EXPECT_EQ(made(), 1U);
  given.replicas = 0;
  EXPECT_EQ(made(), 0U);
}

TEST_F(Deployments, ScaledOneGivesAllToTheOnlyActiveReplicaSet) {
  auto& given = deployment(3);
  given.pod_template.spec.containers[0].image = "app:2";
  replica_set("web-1", 5, "app:1").metadata.annotations["deployment.kubernetes.io/desired-replicas"] = "5";
  replica_set("web-2", 0, "app:2");
  const Expansion expansion = run();
  EXPECT_EQ(owners(expansion), (std::map<std::string, int>{{"web-1", 3}}));
}

TEST_F(Deployments, ScaledDuringARollOutKeepTheirProportions) {
  auto& given = deployment(5);
  given.pod_template.spec.containers[0].image = "app:2";
  for (const auto& [name, replicas, image] : {std::tuple("web-1", 8, "app:1"), std::tuple("web-2", 5, "app:2")}) {
    auto& set = replica_set(name, replicas, image);
    set.metadata.annotations["deployment.kubernetes.io/desired-replicas"] = "10";
    set.metadata.annotations["deployment.kubernetes.io/max-replicas"] = "13";
  }
  // 13 with a surge of 3 become 7 with a surge of 2: 8 * 7 / 13 and 5 * 7 / 13, rounded.
  EXPECT_EQ(owners(run()), (std::map<std::string, int>{{"web-1", 4}, {"web-2", 3}}));
  given.replicas = 20;
  EXPECT_EQ(owners(run()), (std::map<std::string, int>{{"web-1", 15}, {"web-2", 10}}));
  given.recreate = true;  // has no surge, and leaves several as they are
  EXPECT_EQ(owners(run()), (std::map<std::string, int>{{"web-1", 8}, {"web-2", 5}}));
}

TEST_F(Deployments, ARollOutInItsStrideStaysAsItIs) {
  auto& given = deployment(10);
  given.pod_template.spec.containers[0].image = "app:2";
  replica_set("web-1", 8, "app:1");
  replica_set("web-2", 5, "app:2");
  EXPECT_EQ(owners(run()), (std::map<std::string, int>{{"web-1", 8}, {"web-2", 5}}));
  given.max_surge = {1, false};
  EXPECT_EQ(owners(run()), (std::map<std::string, int>{{"web-1", 6}, {"web-2", 5}}));
}

TEST_F(Deployments, AnOldReplicaSetGoesWhereTheNewOneHasAllPodsReady) {
  auto& given = deployment(1);
  given.paused = true;
  replica_set("web-1", 2, "app:1");
  auto& fresh = replica_set("web-2", 1, "");
  fresh.metadata.annotations["deployment.kubernetes.io/desired-replicas"] = "1";
  EXPECT_EQ(owners(run()), (std::map<std::string, int>{{"web-1", 1}, {"web-2", 1}}));
  pod("a", "ReplicaSet", "web-2").spec.node_name = "n1";
  EXPECT_EQ(made(), 0U);
}

}  // namespace
}  // namespace berth::controllers
