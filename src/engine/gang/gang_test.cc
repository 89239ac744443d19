// Workloads start whole or hold nothing, keep their holes, grow and say why they wait.
#include <gtest/gtest.h>

#include <map>

#include "engine/gang/pieces.h"
#include "engine/gang/test_world.h"

namespace berth::engine {
namespace {

class Gangs : public testing::Test, protected GangWorld {};

TEST_F(Gangs, TheOlderOfTwoGetsAllAndTheYoungerNothing) {
  std::vector<Event> events{node("n1", 4), node("n2", 4), WorkloadChanged{workload("blue", 6)},
                            WorkloadChanged{workload("green", 6)}};
  add_pods(events, "green", 6, 1, "green");
  add_pods(events, "blue", 6, 1, "blue");
  const StepResult result = step(events);
  EXPECT_EQ(running("blue"), 6);
  EXPECT_EQ(running("green"), 0);
  ASSERT_EQ(result.pending.size(), 6U);
  EXPECT_EQ(result.pending[0].reason_class, ReasonClass::kGangIncomplete);
  const Reason reason = why("green-0");
  EXPECT_EQ(reason.workload.required, 6);
  EXPECT_EQ(reason.workload.fitting, 2);
}

TEST_F(Gangs, AGangThatCannotFitTheEmptyClusterNeverFits) {
  std::vector<Event> events{node("n1", 4), WorkloadChanged{workload("w", 6)}};
  add_pods(events, "w", 6, 1, "w");
  (void)step(events);
  EXPECT_EQ(why("w-0").reason_class, ReasonClass::kNeverFits);
}

TEST_F(Gangs, TooFewMembersWaitForTheRest) {
  std::vector<Event> events{node("n1", 8), WorkloadChanged{workload("w", 3)}};
  add_pods(events, "w", 2, 1, "w");
  (void)step(events);
  EXPECT_EQ(running("w"), 0);
  EXPECT_EQ(why("w-0").reason_class, ReasonClass::kGangIncomplete);
  (void)step({PodChanged{pod("w-2", 1, "w")}});
  EXPECT_EQ(running("w"), 3);
}

TEST_F(Gangs, AMemberWaitsForItsWorkload) {
  (void)step({node("n1", 8), PodChanged{pod("w-0", 1, "w")}});
  EXPECT_EQ(why("w-0").reason_class, ReasonClass::kNotReady);
  (void)step({WorkloadChanged{workload("w", 1)}});
  EXPECT_EQ(running("w"), 1);
}

TEST_F(Gangs, GrowsAboveItsMinimumWhileThereIsRoom) {
  std::vector<Event> events{node("n1", 5), WorkloadChanged{workload("w", 2)}};
  add_pods(events, "w", 8, 1, "w");
  (void)step(events);
  EXPECT_EQ(running("w"), 5);
}

TEST_F(Gangs, SucceededMembersCountAsDone) {
  WorkloadInput input = workload("w", 3);
  input.groups[0].succeeded = 2;
  (void)step({node("n1", 8), WorkloadChanged{input}, PodChanged{pod("w-2", 1, "w")}});
  EXPECT_EQ(running("w"), 1);
}

TEST_F(Gangs, RolesAreOneDecision) {
  std::vector<Event> events{node("n1", 8)};
  for (const std::string text : {"a", "b"}) {
    WorkloadInput input = workload(text, 0);
    input.groups.push_back(group("prefill", 3));
    input.groups.push_back(group("decode", 3));
    events.emplace_back(WorkloadChanged{input});
  }
  for (const std::string role : {"prefill", "decode"}) {
    add_pods(events, "a-" + role, 3, 1, "a", role);
    add_pods(events, "b-" + role, 3, 1, "b", role);
  }
  (void)step(events);
  EXPECT_EQ(running("a"), 6);
  EXPECT_EQ(running("b"), 0);
}

TEST_F(Gangs, ADamagedGangGetsItsHoleBeforeANewcomer) {
  PodInput first = pod("pair-0", 1, "pair");
  first.node = name("n1");
  (void)step({node("n1", 1), node("n2", 1, {}, true), WorkloadChanged{workload("pair", 2)}, PodChanged{first}});
  (void)step({WorkloadChanged{workload("filler", 1)}, PodChanged{pod("filler", 1, "filler")}});
  EXPECT_EQ(running("filler"), 0);
  // The node is back before the member is made again: the hole is kept all the same.
  (void)step({node("n2", 1)});
  EXPECT_EQ(running("filler"), 0);
  const Reason reason = why("filler");
  EXPECT_EQ(reason.reason_class, ReasonClass::kReserved);
  EXPECT_EQ(reason.workload.reserved_for, name("pair"));
  (void)step({PodChanged{pod("pair-1b", 1, "pair")}});
  EXPECT_EQ(running("pair"), 2);
  EXPECT_EQ(node_of("pair-1b"), "n2");
  EXPECT_EQ(running("filler"), 0);
}

TEST_F(Gangs, ABarePodRespectsTheHoleToo) {
  PodInput first = pod("pair-0", 1, "pair");
  first.node = name("n1");
  (void)step({node("n1", 1), node("n2", 1), WorkloadChanged{workload("pair", 2)}, PodChanged{first},
              PodChanged{pod("bare", 1)}});
  EXPECT_EQ(node_of("bare"), "");
  EXPECT_EQ(why("bare").reason_class, ReasonClass::kReserved);
  (void)step({WorkloadRemoved{name("pair")}});
  EXPECT_EQ(node_of("bare"), "n2");
}

TEST_F(Gangs, AGangLeavesRoomThatWasPromised) {
  PodInput waits = pod("waits", 6);
  waits.nominated_node = name("n1");
  waits.shape.priority = 10;
  waits.hold = {HoldCause::kNone, NameId::none()};
  PodInput leaving = pod("leaving", 4);
  leaving.node = name("n1");
  leaving.terminating = true;
  leaving.preempted = true;
  std::vector<Event> events{node("n1", 8), node("n2", 2), PodChanged{leaving}, PodChanged{waits},
                            WorkloadChanged{workload("w", 3)}};
  add_pods(events, "w", 3, 1, "w");
  (void)step(events);
  EXPECT_EQ(running("w"), 0) << "n2 has room for two";
  EXPECT_EQ(why("w-0").reason_class, ReasonClass::kGangIncomplete);
  (void)step({PodRemoved{name("waits")}});
  EXPECT_EQ(running("w"), 3);
}

// Rooms and indexes were kept by shape; a swept shape's number comes to another.
TEST_F(Gangs, ShapesComeAndGoWithTheirGangs) {
  (void)step({node("n1", 8), node("n2", 8)});
  for (std::int32_t round = 0; round < 60; ++round) {
    const std::int32_t cards = 1 + round % 8;
    const std::string text = "w" + std::to_string(round);
    WorkloadInput input = workload(text, 2);
    std::vector<Event> events{WorkloadChanged{input}};
    for (const std::string member : {"a", "b"}) {
      PodInput each = pod(text + member, cards, text);
      each.shape.requests = {{kCpu, 100 + round}};
      events.emplace_back(PodChanged{each});
    }
    (void)step(events);
    ASSERT_EQ(running(text), 2) << round;
    (void)step({PodRemoved{name(text + "a")}, PodRemoved{name(text + "b")}, WorkloadRemoved{name(text)}});
  }
  EXPECT_LT(engine.world().shapes().size(), 30U);
}

TEST_F(Gangs, ARequiredRackHoldsAllOrNobody) {
  std::vector<Event> events;
  const std::vector<std::pair<std::string, std::string>> places = {{"n1", "r1"}, {"n2", "r1"}, {"n3", "r2"},
                                                                   {"n4", "r2"}, {"n5", "r3"}, {"n6", "r3"}};
  for (const auto& [text, rack] : places) events.push_back(node(text, 4, {{"rack", rack}}));
  for (const std::string text : {"n1", "n3", "n5"}) {
    PodInput tenant = pod("tenant-" + text, 2);
    tenant.node = name(text);
    events.emplace_back(PodChanged{tenant});
  }
  for (const std::int32_t size : {8, 6}) {
    WorkloadInput input = workload("w" + std::to_string(size), size);
    input.groups[0].topology.required = key("rack");
    events.emplace_back(WorkloadChanged{input});
    add_pods(events, "p" + std::to_string(size), size, 1, "w" + std::to_string(size));
  }
  (void)step(events);
  EXPECT_EQ(running("w6"), 6);
  EXPECT_EQ(running("w8"), 0);
  const Reason reason = why("p8-0");
  EXPECT_EQ(reason.reason_class, ReasonClass::kTopologyNoFit);
  EXPECT_EQ(reason.workload.level, key("rack"));
  EXPECT_EQ(reason.workload.offers, 6);
  EXPECT_EQ(reason.workload.needs, 8);
}

TEST_F(Gangs, TheTightestDomainIsTakenAndTheLargeOneStaysWhole) {
  std::vector<Event> events{node("n1", 8, {{"rack", "large"}}), node("n2", 4, {{"rack", "small"}})};
  WorkloadInput input = workload("w", 4);
  input.groups[0].topology.required = key("rack");
  events.emplace_back(WorkloadChanged{input});
  add_pods(events, "w", 4, 1, "w");
  (void)step(events);
  EXPECT_EQ(node_of("w-0"), "n2");
}

TEST_F(Gangs, APreferredLevelWidensWhenNoDomainSuffices) {
  std::vector<Event> events{node("n1", 4, {{"rack", "a"}}), node("n2", 4, {{"rack", "b"}}),
                            node("n3", 3, {{"rack", "c"}})};
  WorkloadInput input = workload("w", 6);
  input.groups[0].topology.preferred = key("rack");
  events.emplace_back(WorkloadChanged{input});
  add_pods(events, "w", 6, 1, "w");
  (void)step(events);
  EXPECT_EQ(running("w"), 6);
}

TEST_F(Gangs, ACordonedNodeIsNoCapacity) {
  std::vector<Event> events{node("n1", 8), node("n2", 8, {}, true), WorkloadChanged{workload("both", 2)},
                            WorkloadChanged{workload("one", 1)}};
  add_pods(events, "both", 2, 8, "both");
  add_pods(events, "one", 1, 8, "one");
  (void)step(events);
  EXPECT_EQ(running("both"), 0);
  EXPECT_EQ(running("one"), 1);
  EXPECT_EQ(why("both-0").reason_class, ReasonClass::kNodeExcluded);
}

TEST_F(Gangs, SlicesStayTogether) {
  std::vector<Event> events;
  for (const std::string text : {"n1", "n2", "n3"}) events.push_back(node(text, 3, {{"host", text}}));
  WorkloadInput input = workload("w", 6);
  input.groups[0].topology.slice_level = key("host");
  input.groups[0].topology.slice_size = 2;
  events.emplace_back(WorkloadChanged{input});
  add_pods(events, "w", 6, 1, "w");
  (void)step(events);
  ASSERT_EQ(running("w"), 6);
  std::map<std::string, int> per_node;
  for (int i = 0; i < 6; ++i) ++per_node[node_of("w-" + std::to_string(i))];
  for (const auto& [where, pods] : per_node) EXPECT_EQ(pods, 2) << where;
}

TEST_F(Gangs, ADatedReservationLetsShortWorkPassAndKeepsLongWorkOut) {
  std::vector<Event> events{node("n1", 8), node("n2", 8)};
  std::int64_t seconds = 100;
  for (const std::string text : {"n1", "n2"}) {
    PodInput old = pod("old-" + text, 8);
    old.node = name(text);
    old.started = 0;
    old.runs_for_seconds = seconds;
    seconds += 100;
    events.emplace_back(PodChanged{old});
  }
  const auto timed = [&](const std::string& text, std::int32_t pods, std::int64_t runs_for) {
    WorkloadInput input = workload(text, pods);
    input.runs_for_seconds = runs_for;
    events.emplace_back(WorkloadChanged{input});
    add_pods(events, text, pods, 8, text);
  };
  timed("huge", 2, 300);
  timed("short", 1, 50);
  timed("long", 1, 500);
  clock = 20;
  (void)step(events);
  Reason reason = why("huge-0");
  EXPECT_EQ(reason.workload.start_basis, WorkloadFacts::StartBasis::kReservation);
  EXPECT_EQ(reason.workload.earliest_start, 200);
  clock = 100;
  (void)step({PodRemoved{name("old-n1")}});
  EXPECT_EQ(running("short"), 1);
  EXPECT_EQ(running("long"), 0);
  EXPECT_EQ(running("huge"), 0);
  clock = 150;
  (void)step({PodRemoved{name("short-0")}, WorkloadRemoved{name("short")}});
  EXPECT_EQ(running("long"), 0);
  reason = why("long-0");
  EXPECT_EQ(reason.reason_class, ReasonClass::kReserved);
  EXPECT_EQ(reason.workload.reserved_for, name("huge"));
  clock = 200;
  (void)step({PodRemoved{name("old-n2")}});
  EXPECT_EQ(running("huge"), 2);
}

// Two pods end in the same second on two nodes, and either node would do for the gang. Which one it waits for must not
// depend on which pod the engine was told of first.
TEST_F(Gangs, AnEngineMadeAnewKeepsTheSamePlaceWhereTwoEndInOneSecond) {
  struct Told : GangWorld {
    std::string node_of_late(const std::vector<std::string>& order) {
      std::vector<Event> events{node("n1", 8), node("n2", 8), WorkloadChanged{workload("wide", 1)}};
      for (const std::string& where : order) {
        PodInput ends = pod("ends-on-" + where, 4);
        ends.node = name(where);
        ends.started = 0;
        ends.runs_for_seconds = 100;
        events.emplace_back(PodChanged{ends});
      }
      add_pods(events, "wide", 1, 6, "wide");
      events.emplace_back(PodChanged{pod("late", 4)});
      (void)step(events);
      return node_of("late");
    }
  };
  const std::string there = Told().node_of_late({"n1", "n2"});
  EXPECT_NE(there, "");
  EXPECT_EQ(Told().node_of_late({"n2", "n1"}), there);
}

// --- Groups that a whole workload can do without.

struct SubGroups : Gangs {
  // One of two groups of two is enough.
  WorkloadInput pairs(const std::string& text, std::int32_t needed = 1) {
    WorkloadInput input = workload(text, 0);
    input.groups[0].minimum_children = needed;
    input.groups.push_back(group("a", 2));
    input.groups.push_back(group("b", 2));
    return input;
  }
  std::vector<Event> with_members(const WorkloadInput& input, const std::vector<Event>& nodes, std::int32_t each = 2) {
    std::vector<Event> events = nodes;
    events.emplace_back(WorkloadChanged{input});
    const std::string text(names.names.text(input.name));
    for (const std::string one : {"a", "b"}) add_pods(events, text + "-" + one, each, 1, text, one);
    return events;
  }
};

TEST_F(SubGroups, AGroupAboveTheMinimumStartsWholeOrNotAtAll) {
  (void)step(with_members(pairs("w"), {node("n1", 3)}));
  EXPECT_EQ(running("w"), 2) << "one of the second group would be half of it";
  const Reason reason = why("w-b-0");
  EXPECT_EQ(reason.reason_class, ReasonClass::kGangIncomplete);
  EXPECT_EQ(reason.workload.required, 2);
  EXPECT_EQ(reason.workload.fitting, 1);
  (void)step({node("n1", 4)});
  EXPECT_EQ(running("w"), 4);
}

TEST_F(SubGroups, AGroupThatLostAMemberIsMadeWholeBeforeAnotherStarts) {
  WorkloadInput input = pairs("w");
  input.groups.push_back(group("c", 1));
  std::vector<Event> events = with_members(input, {node("n1", 4)});
  (void)step(events);
  ASSERT_EQ(running("w"), 4);
  (void)step({PodRemoved{name("w-b-1")}, PodChanged{pod("w-c-0", 1, "w", "c")}, PodChanged{pod("w-b-2", 1, "w", "b")}});
  EXPECT_EQ(node_of("w-b-2"), "n1");
  EXPECT_EQ(node_of("w-c-0"), "");
}

TEST_F(SubGroups, AGroupAboveTheMinimumIsEvictedWhole) {
  (void)step(with_members(pairs("w"), {node("n1", 2), node("n2", 2)}));
  ASSERT_EQ(running("w"), 4);
  WorkloadInput high = workload("high", 1);
  high.priority = 10;
  (void)step({WorkloadChanged{high}, PodChanged{pod("high-0", 1, "high")}});
  EXPECT_EQ(running("high"), 1);
  EXPECT_EQ(running("w"), 2);
  EXPECT_EQ(node_of("w-a-0").empty(), node_of("w-a-1").empty());
  EXPECT_EQ(node_of("w-b-0").empty(), node_of("w-b-1").empty());
}

TEST_F(SubGroups, AGroupThatOnlyGoesWholeLosesNoSinglePod) {
  WorkloadInput input = pairs("w");
  input.groups[1].minimum_pods = 3;
  input.groups[2].minimum_pods = 1;
  input.groups[2].goes_whole = true;
  (void)step(with_members(input, {node("n1", 6)}, 3));
  ASSERT_EQ(running("w"), 6);
  WorkloadInput high = workload("high", 1);
  high.priority = 10;
  (void)step({WorkloadChanged{high}, PodChanged{pod("high-0", 1, "high")}});
  EXPECT_EQ(running("high"), 1);
  EXPECT_EQ(running("w"), 3);
  for (const std::string text : {"w-a-0", "w-a-1", "w-a-2"}) EXPECT_EQ(node_of(text), "n1") << text;
}

// Without b the inner group has too few pods, though each single pod of b could go.
TEST_F(SubGroups, WhatBreaksAWiderGroupTakesThatAlong) {
  WorkloadInput input = workload("w", 0);
  input.groups[0].minimum_children = 1;
  input.groups.push_back(group("keeps", 1));
  GroupInput inner = group("inner", 3);
  inner.minimum_children = 1;
  input.groups.push_back(inner);
  GroupInput a = group("a", 2);
  a.parent = 2;
  GroupInput b = group("b", 1);
  b.parent = 2;
  b.goes_whole = true;
  input.groups.push_back(a);
  input.groups.push_back(b);
  std::vector<Event> events{node("n1", 5), WorkloadChanged{input}};
  add_pods(events, "w-keeps", 1, 1, "w", "keeps");
  add_pods(events, "w-a", 2, 1, "w", "a");
  add_pods(events, "w-b", 2, 1, "w", "b");
  (void)step(events);
  ASSERT_EQ(running("w"), 5);
  const World& world = engine.world();
  const Workload& told = world.workloads()[world.workloads().find(name("w"))];
  std::vector<PodId> members;
  for (const std::string text : {"w-b-1", "w-b-0", "w-a-1", "w-a-0", "w-keeps-0"})
    members.push_back(engine.find_pod(name(text)));
  const Pieces pieces = pieces_of(world, told, members);
  ASSERT_EQ(pieces.surplus.size(), 1U);
  EXPECT_EQ(pieces.surplus[0].group, 2U);
  EXPECT_EQ(pieces.surplus[0].pods.size(), 4U);
  EXPECT_EQ(pieces.rest.size(), 1U);
}

TEST_F(SubGroups, ABarePodEvictsAGroupWholeToo) {
  (void)step(with_members(pairs("w"), {node("n1", 2), node("n2", 2)}));
  PodInput high = pod("high", 1);
  high.shape.priority = 10;
  (void)step({PodChanged{high}});
  EXPECT_NE(node_of("high"), "");
  EXPECT_EQ(running("w"), 2);
  EXPECT_EQ(node_of("w-a-0").empty(), node_of("w-a-1").empty());
  EXPECT_EQ(node_of("w-b-0").empty(), node_of("w-b-1").empty());
}

TEST_F(SubGroups, SurplusOfAGroupGoesBeforeTheGroup) {
  (void)step(with_members(pairs("w"), {node("n1", 6)}, 3));
  ASSERT_EQ(running("w"), 6);
  WorkloadInput high = workload("high", 1);
  high.priority = 10;
  (void)step({WorkloadChanged{high}, PodChanged{pod("high-0", 1, "high")}});
  EXPECT_EQ(running("w"), 5);
}

TEST_F(Gangs, TheDomainIsChosenForAllWhoWantToBeThere) {
  std::vector<Event> events{node("n1", 1, {{"rack", "a"}}), node("n2", 3, {{"rack", "b"}}),
                            node("n3", 8, {{"rack", "c"}})};
  WorkloadInput input = workload("w", 1);
  input.groups[0].topology.required = key("rack");
  events.emplace_back(WorkloadChanged{input});
  add_pods(events, "w", 3, 1, "w");
  (void)step(events);
  EXPECT_EQ(running("w"), 3);
  EXPECT_EQ(node_of("w-0"), "n2");
}

TEST_F(Gangs, OfThoseThatGrowWhoHoldsLeastComesFirst) {
  for (const bool shares : {false, true}) {
    QueueInput drf = queue("q");
    drf.shares_growth = shares;
    std::vector<Event> events{node("n1", 8), QueueChanged{drf}};
    for (const std::string text : {"old", "new"}) {
      events.emplace_back(WorkloadChanged{workload(text, 1, "q")});
      add_pods(events, text, 8, 1, text);
    }
    (void)step(events);
    EXPECT_EQ(running("old"), shares ? 4 : 7);
    EXPECT_EQ(running("new"), shares ? 4 : 1);
    for (const std::string text : {"old", "new"}) {
      (void)step({WorkloadRemoved{name(text)}});
      for (int i = 0; i < 8; ++i) (void)step({PodRemoved{name(text + "-" + std::to_string(i))}});
    }
  }
}

TEST_F(Gangs, AnEarlierDeadlineGoesFirstAndHoldsWhatThereIs) {
  WorkloadInput late = workload("late", 4);
  late.deadline = 50;
  PodInput resident = pod("resident", 2);
  resident.node = name("n1");
  std::vector<Event> events{node("n1", 4), PodChanged{resident}, WorkloadChanged{workload("small", 2)},
                            WorkloadChanged{late}};
  add_pods(events, "small", 2, 1, "small");
  add_pods(events, "late", 4, 1, "late");
  clock = 60;
  (void)step(events);
  EXPECT_EQ(running("small"), 0);
  EXPECT_EQ(why("small-0").reason_class, ReasonClass::kReserved);
  (void)step({PodRemoved{name("resident")}});
  EXPECT_EQ(running("late"), 4);
}

TEST_F(Gangs, ACapThatCountsAsideHoldsForWhoeverIsCountedInIt) {
  QueueInput aside = queue("space");
  aside.counts_aside = true;
  aside.quotas = {{.resource = gpu, .cap = 3 * kMilliPerCard}};
  std::vector<Event> events{node("n1", 8), QueueChanged{queue("q")}, QueueChanged{aside}};
  for (const std::string text : {"in", "out"}) {
    WorkloadInput input = workload(text, 1, text == "in" ? "q" : "");
    input.counted_in = {name("space")};
    events.emplace_back(WorkloadChanged{input});
    add_pods(events, text, 4, 1, text);
  }
  (void)step(events);
  EXPECT_EQ(running("in") + running("out"), 3);
  EXPECT_EQ(why("out-3").reason_class, ReasonClass::kQuotaExceeded);
  const Ledger& ledger = engine.world().workloads().ledger();
  EXPECT_EQ(ledger.used(QueueTree::kRoot, gpu), 3 * kMilliPerCard) << "once, though two queues are charged";
}

// The pods are of one shape; which of them may use what is kept depends on how long each runs.
TEST_F(Gangs, AShortPodPassesAlthoughALongOneOfItsShapeFailedBefore) {
  clock = 100;
  PodInput resident = pod("resident", 4);
  resident.node = name("n1");
  resident.started = 100;
  resident.runs_for_seconds = 100;
  PodInput guest = pod("guest", 4);
  guest.node = name("n2");
  guest.started = 100;
  std::vector<Event> events{node("n1", 4), node("n2", 4), PodChanged{resident}, PodChanged{guest},
                            WorkloadChanged{workload("wide", 2)}};
  add_pods(events, "wide", 2, 4, "wide");
  PodInput long_pod = pod("long", 4);
  long_pod.runs_for_seconds = 1000;
  PodInput short_pod = pod("short", 4);
  short_pod.runs_for_seconds = 10;
  events.emplace_back(PodChanged{long_pod});
  events.emplace_back(PodChanged{short_pod});
  (void)step(events);
  (void)step({PodRemoved{name("guest")}});
  EXPECT_EQ(node_of("long"), "");
  EXPECT_EQ(node_of("short"), "n2");
}

// A bare pod waits and goes; its slot comes to be a member's.
TEST_F(Gangs, AMemberIsNotPlacedTwiceInTheSlotOfABarePodThatWaited) {
  (void)step({node("n1", 1), PodChanged{pod("wide", 2)}});
  (void)step({PodRemoved{name("wide")}});
  std::vector<Event> events{WorkloadChanged{workload("gang", 2)}};
  add_pods(events, "gang", 2, 1, "gang");
  (void)step(events);
  const StepResult result = step({node("n2", 2)});
  EXPECT_EQ(count(result, Decision::Kind::kPlace), 2U);
  EXPECT_EQ(running("gang"), 2);
}

struct Preempted : Gangs {
  PodInput urgent(const std::string& text, std::int32_t cards) {
    PodInput made = pod(text, cards);
    made.shape.priority = 10;
    return made;
  }
};

TEST_F(Preempted, AHigherBarePodEvictsAWholeGangAndNoPieceOfIt) {
  std::vector<Event> events{node("n1", 4), node("n2", 4), WorkloadChanged{workload("rigid", 2)}};
  add_pods(events, "rigid", 2, 4, "rigid");
  (void)step(events);
  ASSERT_EQ(running("rigid"), 2);
  const StepResult result = step({PodChanged{urgent("urgent", 1)}});
  EXPECT_EQ(count(result, Decision::Kind::kEvict), 2U);
  EXPECT_TRUE(std::ranges::none_of(result.decisions, [](const Decision& each) { return each.node.is_none(); }));
  EXPECT_NE(node_of("urgent"), "");
  EXPECT_EQ(running("rigid"), 0);
}

TEST_F(Preempted, ABarePodTakesWhatAGangHoldsAboveItsMinimumFirst) {
  std::vector<Event> events{node("n1", 4), WorkloadChanged{workload("elastic", 2)},
                            WorkloadChanged{workload("rigid", 1)}};
  add_pods(events, "rigid", 1, 1, "rigid");
  add_pods(events, "elastic", 3, 1, "elastic");
  (void)step(events);
  ASSERT_EQ(running("elastic"), 3);
  (void)step({PodChanged{urgent("urgent", 1)}});
  EXPECT_EQ(running("elastic"), 2);
  EXPECT_EQ(running("rigid"), 1);
}

// A fifth member waits to grow while the gang goes.
TEST_F(Preempted, AGangThatWasEvictedForABarePodDoesNotGrowInTheSameStep) {
  std::vector<Event> events{node("n1", 4), WorkloadChanged{workload("rigid", 4)}};
  add_pods(events, "rigid", 5, 1, "rigid");
  (void)step(events);
  ASSERT_EQ(running("rigid"), 4);
  (void)step({PodChanged{urgent("urgent", 1)}});
  EXPECT_EQ(running("rigid"), 0);
}

TEST_F(Preempted, ABarePodNeverEvictsAGangThatStays) {
  WorkloadInput stays = workload("stays", 2);
  stays.preemptible = false;
  std::vector<Event> events{node("n1", 4), WorkloadChanged{stays}};
  add_pods(events, "stays", 2, 2, "stays");
  (void)step(events);
  EXPECT_TRUE(step({PodChanged{urgent("urgent", 1)}}).decisions.empty());
  EXPECT_EQ(running("stays"), 2);
}

// The first two of three members do not fit, whoever goes; the last two do.
TEST_F(Preempted, MembersThatFitAreFoundWhereThePreferredOnesDoNot) {
  PodInput stays = pod("stays", 3);
  stays.shape.priority = 20;
  std::vector<Event> events{node("n1", 2),
                            node("n2", 1),
                            node("n3", 3),
                            PodChanged{stays},
                            WorkloadChanged{workload("low", 2)},
                            PodChanged{pod("low-0", 2, "low")},
                            PodChanged{pod("low-1", 1, "low")}};
  (void)step(events);
  ASSERT_EQ(running("low"), 2);
  ASSERT_EQ(node_of("stays"), "n3");
  WorkloadInput high = workload("high", 2);
  high.priority = 10;
  (void)step({WorkloadChanged{high}, PodChanged{pod("high-0", 3, "high")}, PodChanged{pod("high-1", 2, "high")},
              PodChanged{pod("high-2", 1, "high")}});
  EXPECT_EQ(running("high"), 2);
  EXPECT_EQ(running("low"), 0);
}

// One budget for both, and each of two newcomers needs the place of one.
TEST_F(Preempted, ABudgetIsUsedUpWithinAStep) {
  BudgetInput budget;
  budget.name = name("budget");
  budget.namespace_ = space;
  budget.selector.requirements = {Requirement{key("app"), Operator::kIn, {names.label_value("db")}, {}}};
  budget.disruptions_allowed = 1;
  std::vector<Event> events{node("n1", 1), node("n2", 1), BudgetChanged{budget}};
  for (const std::string text : {"db-1", "db-2"}) {
    PodInput low = pod(text, 1);
    low.shape.labels = {{key("app"), names.label_value("db")}};
    events.emplace_back(PodChanged{low});
  }
  (void)step(events);
  events.clear();
  for (const std::string text : {"one", "two"}) {
    WorkloadInput high = workload(text, 1);
    high.priority = 10;
    events.emplace_back(WorkloadChanged{high});
    events.emplace_back(PodChanged{pod(text + "-0", 1, text)});
  }
  EXPECT_EQ(count(step(events), Decision::Kind::kEvict), 1U);
  EXPECT_EQ(running("one"), 1);
  EXPECT_EQ(running("two"), 0);
}

// Its pods say 0, the gang says 20.
TEST_F(Preempted, ThePriorityOfAGangProtectsItsMembers) {
  WorkloadInput high = workload("high", 2);
  high.priority = 20;
  std::vector<Event> events{node("n1", 4), WorkloadChanged{high}};
  add_pods(events, "high", 2, 2, "high");
  (void)step(events);
  EXPECT_TRUE(step({PodChanged{urgent("urgent", 1)}}).decisions.empty());
}

}  // namespace
}  // namespace berth::engine
