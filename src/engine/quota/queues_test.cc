// Queues in the cycle: quota, order, fairness, reclaim, broken subtrees.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "engine/gang/test_world.h"

namespace berth::engine {
namespace {

struct QueueWorld : GangWorld {
  using GangWorld::node;
  using GangWorld::queue;
  using GangWorld::step;
  QuotaInput cards(Amount guarantee) { return {.resource = gpu, .guarantee = guarantee * kMilliPerCard}; }
  // A workload of one pod each.
  void add(std::vector<Event>& events, const std::string& text, const std::string& queue, std::int32_t cards,
           std::int32_t priority = 0) {
    WorkloadInput input = workload(text, 1, queue);
    input.priority = priority;
    PodInput member = pod(text, cards, text);
    member.shape.priority = priority;
    events.emplace_back(WorkloadChanged{input});
    events.emplace_back(PodChanged{member});
  }
  Amount used(const std::string& text) {
    const Workloads& workloads = engine.world().workloads();
    return workloads.ledger().used(workloads.queues().find(name(text)), gpu) / kMilliPerCard;
  }
};

class Queues : public testing::Test, protected QueueWorld {};

TEST_F(Queues, ACapHoldsAndSaysSo) {
  QueueInput lab = queue("lab");
  lab.quotas = {cards(2)};
  lab.quotas[0].cap = 3 * kMilliPerCard;
  std::vector<Event> events{node("n1", 8), QueueChanged{lab}};
  add(events, "a", "lab", 2);
  add(events, "b", "lab", 2);
  add(events, "c", "lab", 4);
  (void)step(events);
  EXPECT_EQ(running("a"), 1);
  EXPECT_EQ(used("lab"), 2);
  const Reason reason = why("b");
  EXPECT_EQ(reason.reason_class, ReasonClass::kQuotaExceeded);
  ASSERT_TRUE(reason.workload.quota.has_value());
  EXPECT_EQ(reason.workload.quota->needed, 2 * kMilliPerCard);
  EXPECT_EQ(reason.workload.quota->headroom, 1 * kMilliPerCard);
  EXPECT_EQ(reason.workload.position, 1U);
  EXPECT_EQ(why("c").reason_class, ReasonClass::kNeverFits);
  (void)step({PodRemoved{name("a")}});
  EXPECT_EQ(running("b"), 1);
}

// Half of the hardware is gone. What is left serves whoever is within its guarantee, instead of nobody.
TEST_F(Queues, GuaranteesThatTheHardwareDoesNotCoverStopNobody) {
  std::vector<Event> events{node("n1", 8)};
  for (const std::string text : {"left", "right"}) {
    QueueInput kept = queue(text);
    kept.quotas = {cards(8)};
    kept.quotas[0].lending_limit = 0;
    events.emplace_back(QueueChanged{kept});
    add(events, text + "-job", text, 4);
  }
  events.emplace_back(QueueChanged{queue("none")});
  add(events, "other", "none", 1);
  (void)step(events);
  EXPECT_EQ(used("left"), 4);
  EXPECT_EQ(used("right"), 4);
  EXPECT_EQ(used("none"), 0);
}

TEST_F(Queues, AHopelessHeadNeitherBlocksNorEvicts) {
  QueueInput pool = queue("pool");
  pool.adds_to_children = true;
  pool.quotas = {cards(0)};
  pool.quotas[0].borrowing_limit = 0;
  QueueInput owner = queue("owner", "pool");
  owner.quotas = {cards(3)};
  QueueInput guest = queue("guest", "pool");
  guest.quotas = {cards(0)};
  std::vector<Event> events{node("n1", 4), QueueChanged{pool}, QueueChanged{owner}, QueueChanged{guest}};
  add(events, "guest-one", "guest", 1);
  EXPECT_EQ(count(step(events), Decision::Kind::kPlace), 1U);
  events.clear();
  add(events, "owner-four", "owner", 4);
  EXPECT_TRUE(step(events).decisions.empty());
  EXPECT_EQ(why("owner-four").reason_class, ReasonClass::kNeverFits);
  events.clear();
  add(events, "owner-three", "owner", 3);
  const StepResult result = step(events);
  EXPECT_EQ(count(result, Decision::Kind::kEvict), 1U);
  EXPECT_EQ(running("owner-three"), 1);
  (void)step({PodRemoved{name("guest-one")}});
  events = {PodChanged{pod("guest-one", 1, "guest-one")}};
  EXPECT_TRUE(step(events).decisions.empty());
  EXPECT_EQ(why("guest-one").reason_class, ReasonClass::kQuotaExceeded);
}

TEST_F(Queues, AStrictQueueWaitsForItsHeadAndABestEffortOneDoesNot) {
  QueueInput strict = queue("strict");
  strict.strict = true;
  std::vector<Event> events{node("n1", 4), QueueChanged{strict}, QueueChanged{queue("lax")}};
  add(events, "resident", "lax", 3);
  add(events, "wide-s", "strict", 4);
  add(events, "probe-s", "strict", 1);
  (void)step(events);
  EXPECT_EQ(running("probe-s"), 0);
  events.clear();
  add(events, "wide-l", "lax", 4);
  add(events, "probe-l", "lax", 1);
  (void)step(events);
  EXPECT_EQ(running("probe-l"), 1);
  EXPECT_EQ(why("wide-l").reason_class, ReasonClass::kBusy);
}

TEST_F(Queues, BrokenSubtreesAreSetAsideAndTheRestGoesOn) {
  std::vector<Event> events{node("n1", 8), QueueChanged{queue("good")}, QueueChanged{queue("orphan", "nobody")},
                            QueueChanged{queue("x", "y")}, QueueChanged{queue("y", "x")}};
  add(events, "a", "good", 1);
  add(events, "b", "orphan", 1);
  add(events, "c", "x", 1);
  add(events, "d", "never-told", 1);
  (void)step(events);
  EXPECT_EQ(running("a"), 1);
  for (const std::string text : {"b", "c", "d"}) EXPECT_EQ(why(text).reason_class, ReasonClass::kQueueDenied) << text;
  EXPECT_EQ(why("b").workload.queue_state, QueueState::kMissingParent);
  EXPECT_EQ(why("c").workload.queue_state, QueueState::kCycle);
  EXPECT_EQ(why("d").workload.queue_state, QueueState::kMissing);
  (void)step({QueueChanged{queue("nobody")}, QueueChanged{queue("y")}, QueueChanged{queue("never-told")}});
  for (const std::string text : {"b", "c", "d"}) EXPECT_EQ(running(text), 1) << text;
}

// Each is told by itself, the children first: with a look at all others each time this does not end.
TEST_F(Queues, TwentyThousandQueuesInOneLineAreFoundAtOnce) {
  constexpr int kDepth = 20'000;
  QueueTree tree(names);
  Ledger ledger(tree);
  const auto tell = [&](int i, int parent) {
    QueueInput input = queue("q" + std::to_string(i), parent < 0 ? "" : "q" + std::to_string(parent));
    input.quotas = {cards(1)};
    EXPECT_TRUE(tree.set(input));
    ledger.rules_changed();
    ledger.charge(tree.find(input.name), gpu, kMilliPerCard);
  };
  for (int i = kDepth - 1; i >= 0; --i) tell(i, i - 1);
  EXPECT_EQ(tree.state(tree.find(name("q100"))), QueueState::kUsable);
  EXPECT_EQ(tree.state(tree.find(name("q101"))), QueueState::kTooDeep);
  EXPECT_EQ(tree.state(tree.find(name("q19999"))), QueueState::kTooDeep);
  EXPECT_EQ(tree.input(tree.culprit(tree.find(name("q19999")))).name, name("q101"));
  EXPECT_EQ(tree.top_down().size(), kDepth + 1U);
  EXPECT_EQ(ledger.used(tree.find(name("q0")), gpu), 101 * kMilliPerCard);
  EXPECT_EQ(ledger.used(tree.find(name("q99")), gpu), 2 * kMilliPerCard);
  EXPECT_EQ(ledger.used(tree.find(name("q19998")), gpu), kMilliPerCard) << "too deep ones are charged for themselves";
  // The ends meet.
  EXPECT_TRUE(tree.set(queue("q0", "q19999")));
  ledger.rules_changed();
  EXPECT_EQ(tree.state(tree.find(name("q7"))), QueueState::kCycle);
  EXPECT_EQ(ledger.used(tree.find(name("q0")), gpu), kMilliPerCard) << "each is charged for itself";
}

// The parent is the first queue beyond the ledger's tables, and has no quota that would widen them before.
TEST_F(Queues, AParentThatIsToldAfterItsChildHasItsPlaceInTheLedger) {
  QueueTree tree(names);
  Ledger ledger(tree);
  QueueInput child = queue("child");
  child.quotas = {cards(3)};
  tree.set(child);
  ledger.rules_changed();
  EXPECT_EQ(ledger.quota(tree.find(child.name), gpu), 3 * kMilliPerCard);
  child.parent = name("parent");
  QueueInput parent = queue("parent");
  parent.adds_to_children = true;
  tree.set(child);
  tree.set(parent);
  ledger.rules_changed();
  EXPECT_EQ(ledger.quota(tree.find(child.name), gpu), 3 * kMilliPerCard);
  EXPECT_EQ(ledger.quota(tree.find(parent.name), gpu), 3 * kMilliPerCard);
}

TEST_F(Queues, ChildrenAreInTheOrderOfTheirNamesHoweverTheyCome) {
  QueueTree tree(names);
  for (const QueueInput& input : {queue("m", "top"), queue("b", "top"), queue("z"), queue("top"), queue("c", "top")})
    EXPECT_TRUE(tree.set(input));
  EXPECT_TRUE(tree.set(queue("z", "top")));
  EXPECT_TRUE(tree.set(queue("a", "top")));
  std::vector<std::string> told;
  for (const QueueId child : tree.children(tree.find(name("top"))))
    told.emplace_back(names.names.text(tree.input(child).name));
  EXPECT_EQ(told, (std::vector<std::string>{"a", "b", "c", "m", "z"}));
}

TEST_F(Queues, TheNearestCulpritIsNamed) {
  QueueTree tree(names);
  QueueInput closed = queue("closed");
  closed.open = false;
  for (const QueueInput& input : {queue("x", "y"), queue("y", "z"), queue("z", "y"), closed, queue("in", "closed"),
                                  queue("deep", "in"), queue("orphan", "gone"), queue("below", "orphan")})
    EXPECT_TRUE(tree.set(input));
  const auto state = [&](const std::string& text) { return tree.state(tree.find(name(text))); };
  const auto culprit = [&](const std::string& text) { return tree.input(tree.culprit(tree.find(name(text)))).name; };
  EXPECT_EQ(state("x"), QueueState::kCycle);
  EXPECT_EQ(culprit("x"), name("y"));
  EXPECT_EQ(culprit("z"), name("z"));
  EXPECT_EQ(state("deep"), QueueState::kClosed);
  EXPECT_EQ(culprit("deep"), name("closed"));
  EXPECT_EQ(tree.parent(tree.find(name("deep"))), tree.find(name("in")));
  EXPECT_EQ(state("below"), QueueState::kMissingParent);
  EXPECT_EQ(culprit("below"), name("gone"));
  EXPECT_EQ(state("gone"), QueueState::kMissing);
  EXPECT_EQ(tree.parent(tree.find(name("below"))), QueueTree::kRoot);
  EXPECT_TRUE(tree.set(queue("gone")));
  EXPECT_EQ(state("below"), QueueState::kUsable);
  EXPECT_TRUE(tree.remove(name("y")));
  EXPECT_EQ(state("x"), QueueState::kMissingParent);
}

TEST_F(Queues, AClosedQueueStartsNothing) {
  QueueInput lab = queue("lab");
  lab.open = false;
  std::vector<Event> events{node("n1", 8), QueueChanged{lab}};
  add(events, "a", "lab", 1);
  (void)step(events);
  EXPECT_EQ(why("a").workload.queue_state, QueueState::kClosed);
  lab.open = true;
  (void)step({QueueChanged{lab}});
  EXPECT_EQ(running("a"), 1);
}

TEST_F(Queues, DrfGivesTurnsByDominantShare) {
  QueueInput top = queue("top");
  top.fairness = FairnessPolicy::kDrf;
  std::vector<Event> events{node("n1", 8), QueueChanged{top}, QueueChanged{queue("a", "top")},
                            QueueChanged{queue("b", "top")}};
  for (int i = 0; i < 8; ++i) add(events, "a" + std::to_string(i), "a", 1);
  for (int i = 0; i < 8; ++i) add(events, "b" + std::to_string(i), "b", 1);
  (void)step(events);
  EXPECT_EQ(used("a"), 4);
  EXPECT_EQ(used("b"), 4);
}

TEST_F(Queues, ProportionFollowsWeights) {
  QueueInput top = queue("top");
  top.fairness = FairnessPolicy::kProportion;
  QueueInput heavy = queue("heavy", "top");
  heavy.weight = 3;
  std::vector<Event> events{node("n1", 8), QueueChanged{top}, QueueChanged{heavy}, QueueChanged{queue("light", "top")}};
  for (int i = 0; i < 8; ++i) add(events, "l" + std::to_string(i), "light", 1);
  for (int i = 0; i < 8; ++i) add(events, "h" + std::to_string(i), "heavy", 1);
  (void)step(events);
  EXPECT_EQ(used("heavy"), 6);
  EXPECT_EQ(used("light"), 2);
  EXPECT_EQ(why("l7").reason_class, ReasonClass::kQuotaExceeded);
}

// Queues of one parent on a node of 8 cards: `describe` writes what is given into each queue, which then asks for so
// many cards and gets so many.
template <class Given, class Describe>
void expect_shares(FairnessPolicy fairness, const std::vector<Given>& queues, Describe describe) {
  QueueWorld world;
  QueueInput top = world.queue("top");
  top.fairness = fairness;
  std::vector<Event> events{world.node("n1", 8), QueueChanged{top}};
  for (std::size_t i = 0; i < queues.size(); ++i) {
    QueueInput child = world.queue("q" + std::to_string(i), "top");
    describe(world, queues[i], child);
    events.push_back(QueueChanged{child});
  }
  for (std::size_t i = 0; i < queues.size(); ++i)
    for (int k = 0; k < queues[i].asks; ++k)
      world.add(events, "p" + std::to_string(i) + "-" + std::to_string(k), "q" + std::to_string(i), 1);
  (void)world.step(events);
  for (std::size_t i = 0; i < queues.size(); ++i)
    EXPECT_EQ(world.used("q" + std::to_string(i)), queues[i].gets) << "queue " << i;
}

// Volcano's numbers: deserved = max(min(poured by weight, request, cap), guarantee), poured again until all is gone.
TEST_F(Queues, ProportionPoursAgainWhatOneLeaves) {
  struct Given {
    std::int64_t weight;
    Amount guarantee;
    std::optional<Amount> cap;
    int asks;
    int gets;
  };
  const std::vector<std::vector<Given>> worlds = {
      {{1, 0, {}, 8, 6}, {1, 0, {}, 2, 2}},                    // 4 and 4; b leaves 2
      {{1, 4, {}, 8, 4}, {1, 0, {}, 8, 4}},                    // the floor is below the share
      {{1, 6, {}, 8, 6}, {1, 0, {}, 8, 2}},                    // the floor is above it
      {{3, 0, 2, 8, 2}, {1, 0, {}, 8, 6}},                     // capped: the rest goes to the other
      {{2, 0, {}, 8, 4}, {1, 0, {}, 8, 2}, {1, 0, {}, 8, 2}},  // 2 : 1 : 1
      {{1, 0, {}, 1, 1}, {1, 0, {}, 8, 3}, {1, 0, {}, 8, 3}},  // 2.67 each, then what the first leaves; 7 of 8
      {{5, 0, {}, 3, 3}, {2, 0, 3, 8, 3}, {1, 0, {}, 8, 2}},   // 5 2 1, then 3 (2+1) .. until all is gone
  };
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    SCOPED_TRACE("world " + std::to_string(w));
    expect_shares(FairnessPolicy::kProportion, worlds[w], [](QueueWorld& world, const Given& given, QueueInput& child) {
      child.weight = given.weight;
      if (given.guarantee == 0 && !given.cap) return;
      child.quotas = {world.cards(given.guarantee)};
      child.quotas[0].lending_limit = 0;
      if (given.cap) child.quotas[0].cap = *given.cap * kMilliPerCard;
    });
  }
}

// Volcano's numbers: who has the lowest part of what it deserves is next, what is guaranteed is kept, who deserves
// nothing comes after all that are below what they deserve.
TEST_F(Queues, CapacityGivesWhatIsDeservedFirst) {
  struct Given {
    std::optional<Amount> deserved;
    Amount guarantee;
    std::optional<Amount> cap;
    int asks;
    int gets;
  };
  const std::vector<std::vector<Given>> worlds = {
      {{4, 0, {}, 8, 4}, {4, 0, {}, 8, 4}},
      {{6, 0, {}, 8, 6}, {2, 0, {}, 8, 2}},
      {{6, 0, {}, 2, 2}, {2, 0, {}, 8, 6}},   // what one leaves may be borrowed
      {{4, 4, {}, 2, 2}, {{}, 0, {}, 8, 4}},  // 2 of what is guaranteed stay free
      {{4, 1, {}, 0, 0}, {{}, 0, {}, 8, 7}},  // only what is guaranteed is kept of what is deserved
      {{2, 0, 3, 8, 3}, {4, 0, {}, 8, 5}},    // 2 and 4 are deserved; of the rest one goes to each, and the cap holds
      {{3, 0, {}, 8, 3}, {5, 0, {}, 8, 5}, {{}, 0, {}, 8, 0}},
  };
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    SCOPED_TRACE("world " + std::to_string(w));
    expect_shares(FairnessPolicy::kCapacity, worlds[w], [](QueueWorld& world, const Given& given, QueueInput& child) {
      if (!given.deserved) return;
      child.quotas = {world.cards(*given.deserved)};
      child.quotas[0].lending_limit = (*given.deserved - given.guarantee) * kMilliPerCard;
      if (given.cap) child.quotas[0].cap = *given.cap * kMilliPerCard;
    });
  }
}

