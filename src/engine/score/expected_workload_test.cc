#include "engine/score/expected_workload.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/engine.h"

namespace berth::engine {
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30U;

// Nodes of two products; pods of one profile.
class ExpectedWorkloadTest : public testing::Test {
 protected:
  ExpectedWorkloadTest() {
    Profile profile;
    profile.id = names_.profiles.intern("default-scheduler");
    profile.filters = {Filter::kNodeAffinity, Filter::kNodeResourcesFit};
    profile.scores = {{Score::kNodeResourcesFit, 1}};
    config_.profiles.push_back(profile);
  }

  void node(const std::string& name, ProductId product, Amount cards, std::int64_t memory = 80 * kGiB) {
    NodeInput input;
    input.name = names_.names.intern(name);
    input.labels = {{product_key_, names_.label_value(names_.products.text(product))}};
    input.allocatable = {{kCpu, 64'000}, {kPods, 110}, {gpu_, cards * kMilliPerCard}};
    input.cards = {{gpu_, product, memory}};
    events_.emplace_back(NodeChanged{std::move(input)});
  }

  PodInput pod(Amount cpu, CardRequest cards) {
    PodInput input;
    input.name = names_.names.intern("default/p" + std::to_string(pods_++));
    input.shape.profile = config_.profiles.front().id;
    input.shape.namespace_ = names_.namespaces.intern("default");
    if (cpu > 0) input.shape.requests = {{kCpu, cpu}};
    cards.resource = gpu_;
    if (cards.count > 0) input.shape.cards = {cards};
    return input;
  }
  NodeSelector on(const std::string& product) {
    return {{NodeTerm{.labels = {Requirement{product_key_, Operator::kIn, {names_.label_value(product)}, {}}},
                      .names = {}}}};
  }
  void add(const PodInput& input) { events_.emplace_back(PodChanged{input}); }

  ExpectedWorkload learn() {
    Engine engine(config_, names_);
    (void)engine.step(events_, 0);
    return expected_workload(engine.world());
  }

  Names names_;
  Config config_;
  std::vector<Event> events_;
  int pods_ = 0;
  const ResourceId gpu_ = names_.resources.intern("nvidia.com/gpu");
  const LabelKeyId product_key_ = names_.label_keys.intern("nvidia.com/gpu.product");
  const ProductId a100_ = names_.products.intern("A100");
  const ProductId h100_ = names_.products.intern("H100");
};

TEST_F(ExpectedWorkloadTest, PodsWithoutCardsCountWhereCardsAreEverywhere) {
  node("n1", a100_, 8);
  for (int i = 0; i < 2; ++i) add(pod(4000, {.count = 1}));
  for (int i = 0; i < 6; ++i) add(pod(500, {}));
  for (int i = 0; i < 4; ++i) add(pod(0, {}));
  const ExpectedWorkload expected = learn();
  EXPECT_EQ(expected.pods, 2);
  const std::vector<TargetShape> shapes(expected.shapes.shapes().begin(), expected.shapes.shapes().end());
  EXPECT_EQ(shapes, (std::vector<TargetShape>{{.cpu = 4000, .card_count = 1, .card_milli = 1000, .count = 2},
                                              {.cpu = 500, .products = {}, .count = 1}}))
      << "as many as there are with cards, which is 2 of 10";
}

TEST_F(ExpectedWorkloadTest, IsWhatRunsAndWhatWaitsButNotWhatCanGoElsewhere) {
  node("n1", a100_, 2);
  NodeInput bare;
  bare.name = names_.names.intern("bare");
  bare.allocatable = {{kCpu, 64'000}, {kPods, 110}};
  events_.emplace_back(NodeChanged{std::move(bare)});
  for (int i = 0; i < 3; ++i) add(pod(4000, {.count = 1}));  // of which one waits
  add(pod(0, {.count = 1, .milli = 300}));
  add(pod(500, {}));
  const ExpectedWorkload expected = learn();
  EXPECT_EQ(expected.pods, 4);
  const std::vector<TargetShape> shapes(expected.shapes.shapes().begin(), expected.shapes.shapes().end());
  EXPECT_EQ(shapes, (std::vector<TargetShape>{{.cpu = 4000, .card_count = 1, .card_milli = 1000, .count = 3},
                                              {.cpu = 100, .card_count = 1, .card_milli = 300, .count = 1}}));
}

TEST_F(ExpectedWorkloadTest, AcceptableAreTheProductsOfTheNodesThatWouldTakeThePod) {
  node("n1", a100_, 8);
  node("n2", h100_, 4);
  PodInput picky = pod(1000, {.count = 1});
  picky.shape.node_selectors = {on("H100")};
  add(picky);
  add(pod(1000, {.count = 8}));  // which only the larger node could take
  PodInput lost = pod(1000, {.count = 1});
  lost.shape.node_selectors = {on("B200")};
  add(lost);
  const ExpectedWorkload expected = learn();
  EXPECT_EQ(expected.pods, 2) << "who can go nowhere does not come";
  ASSERT_EQ(expected.shapes.shapes().size(), 2U);
  EXPECT_EQ(expected.shapes.shapes()[0].products, std::vector{h100_});
  EXPECT_EQ(expected.shapes.shapes()[1].products, std::vector{a100_});
}

TEST_F(ExpectedWorkloadTest, SharesOfSeveralCardsCountAsSoManyPods) {
  node("n1", a100_, 8);
  add(pod(3000, {.count = 2, .milli = 500}));
  const ExpectedWorkload expected = learn();
  ASSERT_EQ(expected.shapes.shapes().size(), 1U);
  EXPECT_EQ(expected.shapes.shapes()[0],
            (TargetShape{.cpu = 1500, .card_count = 1, .card_milli = 500, .products = {}, .count = 2}));
}

TEST_F(ExpectedWorkloadTest, SharesByMemoryCountByTheSmallestCardTheyMayTake) {
  node("n1", a100_, 8, 80 * kGiB);
  node("n2", h100_, 8, 40 * kGiB);
  add(pod(1000, {.count = 1, .milli = 0, .memory_bytes = 20 * kGiB}));
  const ExpectedWorkload expected = learn();
  ASSERT_EQ(expected.shapes.shapes().size(), 1U);
  EXPECT_EQ(expected.shapes.shapes()[0].card_milli, 500);
  EXPECT_TRUE(expected.shapes.shapes()[0].products.empty());
}

TEST_F(ExpectedWorkloadTest, WhatIsRareIsLeftOut) {
  node("n1", a100_, 8);
  for (int i = 0; i < 99; ++i) add(pod(1000, {.count = 1}));
  add(pod(1000, {.count = 4}));
  const ExpectedWorkload expected = learn();
  EXPECT_EQ(expected.pods, 100);
  EXPECT_EQ(expected.shapes.shapes().size(), 1U);
  EXPECT_EQ(expected.shapes.total_count(), 99);
}

}  // namespace
}  // namespace berth::engine
