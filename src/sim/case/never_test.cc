#include "sim/case/never.h"

#include <gtest/gtest.h>

namespace berth::sim {
namespace {

using State = PodRecord::State;

PodRecord pod(std::string name, State state, std::string owner = "", std::string node = "n-1") {
  PodRecord record;
  record.name = std::move(name);
  record.namespace_ = "default";
  record.lineage = {"Pod/" + record.name};
  if (!owner.empty()) record.lineage.push_back(std::move(owner));
  record.state = state;
  record.node = std::move(node);
  record.card_count = 1;
  if (state != State::kPending) record.started = 10;
  return record;
}

bool holds(std::string_view sentence, const std::vector<PodRecord>& pods) {
  const auto check = understand_never(sentence);
  EXPECT_TRUE(check) << sentence;
  std::vector<const PodRecord*> pointers;
  for (const PodRecord& record : pods) pointers.push_back(&record);
  return check && (*check)(Moment{pointers, [](std::string_view) { return std::int64_t{1}; }}).has_value();
}

TEST(Never, EvictionsOfAnybodyAndOfOne) {
  const std::vector<PodRecord> calm = {pod("a", State::kRunning), pod("b", State::kPending)};
  EXPECT_FALSE(holds("any pod is evicted", calm));
  const std::vector<PodRecord> stormy = {pod("a", State::kEvicted, "Job/guest"),
                                         pod("b", State::kEvicted, "Job/guest")};
  EXPECT_TRUE(holds("any pod is evicted", stormy));
  EXPECT_TRUE(holds("guest is evicted a second time", stormy));
  EXPECT_FALSE(holds("a is evicted a second time", stormy));
  EXPECT_FALSE(holds("Pod/guest is evicted", stormy)) << "the kind counts where it is given";
  EXPECT_TRUE(holds("Job/gu* is evicted", stormy));
}

TEST(Never, AnEvictionOutsideOfAPlanIsSeen) {
  std::vector<PodRecord> pods = {pod("a", State::kEvicted), pod("b", State::kRunning)};
  pods[0].evicted_for = "default/b";
  EXPECT_FALSE(holds("a pod is evicted before a complete plan exists", pods));
  pods[0].evicted_without_plan = true;
  EXPECT_TRUE(holds("a pod is evicted before a complete plan exists", pods));
  EXPECT_TRUE(holds("a is evicted before a complete plan exists", pods));
  EXPECT_FALSE(holds("b is evicted before a complete plan exists", pods));
}

TEST(Never, HoldingAndRunning) {
  const std::vector<PodRecord> pods = {pod("green-1", State::kRunning, "Job/green"),
                                       pod("blue-1", State::kPending, "Job/blue")};
  EXPECT_TRUE(holds("green holds a GPU", pods));
  EXPECT_FALSE(holds("blue holds a GPU", pods));
  EXPECT_FALSE(holds("green holds a GPU on n-2", pods));
  EXPECT_TRUE(holds("green runs while blue is pending", pods));
  EXPECT_TRUE(holds("green runs while blue has fewer than one running members", pods));
  EXPECT_FALSE(holds("more than 1 pods run on n-1", pods));
}

TEST(Never, OrderOfStarts) {
  std::vector<PodRecord> pods = {pod("long", State::kPending), pod("huge", State::kPending)};
  EXPECT_FALSE(holds("long starts before huge", pods));
  pods[0] = pod("long", State::kRunning);
  EXPECT_TRUE(holds("long starts before huge", pods));
  pods[1] = pod("huge", State::kSucceeded);
  EXPECT_FALSE(holds("long starts before huge", pods)) << "they started in the same second";
}

TEST(Never, PodsAndCards) {
  const std::vector<PodRecord> pods = {pod("a", State::kRunning), pod("b", State::kRunning)};
  EXPECT_TRUE(holds("more pods than cards use n-1", pods));
  EXPECT_TRUE(holds("a and b run on the same node", pods));
  EXPECT_FALSE(holds("a and a run on the same node", pods));
}

TEST(Never, WhatIsNotUnderstoodIsSaid) {
  EXPECT_FALSE(understand_never("the outcome depends on the order in which nodes are tried"));
  EXPECT_FALSE(understand_never("more than many pods of x run"));
  EXPECT_FALSE(understand_never(""));
}

}  // namespace
}  // namespace berth::sim