TEST_F(Queues, AGuaranteeIsTakenBackFromWhoBorrowed) {
  QueueInput a = queue("a");
  a.quotas = {cards(4)};
  QueueInput b = queue("b");
  b.quotas = {cards(4)};
  std::vector<Event> events{node("n1", 8), QueueChanged{a}, QueueChanged{b}};
  for (int i = 0; i < 8; ++i) add(events, "a" + std::to_string(i), "a", 1);
  (void)step(events);
  EXPECT_EQ(used("a"), 8);
  events.clear();
  for (int i = 0; i < 6; ++i) add(events, "b" + std::to_string(i), "b", 1);
  const StepResult result = step(events);
  EXPECT_EQ(count(result, Decision::Kind::kEvict), 4U);
  EXPECT_EQ(used("a"), 4);
  EXPECT_EQ(used("b"), 4);
}

// Nobody has a quota for CPU here, so everybody is above a guarantee of none of it.
TEST_F(Queues, AResourceWithoutQuotaOpensNobodysGuarantee) {
  QueueInput a = queue("a");
  a.quotas = {cards(4)};
  QueueInput b = queue("b");
  b.quotas = {cards(4)};
  std::vector<Event> events{node("n1", 8), QueueChanged{a}, QueueChanged{b}, QueueChanged{queue("c")}};
  for (int i = 0; i < 4; ++i) add(events, "c" + std::to_string(i), "c", 1);
  for (int i = 0; i < 4; ++i) add(events, "a" + std::to_string(i), "a", 1);
  (void)step(events);
  events.clear();
  for (int i = 0; i < 4; ++i) add(events, "b" + std::to_string(i), "b", 1);
  (void)step(events);
  EXPECT_EQ(used("a"), 4);
  EXPECT_EQ(used("b"), 4);
  EXPECT_EQ(used("c"), 0);
}

