// Every waiting pod of every world: its class follows from changed worlds, and the record's counts add up.
#include <numeric>

#include "property/broken_promise.h"
#include "property/worlds.h"
#include "support/long_run.h"

namespace berth::property {
namespace {

using engine::ReasonClass;

TEST(Reasons, FollowFromChangedWorlds) {
  Random random(31);
  const int worlds = support::count_of_worlds(2000, 30'000);
  std::size_t explained = 0;
  for (int i = 0; i < worlds; ++i) {
    const reference::Objects before = support::random_world(random);
    const reference::Settings settings{{support::random_profile(random)}, random.next(), random.chance(2, 3)};
    const reference::Outcome outcome = reference::schedule(before, settings);
    support::EngineRun engine(before, settings);
    const auto lines = engine.decide();
    ASSERT_EQ(lines, support::tell(before, outcome, settings)) << "world " << i;
    for (const api::Pod* pod : outcome.pending) {
      const reference::Question question{outcome.end, *pod, settings.profiles.front(), settings.exclude_not_ready};
      const engine::Reason reason = engine.explain(*pod);
      ASSERT_EQ(broken_promise(question, reason), "") << "world " << i << " pod " << support::full_name(*pod) << " "
                                                      << support::name_of(reason.reason_class) << "\n"
                                                      << support::describe(before);
      ASSERT_EQ(reason.total_nodes, before.nodes.size());
      ASSERT_EQ(std::accumulate(reason.nodes.begin(), reason.nodes.end(), 0U), before.nodes.size());
      ASSERT_EQ(engine.causes(*pod), support::twin_causes(question)) << "world " << i << "\n"
                                                                     << support::describe(before);
      ++explained;
    }
  }
  EXPECT_GE(explained, static_cast<std::size_t>(worlds) / 2);
}

TEST(Reasons, HeldPodsAreNotReady) {
  Random random(32);
  const int worlds = support::count_of_worlds(500, 5000);
  std::size_t held = 0;
  for (int i = 0; i < worlds; ++i) {
    const reference::Objects world = support::random_world(random);
    const reference::Settings settings{{support::random_profile(random)}, random.next(), true};
    const reference::Outcome outcome = reference::schedule(world, settings);
    support::EngineRun engine(world, settings);
    static_cast<void>(engine.decide());
    for (const api::Pod* pod : outcome.held) {
      const engine::Reason reason = engine.explain(*pod);
      ASSERT_EQ(reason.reason_class, ReasonClass::kNotReady) << "world " << i << " " << support::full_name(*pod);
      ASSERT_NE(reason.hold.cause, engine::HoldCause::kNone);
      ++held;
    }
  }
  EXPECT_GE(held, 20U);
}

}  // namespace
}  // namespace berth::property
