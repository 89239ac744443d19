// The engine's decisions are the slow twin's: on every small world that can be listed and on many random ones.
#include "property/small_worlds.h"
#include "property/worlds.h"
#include "support/builders.h"
#include "support/long_run.h"

namespace berth::property {
namespace {

Answers decisions(const reference::Objects& world, const reference::Settings& settings) {
  return {support::EngineRun(world, settings).decide(), support::twin_decides(world, settings)};
}

TEST(Decisions, EverySmallWorld) {
  const bool full = support::count_of_worlds(0, 1) == 1;
  const reference::Settings settings{{support::upstream_profile()}, 3, true};
  std::size_t count = 0;
  for_each_small_world(full, [&](const reference::Objects& world) {
    ++count;
    return agree(world, settings, decisions, "small world " + std::to_string(count));
  });
  EXPECT_GE(count, full ? 100'000U : 5'000U);
}

TEST(Decisions, RandomWorlds) {
  Random random(1);
  const int worlds = support::count_of_worlds(3000, 100'000);
  for (int i = 0; i < worlds; ++i) {
    const reference::Objects world = support::random_world(random);
    const reference::Settings settings{{support::random_profile(random)}, random.next(), random.chance(2, 3)};
    if (!agree(world, settings, decisions, "random world " + std::to_string(i))) return;
  }
}

TEST(Decisions, LargerWorlds) {
  Random random(2);
  const int worlds = support::count_of_worlds(40, 1000);
  for (int i = 0; i < worlds; ++i) {
    const reference::Objects world = support::random_world(random, {30, 60, 25});
    const reference::Settings settings{{support::random_profile(random)}, random.next(), random.chance(2, 3)};
    if (!agree(world, settings, decisions, "larger world " + std::to_string(i))) return;
  }
}

TEST(Decisions, ManyReplicasOfFewTemplates) {
  Random random(3);
  const int worlds = support::count_of_worlds(200, 5000);
  for (int i = 0; i < worlds; ++i) {
    const auto templates = random.between(1, 4);
    const reference::Objects world = support::random_world_of_replicas(random, templates, 15, {12, 10, 3});
    const reference::Settings settings{{support::random_profile(random)}, random.next(), true};
    if (!agree(world, settings, decisions, "replicas " + std::to_string(i))) return;
  }
}

TEST(Decisions, TwoProfilesInOneQueue) {
  Random random(4);
  const int worlds = support::count_of_worlds(500, 10'000);
  for (int i = 0; i < worlds; ++i) {
    reference::Objects world = support::random_world(random);
    reference::Settings settings{
        {support::random_profile(random), support::random_profile(random)}, random.next(), true};
    settings.profiles.back().scheduler_name = "batch";
    for (api::Pod& pod : world.pods) {
      if (random.chance(1, 2)) pod.spec.scheduler_name = "batch";
      if (random.chance(1, 20)) pod.spec.scheduler_name = "somebody-else";
    }
    if (!agree(world, settings, decisions, "two profiles " + std::to_string(i))) return;
  }
}

// Berth's own default: what rooms are worth is learned and weighed on the way.
TEST(Decisions, RoomsAreValuedAsByDefinition) {
  Random random(6);
  const int worlds = support::count_of_worlds(60, 5000);
  for (int i = 0; i < worlds; ++i) {
    const auto templates = random.between(1, 8);
    support::WorldRules rules;
    rules.tight = random.chance(1, 3);
    reference::Objects world = support::random_world_of_replicas(random, templates, 12, {6, 10, 3}, rules);
    for (api::Node& node : world.nodes) {
      if (random.chance(1, 2)) node.metadata.labels["nvidia.com/gpu.product"] = random.chance(1, 2) ? "A100" : "H100";
    }
    reference::Settings settings{{support::random_profile(random)}, random.next(), random.chance(2, 3)};
    support::value_rooms(random, settings.profiles.front());
    if (!agree(world, settings, decisions, "rooms " + std::to_string(i))) return;
  }
}

// Whatever was there before, a placed pod never takes more than is free, and no card is held twice.
TEST(Decisions, NeverMoreThanThereIs) {
  Random random(5);
  const int worlds = support::count_of_worlds(1500, 30'000);
  for (int i = 0; i < worlds; ++i) {
    const reference::Objects world = support::random_world(random);
    const reference::Settings settings{{support::random_profile(random)}, random.next(), true};
    const reference::Outcome outcome = reference::schedule(world, settings);
    ASSERT_EQ(support::EngineRun(world, settings).decide(), support::tell(world, outcome, settings)) << i;
    for (const auto& decision : outcome.decisions) {
      if (decision.kind != reference::Decision::Kind::kPlace) continue;
      ASSERT_EQ(broken_invariant(outcome.end.nodes[decision.node], *decision.pod, settings.profiles.front()), "")
          << "world " << i << "\n"
          << support::describe(world);
    }
  }
}

}  // namespace
}  // namespace berth::property