// The older one of two is within the guarantee; less would be lost with it, but its queue would fall below what it may
// always have, take that back from others, and these from others again.
TEST_F(Queues, WhatTheGuaranteeCoversStaysAlthoughLessWouldBeLost) {
  QueueInput a = queue("a");
  a.quotas = {cards(4)};
  QueueInput b = queue("b");
  b.quotas = {cards(4)};
  std::vector<Event> events{node("n1", 8), QueueChanged{a}, QueueChanged{b}};
  clock = 100;
  for (const auto& [text, size, started] : {std::tuple("older", 3, 90), std::tuple("newer", 2, 10)}) {
    events.emplace_back(WorkloadChanged{workload(text, 1, "a")});
    PodInput running_pod = pod(text, size, text);
    running_pod.node = name("n1");
    running_pod.started = started;
    events.emplace_back(PodChanged{running_pod});
  }
  add(events, "b0", "b", 4);
  const StepResult result = step(events);
  EXPECT_EQ(count(result, Decision::Kind::kEvict), 1U);
  EXPECT_EQ(running("older"), 1);
  EXPECT_EQ(running("newer"), 0);
  EXPECT_EQ(running("b0"), 1);
}

// While newer work of its own queue fills the guarantee, others owe it nothing; once that goes, they do.
TEST_F(Queues, AnOlderWorkloadTakesFromItsQueueAndThenFromOthers) {
  QueueInput b = queue("b");
  b.quotas = {cards(4)};
  b.preempts = EvictionRight::kLowerOrNewerEqual;
  WorkloadInput old = workload("old", 1, "b");
  std::vector<Event> events{node("n1", 8), QueueChanged{b}, QueueChanged{queue("c")}};
  add(events, "new", "b", 2);
  for (int i = 0; i < 6; ++i) add(events, "c" + std::to_string(i), "c", 1);
  (void)step(events);
  events = {WorkloadChanged{old}, PodChanged{pod("old", 4, "old")}};
  const StepResult result = step(events);
  EXPECT_EQ(running("old"), 1);
  EXPECT_EQ(running("new"), 0);
  EXPECT_EQ(used("c"), 4);
  EXPECT_EQ(count(result, Decision::Kind::kEvict), 3U);
}

