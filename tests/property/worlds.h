// What the property tests share: a question about a world that the engine and the twin answer, and its failure told
// with the smallest world that shows it.
#pragma once

#include <functional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/generate.h"
#include "support/shrink.h"

namespace berth::property {

struct Answers {
  support::Lines engine;
  support::Lines twin;
};
using Ask = std::function<Answers(const reference::Objects&, const reference::Settings&)>;

// True if both answer alike; else a failure is reported and false returned.
inline bool agree(const reference::Objects& world, const reference::Settings& settings, const Ask& ask,
                  const std::string& where) {
  const Answers answers = ask(world, settings);
  if (answers.engine == answers.twin) return true;
  const reference::Objects small = support::shrink(world, [&](const reference::Objects& tried) {
    const Answers again = ask(tried, settings);
    return again.engine != again.twin;
  });
  const Answers again = ask(small, settings);
  ADD_FAILURE() << where << ", seed " << settings.seed << "\n"
                << support::describe(small) << support::describe(settings.profiles.front()) << "engine:\n  "
                << fmt::format("{}", fmt::join(again.engine, "\n  ")) << "\ntwin:\n  "
                << fmt::format("{}", fmt::join(again.twin, "\n  "));
  return false;
}

}  // namespace berth::property
