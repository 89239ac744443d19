// A world that changed step by step and the same world loaded at once are one world: same decisions, same tables.
#include "property/worlds.h"
#include "support/long_run.h"

namespace berth::property {
namespace {

// Node slots differ between the two histories, so everything is told by name.
support::Lines tables(support::EngineRun& engine, const reference::Objects& world,
                      const reference::Settings& settings) {
  support::Lines lines;
  for (const api::Pod* pod : reference::queue(world, settings.seed)) {
    if (reference::hold(world, *pod, *reference::profile_of(settings, *pod))) continue;
    for (const auto& part : {engine.filters(*pod), engine.scores(*pod), engine.causes(*pod)}) {
      for (const std::string& line : part) lines.push_back(support::full_name(*pod) + " " + line);
    }
  }
  return lines;
}

// Which cards pods without a record of theirs hold depends on who came first, so cards are not shared here.
support::WorldRules rules() {
  support::WorldRules result;
  result.shared_cards = false;
  return result;
}

support::Lines decisions_only(support::Lines lines) {
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("pending"); });
  return lines;
}

std::string story(int stream, const std::string& history, const reference::Objects& world) {
  return "stream " + std::to_string(stream) + ": " + history + "\n" + support::describe(world);
}

TEST(Incremental, EqualsRebuilt) {
  Random random(41);
  const int streams = support::count_of_worlds(150, 100'000);
  for (int stream = 0; stream < streams; ++stream) {
    reference::Objects world = support::random_world(random, {5, 6, 3}, rules());
    reference::Settings settings{{support::random_profile(random)}, random.next(), random.chance(2, 3)};
    support::EngineRun engine(world, settings);
    std::string history;
    for (std::size_t step = 0; step < 12; ++step) {
      for (std::uint64_t change = 1 + random.below(3); change > 0; --change) {
        history += support::change_world(random, world, step * 10 + change, rules()) + "; ";
      }
      engine.tell(world);
      support::EngineRun rebuilt(world, settings);
      ASSERT_EQ(tables(engine, world, settings), tables(rebuilt, world, settings)) << story(stream, history, world);
      const reference::Outcome outcome = reference::schedule(world, settings);
      const support::Lines expected = support::tell(world, outcome, settings);
      ASSERT_EQ(rebuilt.decide(), expected) << story(stream, history, world);
      // Pods whose blocker has not changed are not tried again, and so not told of again; their reason stands.
      ASSERT_EQ(decisions_only(engine.decide()), decisions_only(expected)) << story(stream, history, world);
      for (const api::Pod* pod : outcome.pending) {
        const reference::Question question{outcome.end, *pod, settings.profiles.front(), settings.exclude_not_ready};
        ASSERT_EQ(support::name_of(engine.explain(*pod).reason_class), support::name_of(reference::classify(question)))
            << support::full_name(*pod) << " in " << story(stream, history, world);
      }
      world = support::carried_out(world, outcome);
      engine.tell(world);
      history += "decide; ";
    }
  }
}

}  // namespace
}  // namespace berth::property