TEST_F(Queues, ALendingLimitKeepsRoomForItsOwner) {
  QueueInput a = queue("a");
  a.quotas = {cards(4)};
  a.quotas[0].lending_limit = kMilliPerCard;
  std::vector<Event> events{node("n1", 8), QueueChanged{a}, QueueChanged{queue("b")}};
  for (int i = 0; i < 8; ++i) add(events, "b" + std::to_string(i), "b", 1);
  (void)step(events);
  EXPECT_EQ(used("b"), 5);
  EXPECT_EQ(why("b7").reason_class, ReasonClass::kQuotaExceeded);
}

TEST_F(Queues, ElasticMembersGoFirstAndGangsGoWhole) {
  WorkloadInput elastic = workload("elastic", 2);
  WorkloadInput rigid = workload("rigid", 4);
  std::vector<Event> events{node("n1", 8), WorkloadChanged{elastic}, WorkloadChanged{rigid}};
  add_pods(events, "rigid", 4, 1, "rigid");
  add_pods(events, "elastic", 4, 1, "elastic");
  (void)step(events);
  EXPECT_EQ(running("elastic"), 4);
  EXPECT_EQ(running("rigid"), 4);
  WorkloadInput urgent = workload("urgent", 2);
  urgent.priority = 10;
  events = {WorkloadChanged{urgent}};
  add_pods(events, "urgent", 2, 1, "urgent");
  StepResult result = step(events);
  EXPECT_EQ(count(result, Decision::Kind::kEvict), 2U);
  EXPECT_EQ(running("elastic"), 2);
  EXPECT_EQ(running("rigid"), 4);
  WorkloadInput more = workload("more", 3);
  more.priority = 20;
  more.preempts = true;
  events = {WorkloadChanged{more}};
  add_pods(events, "more", 3, 1, "more");
  result = step(events);
  // Nothing is in pieces: the gang of four goes, or the two small ones together with nobody else.
  EXPECT_EQ(running("more"), 3);
  for (const std::string text : {"elastic", "rigid", "urgent"}) {
    const std::int32_t left = running(text);
    EXPECT_TRUE(left == 0 || left == (text == "rigid" ? 4 : 2)) << text << " has " << left;
  }
}

