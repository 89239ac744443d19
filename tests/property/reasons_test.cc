// Every waiting pod of every world: its class follows from changed worlds, and the record's counts add up.
#include <numeric>

#include "property/worlds.h"
#include "support/long_run.h"

namespace berth::property {
namespace {

using engine::ReasonClass;
using reference::Lifted;
using reference::Occupied;

// Empty, or what the class promises and a changed world denies. This does not use the twin's own classification.
std::string broken_promise(const reference::Question& question, const engine::Reason& reason) {
  const auto fits = [&](Lifted lifted, Occupied occupied, bool rules_among_pods) {
    return reference::fits_somewhere(question, lifted, occupied, rules_among_pods);
  };
  if (fits(Lifted::kNothing, Occupied::kAsNow, true)) return "it fits as things are";
  switch (reason.reason_class) {
    case ReasonClass::kNeverFits:
      if (fits(Lifted::kExclusions, Occupied::kEmptied, false)) return "it fits on the emptied cluster";
      return "";
    case ReasonClass::kBusy:
    case ReasonClass::kFragmented:
      if (!fits(Lifted::kNothing, Occupied::kEmptied, false)) return "it does not fit on the emptied cluster";
      if (fits(Lifted::kExclusions, Occupied::kAsNow, true)) return "an excluded node would take it now";
      if ((reason.reason_class == ReasonClass::kFragmented) != reference::enough_in_sum(question))
        return "the sum says otherwise";
      return "";
    case ReasonClass::kNodeExcluded:
      if (reason.excluded_are_full == fits(Lifted::kExclusions, Occupied::kAsNow, true)) {
        return "it says otherwise of the room on excluded nodes";
      }
      if (reason.excluded_are_full && !fits(Lifted::kExclusions, Occupied::kEmptied, false)) {
        return "it does not fit with cordons and taints lifted, even on the emptied cluster";
      }
      if (reason.excluded_are_full && fits(Lifted::kNothing, Occupied::kEmptied, false)) {
        return "a node that it may use would take it on the emptied cluster";
      }
      if (std::accumulate(reason.would_do_counts.begin(), reason.would_do_counts.end(), std::size_t{0}) !=
          reference::nodes_that_fit(question, Lifted::kExclusions,
                                    reason.excluded_are_full ? Occupied::kEmptied : Occupied::kAsNow,
                                    !reason.excluded_are_full)) {
        return "it counts otherwise which nodes would do";
      }
      return "";
    case ReasonClass::kTopologyNoFit:
      if (!fits(Lifted::kNothing, Occupied::kAsNow, false)) return "it does not fit with spread and affinity lifted";
      return "";
    case ReasonClass::kReserved:
      if (!reference::fits_without_promises(question)) return "it does not fit with promises taken back";
      return "";
    case ReasonClass::kNone:
    case ReasonClass::kNotReady:
    case ReasonClass::kGangIncomplete:
    case ReasonClass::kQuotaExceeded:
    case ReasonClass::kQueueDenied:
    case ReasonClass::kNoDevice:
    case ReasonClass::kDeviceBusy:
    case ReasonClass::kSelectorError:
    case ReasonClass::kScaleLimit:
      return "no such class can be here";
  }
  return "";
}

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
