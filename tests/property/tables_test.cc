// Every filter, every score and every node's first cause, for every waiting pod of random worlds.
#include "property/worlds.h"
#include "reference/scores.h"
#include "support/long_run.h"

namespace berth::property {
namespace {

using Look = std::function<support::Lines(support::EngineRun&, const api::Pod&)>;
using TwinLook = std::function<support::Lines(const reference::Question&)>;

Ask for_each_waiting_pod(Look look, TwinLook twin_look) {
  return [look = std::move(look), twin_look = std::move(twin_look)](const reference::Objects& world,
                                                                    const reference::Settings& settings) {
    Answers answers;
    support::EngineRun engine(world, settings);
    const reference::Snapshot snapshot = reference::take_snapshot(world, settings);
    for (const api::Pod* pod : reference::queue(world, settings.seed)) {
      const auto& profile = *reference::profile_of(settings, *pod);
      // A pod that is held is nobody's question.
      if (reference::hold(world, *pod, profile)) continue;
      const reference::Question question{snapshot, *pod, profile, settings.exclude_not_ready};
      for (auto& line : look(engine, *pod)) answers.engine.push_back(support::full_name(*pod) + " " + line);
      for (auto& line : twin_look(question)) answers.twin.push_back(support::full_name(*pod) + " " + line);
    }
    return answers;
  };
}

void compare(std::uint64_t seed, const Ask& ask) {
  Random random(seed);
  const int worlds = support::count_of_worlds(1500, 30'000);
  for (int i = 0; i < worlds; ++i) {
    const reference::Objects world = support::random_world(random);
    const reference::Settings settings{{support::random_profile(random)}, random.next(), random.chance(2, 3)};
    if (!agree(world, settings, ask, "world " + std::to_string(i))) return;
  }
}

TEST(Tables, EachFilterAlone) {
  compare(101, for_each_waiting_pod([](auto& engine, const auto& pod) { return engine.filters(pod); },
                                    [](const auto& question) { return support::twin_filters(question); }));
}

TEST(Tables, EachScoreRawAndNormalised) {
  compare(102, for_each_waiting_pod([](auto& engine, const auto& pod) { return engine.scores(pod); },
                                    [](const auto& question) { return support::twin_scores(question); }));
}

TEST(Tables, FirstCausePerNode) {
  compare(103, for_each_waiting_pod([](auto& engine, const auto& pod) { return engine.causes(pod); },
                                    [](const auto& question) { return support::twin_causes(question); }));
}

}  // namespace
}  // namespace berth::property