TEST_F(Queues, NobodyIsEvictedForAPlanThatDoesNotComplete) {
  std::vector<Event> events{node("n1", 4)};
  add(events, "small", "", 1);
  (void)step(events);
  WorkloadInput wide = workload("wide", 2);
  wide.priority = 10;
  events = {WorkloadChanged{wide}};
  add_pods(events, "wide", 2, 3, "wide");
  EXPECT_TRUE(step(events).decisions.empty());
  EXPECT_EQ(running("small"), 1);
}

// What one asks for decides what the other deserves, although nothing runs and nothing ends.
TEST_F(Queues, AQueueStartsWhenAnotherStopsAsking) {
  QueueInput top = queue("top");
  top.fairness = FairnessPolicy::kProportion;
  std::vector<Event> events{node("n1", 8), QueueChanged{top}, QueueChanged{queue("a", "top")},
                            QueueChanged{queue("b", "top")}};
  add(events, "a0", "a", 5);
  add(events, "b0", "b", 5);
  (void)step(events);
  EXPECT_EQ(running("a0") + running("b0"), 0);
  (void)step({PodRemoved{name("b0")}, WorkloadRemoved{name("b0")}});
  EXPECT_EQ(running("a0"), 1);
}

// Volcano's root names nothing itself.
TEST_F(Queues, AQueueWithoutQuotaPassesOnWhatItsChildrenKeep) {
  QueueInput a = queue("a", "top");
  a.quotas = {cards(4)};
  a.quotas[0].lending_limit = 0;
  std::vector<Event> events{node("n1", 8), QueueChanged{queue("top")}, QueueChanged{a},
                            QueueChanged{queue("b", "top")}};
  for (int i = 0; i < 8; ++i) add(events, "b" + std::to_string(i), "b", 1);
  (void)step(events);
  EXPECT_EQ(used("b"), 4);
  events.clear();
  for (int i = 0; i < 4; ++i) add(events, "a" + std::to_string(i), "a", 1);
  EXPECT_EQ(count(step(events), Decision::Kind::kEvict), 0U);
  EXPECT_EQ(used("a"), 4);
}

