#include "engine/score/policy_keeper.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/engine.h"

namespace berth::engine {
namespace {

class PolicyKeeperTest : public testing::Test {
 protected:
  PolicyKeeperTest() {
    Profile profile;
    profile.id = names_.profiles.intern("default-scheduler");
    profile.filters = {Filter::kNodeUnschedulable, Filter::kNodeResourcesFit};
    profile.scores = {{Score::kPlacementPolicy, 10}};
    profile.values_room = true;
    config_ = keeper_.adopt(Config{.profiles = {profile}});
    policy_ = config_.profiles.front().placement_policy;
  }

  NodeInput node(int number, Amount cards) {
    NodeInput input;
    input.name = names_.names.intern("n" + std::to_string(number));
    input.allocatable = {{kCpu, 64'000}, {kPods, 110}, {gpu_, cards * kMilliPerCard}};
    input.cards = {{gpu_, ProductId::none(), 0}};
    return input;
  }

  PodInput pod(int number, std::int32_t cards, std::int32_t milli = kMilliPerCard) {
    PodInput input;
    input.name = names_.names.intern("default/p" + std::to_string(number));
    input.created = number;
    input.shape.profile = config_.profiles.front().id;
    input.shape.namespace_ = names_.namespaces.intern("default");
    input.shape.requests = {{kCpu, 1000}};
    input.shape.cards = {{gpu_, cards, milli, {}}};
    return input;
  }

  // A world of so many nodes of eight cards.
  void begin(int nodes) {
    world_.emplace(config_, names_);
    for (int i = 0; i < nodes; ++i) world_->set_node(node(i, 8));
    world_->refresh();
  }
  void follow(std::int64_t pods) { keeper_.follow(*world_, pods); }
  PodId place(int number, int on, std::int32_t cards = 8) {
    const PodId id = world_->set_pod(pod(number, cards));
    world_->place(id, world_->find_node(names_.names.find("n" + std::to_string(on))));
    world_->commit();
    return id;
  }

  Names names_;
  const ResourceId gpu_ = names_.resources.intern("nvidia.com/gpu");
  PolicyKeeper keeper_;
  Config config_;
  const PlacementPolicy* policy_ = nullptr;
  std::optional<World> world_;
};

TEST_F(PolicyKeeperTest, OnlyProfilesThatScoreWithRoomsAreAdopted) {
  Profile other;
  other.scores = {{Score::kPlacementPolicy, 1}};
  Profile without_score;
  without_score.values_room = true;
  const Config adopted = keeper_.adopt(Config{.profiles = {other, without_score}});
  EXPECT_EQ(adopted.profiles[0].placement_policy, nullptr);
  EXPECT_EQ(adopted.profiles[1].placement_policy, nullptr);
  EXPECT_NE(policy_, nullptr);
}

TEST_F(PolicyKeeperTest, WeighsAgainWhenASixteenthOfTheFreeCardsIsTaken) {
  begin(65);  // more cards than a small cluster
  follow(1);
  const std::uint64_t weighed = policy_->revision();
  for (int i = 0; i < 4; ++i) place(i, i);
  follow(1);
  EXPECT_EQ(policy_->revision(), weighed) << "32 of 520 cards are less than a 16th";
  place(4, 4);
  follow(1);
  EXPECT_GT(policy_->revision(), weighed);
}

TEST_F(PolicyKeeperTest, LearnsAgainAfterAsManyDecisionsAsItKnewPods) {
  begin(65);
  place(0, 0, 1);
  follow(1);
  const std::uint64_t first = policy_->revision();
  place(1, 0, 2);  // a shape that it does not know
  for (int i = 0; i < 63; ++i) follow(1);
  EXPECT_EQ(policy_->revision(), first);
  follow(1);
  EXPECT_GT(policy_->revision(), first);
}

TEST_F(PolicyKeeperTest, CordonedNodesHaveNoRoom) {
  begin(66);
  follow(1);
  const std::uint64_t weighed = policy_->revision();
  for (int i = 0; i < 5; ++i) {
    NodeInput cordoned = node(i, 8);
    cordoned.unschedulable = true;
    world_->set_node(cordoned);
  }
  world_->refresh();
  follow(1);
  EXPECT_GT(policy_->revision(), weighed) << "40 of 528 free cards are gone";
}

TEST_F(PolicyKeeperTest, PodsWithoutCardsTeachNothing) {
  begin(65);
  follow(0);
  const std::uint64_t first = policy_->revision();
  place(1, 0, 2);
  for (int i = 0; i < 500; ++i) follow(0);
  EXPECT_EQ(policy_->revision(), first);
}

TEST_F(PolicyKeeperTest, AClusterWithoutCardsIsNeverWeighed) {
  begin(0);
  NodeInput bare = node(0, 0);
  bare.cards.clear();
  world_->set_node(bare);
  world_->refresh();
  const std::uint64_t first = policy_->revision();
  for (int i = 0; i < 3; ++i) {
    keeper_.begin_step();
    follow(1);
  }
  EXPECT_EQ(policy_->revision(), first);
}

TEST_F(PolicyKeeperTest, ASmallClusterIsWeighedOncePerStepThatDecides) {
  begin(2);
  keeper_.begin_step();
  follow(1);
  const std::uint64_t first = policy_->revision();
  follow(1);
  EXPECT_EQ(policy_->revision(), first);
  keeper_.begin_step();
  EXPECT_EQ(policy_->revision(), first) << "nobody was asked about";
  follow(1);
  EXPECT_GT(policy_->revision(), first);
}

// What a small cluster decides does not depend on what happened before.
TEST_F(PolicyKeeperTest, AnEngineMadeAnewDecidesTheSameInASmallCluster) {
  std::vector<Event> events;
  for (int i = 0; i < 6; ++i) events.emplace_back(NodeChanged{node(i, i % 2 == 0 ? 8 : 2)});
  const std::vector<PodInput> pods = {pod(0, 1),      pod(1, 1, 500), pod(2, 2),      pod(3, 1, 300),
                                      pod(4, 4),      pod(5, 1),      pod(6, 1, 700), pod(7, 8),
                                      pod(8, 1, 200), pod(9, 1),      pod(10, 2)};
  Engine followed(config_, names_);
  (void)followed.step(events, 0);
  std::vector<Event> told = events;  // what a new engine hears
  for (const PodInput& next : pods) {
    Engine anew(config_, names_);
    std::vector<Event> all = told;
    all.emplace_back(PodChanged{next});
    const StepResult known = followed.step(std::vector<Event>{PodChanged{next}}, 1);
    const StepResult fresh = anew.step(all, 1);
    ASSERT_EQ(known.decisions.size(), fresh.decisions.size());
    if (known.decisions.empty()) continue;
    const NodeId where = known.decisions.front().node;
    ASSERT_EQ(followed.world().node(where).input.name, anew.world().node(fresh.decisions.front().node).input.name);
    ASSERT_EQ(known.decisions.front().cards, fresh.decisions.front().cards);
    PodInput running = next;
    running.node = followed.world().node(where).input.name;
    running.cards = known.decisions.front().cards;
    told.emplace_back(PodChanged{std::move(running)});
  }
}

}  // namespace
}  // namespace berth::engine