// A guarantee took its room back from the urgent one, who took room from the one without a queue, who took the room of
// the guaranteed one.
TEST_F(Queues, WithoutAQueueNobodyTakesWhatAGuaranteeCoversSoNothingGoesRoundInCircles) {
  QueueInput a = queue("a");
  a.quotas = {cards(4)};
  std::vector<Event> events{node("n1", 4), QueueChanged{a}, QueueChanged{queue("b")}};
  add(events, "guaranteed", "a", 4);
  (void)step(events);
  events.clear();
  add(events, "unowned", "", 4, 1);
  PodInput bare = pod("bare", 4);
  bare.shape.priority = 1;
  events.emplace_back(PodChanged{bare});
  EXPECT_TRUE(step(events).decisions.empty());
  EXPECT_EQ(running("guaranteed"), 1);
  PodInput system = pod("system", 4);
  system.shape.priority = 2'000'000'000;
  (void)step({PodChanged{system}});
  EXPECT_EQ(node_of("system"), "n1");
}

// Of "a" the one in the way is within the guarantee, until another one of "a" starts elsewhere.
TEST_F(Queues, APodThatMayEvictOnlyWhatIsBorrowedIsTriedAgainOnceSomethingIs) {
  QueueInput a = queue("a");
  a.quotas = {cards(4)};
  std::vector<Event> events{node("n1", 4), QueueChanged{a}};
  add(events, "first", "a", 4);
  (void)step(events);
  PodInput bare = pod("bare", 4);
  bare.shape.priority = 1;
  bare.shape.node_name = name("n1");
  (void)step({PodChanged{bare}});
  EXPECT_EQ(node_of("bare"), "");
  events = {node("n2", 4)};
  add(events, "second", "a", 4);
  (void)step(events);
  EXPECT_EQ(node_of("bare"), "n1");
}

// A parent's guarantee has those of its children in it: what it runs itself and what they run were covered twice, so
// that nobody had to go for another queue that had less than its guarantee.
TEST_F(Queues, AParentThatRunsWorkItselfCoversTheGuaranteesOfItsChildrenOnce) {
  QueueInput parent = queue("parent");
  parent.quotas = {cards(6)};
  QueueInput child = queue("child", "parent");
  child.quotas = {cards(2)};
  QueueInput other = queue("other");
  other.quotas = {cards(2)};
  std::vector<Event> events{node("n1", 8), QueueChanged{parent}, QueueChanged{child}, QueueChanged{other}};
  for (int i = 0; i < 6; ++i) add(events, "p" + std::to_string(i), "parent", 1);
  for (int i = 0; i < 2; ++i) add(events, "c" + std::to_string(i), "child", 1);
  (void)step(events);
  EXPECT_EQ(used("parent"), 8);
  events.clear();
  add(events, "o", "other", 2);
  EXPECT_EQ(count(step(events), Decision::Kind::kEvict), 2U);
  EXPECT_EQ(used("other"), 2);
  EXPECT_EQ(used("child"), 2) << "the child is within its guarantee";
}

// The child borrows, so that the parent uses more than its guarantee. A pod without a queue evicted what the parent
// runs itself, which took that back from the child, which came back when the pod had gone, and so on without end.
TEST_F(Queues, WhatAParentRunsWithinItsGuaranteeStaysWhileItsChildBorrows) {
  QueueInput parent = queue("parent");
  parent.quotas = {cards(6)};
  std::vector<Event> events{node("n1", 8), QueueChanged{parent}, QueueChanged{queue("child", "parent")}};
  add(events, "c", "child", 2, 2);
  add(events, "p", "parent", 6);
  (void)step(events);
  EXPECT_EQ(used("parent"), 8);
  PodInput bare = pod("bare", 3);
  bare.shape.priority = 1;
  EXPECT_TRUE(step({PodChanged{bare}}).decisions.empty());
}

TEST_F(Queues, AChildTakesItsGuaranteeBackFromWhatItsParentRunsAndTheOtherWayRound) {
  QueueInput parent = queue("parent");
  parent.quotas = {cards(6)};
  QueueInput child = queue("child", "parent");
  child.quotas = {cards(2)};
  std::vector<Event> events{node("n1", 6), QueueChanged{parent}, QueueChanged{child}};
  for (int i = 0; i < 6; ++i) add(events, "p" + std::to_string(i), "parent", 1);
  (void)step(events);
  events.clear();
  for (int i = 0; i < 6; ++i) add(events, "c" + std::to_string(i), "child", 1);
  EXPECT_EQ(count(step(events), Decision::Kind::kEvict), 2U);
  EXPECT_EQ(used("child"), 2);
  events.clear();
  for (int i = 0; i < 6; ++i) events.emplace_back(PodRemoved{name("p" + std::to_string(i))});
  (void)step(events);
  EXPECT_EQ(used("child"), 6);
  events.clear();
  for (int i = 0; i < 6; ++i) add(events, "q" + std::to_string(i), "parent", 1);
  EXPECT_EQ(count(step(events), Decision::Kind::kEvict), 4U);
  EXPECT_EQ(used("child"), 2);
}

// The gang of b evicted b's small one and borrowed the rest; a took that back, a's gang took it from a's elastic one,
// b's small one its guarantee from a's gang, and so on without end.
TEST_F(Queues, NobodyIsEvictedToBorrowWhatOthersTakeBackSoNothingGoesRoundInCircles) {
  QueueInput a = queue("a");
  a.quotas = {cards(2)};
  QueueInput b = queue("b");
  b.quotas = {cards(1)};
  std::vector<Event> events{node("n1", 3), QueueChanged{a}, QueueChanged{b}};
  const auto gang = [&](const std::string& text, const std::string& of, std::int32_t least, std::int32_t pods,
                        std::int32_t priority) {
    WorkloadInput input = workload(text, least, of);
    input.priority = priority;
    events.emplace_back(WorkloadChanged{input});
    for (std::int32_t i = 0; i < pods; ++i) {
      PodInput member = pod(text + "-" + std::to_string(i), 1, text);
      member.shape.priority = priority;
      events.emplace_back(PodChanged{member});
    }
  };
  gang("b-gang", "b", 3, 3, 2);
  gang("a-elastic", "a", 1, 3, 1);
  gang("a-gang", "a", 3, 3, 2);
  gang("b-small", "b", 1, 1, 0);
  for (int round = 0;; ++round) {
    ASSERT_LT(round, 10);
    const StepResult result = step(events);
    if (result.decisions.empty()) break;
    // Who is evicted comes back at once.
    events.clear();
    for (const Decision& decision : result.decisions) {
      if (decision.kind != Decision::Kind::kEvict) continue;
      const Pod& gone = engine.world().pod(decision.pod);
      if (gone.state != PodState::kEvicted) continue;
      const std::string text(names.names.text(gone.name));
      PodInput again = pod(text, 1, text.substr(0, text.rfind('-')));
      again.shape.priority = engine.world().shape_of(decision.pod).input.priority;
      events.emplace_back(PodChanged{again});
    }
  }
  EXPECT_EQ(used("a"), 2);
  EXPECT_EQ(used("b"), 1);
}

// Cheapest first over all racks took two of rack a although one of rack b is enough.
TEST_F(Queues, AGangEvictsInTheRackWhereLeastIsLost) {
  std::vector<Event> events{node("n1", 2, {{"rack", "a"}}), node("n2", 2, {{"rack", "b"}})};
  for (const auto& [text, where] : {std::pair("oldest", "n2"), std::pair("x", "n1"), std::pair("y", "n1")}) {
    PodInput low = pod(text, 1);
    low.node = name(where);
    events.emplace_back(PodChanged{low});
  }
  (void)step(events);
  WorkloadInput gang = workload("gang", 2);
  gang.priority = 10;
  gang.groups[0].topology.required = key("rack");
  events = {WorkloadChanged{gang}};
  add_pods(events, "gang", 2, 1, "gang");
  EXPECT_EQ(count(step(events), Decision::Kind::kEvict), 1U);
  EXPECT_EQ(node_of("gang-0"), "n2");
  EXPECT_EQ(node_of("gang-1"), "n2");
}

// Nobody named a quota; what both deserve is worked out from their weights and from what they ask for.
TEST_F(Queues, ProportionTakesBackWhatAQueueDeserves) {
  QueueInput top = queue("top");
  top.fairness = FairnessPolicy::kProportion;
  QueueInput heavy = queue("heavy", "top");
  heavy.weight = 3;
  std::vector<Event> events{node("n1", 8), QueueChanged{top}, QueueChanged{heavy}, QueueChanged{queue("light", "top")}};
  for (int i = 0; i < 8; ++i) add(events, "l" + std::to_string(i), "light", 1);
  (void)step(events);
  EXPECT_EQ(used("light"), 8);
  events.clear();
  for (int i = 0; i < 8; ++i) add(events, "h" + std::to_string(i), "heavy", 1);
  const StepResult result = step(events);
  EXPECT_EQ(count(result, Decision::Kind::kEvict), 6U);
  EXPECT_EQ(used("heavy"), 6);
  EXPECT_EQ(used("light"), 2);
  EXPECT_TRUE(step().decisions.empty());
}

}  // namespace
}  // namespace berth::engine
