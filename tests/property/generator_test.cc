// The generator is judged, too: a rule that its worlds never touch is a rule that nothing proves.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "reference/reasons.h"
#include "reference/schedule.h"
#include "reference/scores.h"
#include "support/generate.h"

namespace berth::support {
namespace {

using api::Plugin;

struct Tally {
  std::map<Plugin, int> rejecting;  // worlds in which the filter excludes a node
  std::map<Plugin, int> differing;  // worlds in which the score tells nodes apart
  std::map<reference::ReasonClass, int> reasons;
  std::map<reference::Cause, int> causes;
  int placed = 0;
  int evicted = 0;
};

void look_at(const reference::Question& question, std::set<Plugin>& rejecting, std::set<Plugin>& differing) {
  for (const Plugin plugin : question.profile.filters) {
    for (std::size_t i = 0; i < question.snapshot.nodes.size(); ++i) {
      if (!reference::filter(question, i, plugin).passes()) rejecting.insert(plugin);
    }
  }
  const reference::ScoreTable table = reference::score_table(question);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& values = table.columns[i].normalized;
    if (std::set(values.begin(), values.end()).size() > 1) differing.insert(question.profile.scores[i].plugin);
  }
}

Tally tally(int worlds) {
  Tally result;
  Random random(20);
  for (int i = 0; i < worlds; ++i) {
    const reference::Objects world = random_world(random);
    const reference::Settings settings{{random_profile(random)}, random.next(), true};
    const reference::Snapshot start = reference::take_snapshot(world, settings);
    std::set<Plugin> rejecting;
    std::set<Plugin> differing;
    for (const api::Pod* pod : reference::queue(world, settings.seed)) {
      look_at({start, *pod, settings.profiles.front()}, rejecting, differing);
    }
    for (const Plugin plugin : rejecting) ++result.rejecting[plugin];
    for (const Plugin plugin : differing) ++result.differing[plugin];
    const reference::Outcome outcome = reference::schedule(world, settings);
    for (const auto& decision : outcome.decisions) {
      ++(decision.kind == reference::Decision::Kind::kPlace ? result.placed : result.evicted);
    }
    for (const api::Pod* pod : outcome.pending) {
      const reference::Question question{outcome.end, *pod, settings.profiles.front()};
      ++result.reasons[reference::classify(question)];
      for (const auto& [cause, count] : reference::count_causes(question)) ++result.causes[cause];
    }
    for (std::size_t held = 0; held < outcome.held.size(); ++held) ++result.reasons[reference::ReasonClass::kNotReady];
  }
  return result;
}

TEST(Generator, TouchesEveryRuleOften) {
  constexpr int kWorlds = 900;
  const Tally result = tally(kWorlds);
  for (const Plugin plugin :
       {Plugin::kNodeUnschedulable, Plugin::kTaintToleration, Plugin::kNodeAffinity, Plugin::kNodePorts,
        Plugin::kNodeResourcesFit, Plugin::kVolumeRestrictions, Plugin::kVolumeBinding, Plugin::kVolumeZone,
        Plugin::kPodTopologySpread, Plugin::kInterPodAffinity, Plugin::kNodeDeclaredFeatures}) {
    const int count = result.rejecting.contains(plugin) ? result.rejecting.at(plugin) : 0;
    EXPECT_GE(count * 100, kWorlds * 5) << "filter " << static_cast<int>(plugin) << " excludes in " << count;
  }
  for (const auto& [plugin, percent] : {std::pair{Plugin::kTaintToleration, 7},
                                        {Plugin::kNodeAffinity, 7},
                                        {Plugin::kNodeResourcesFit, 7},
                                        {Plugin::kPodTopologySpread, 7},
                                        {Plugin::kInterPodAffinity, 7},
                                        {Plugin::kNodeResourcesBalancedAllocation, 7},
                                        {Plugin::kImageLocality, 7},
                                        {Plugin::kVolumeBinding, 2}}) {
    const int count = result.differing.contains(plugin) ? result.differing.at(plugin) : 0;
    EXPECT_GE(count * 100, kWorlds * percent) << "score " << static_cast<int>(plugin) << " tells apart in " << count;
  }
  EXPECT_GE(result.placed, kWorlds);
  EXPECT_GE(result.evicted, kWorlds / 20);
  for (const auto reason :
       {reference::ReasonClass::kNotReady, reference::ReasonClass::kNeverFits, reference::ReasonClass::kBusy,
        reference::ReasonClass::kFragmented, reference::ReasonClass::kTopologyNoFit,
        reference::ReasonClass::kNodeExcluded, reference::ReasonClass::kReserved}) {
    const int count = result.reasons.contains(reason) ? result.reasons.at(reason) : 0;
    EXPECT_GE(count, kWorlds / 100) << "reason " << static_cast<int>(reason);
  }
  for (int cause = 1; cause <= static_cast<int>(reference::Cause::kReserved); ++cause) {
    // Pods that ask for a node by name are bound in the API's eyes; no world has one that waits.
    if (cause == static_cast<int>(reference::Cause::kNodeName)) continue;
    const auto found = result.causes.find(static_cast<reference::Cause>(cause));
    EXPECT_TRUE(found != result.causes.end() && found->second >= 3) << "cause " << cause;
  }
}

TEST(Generator, SameSeedSameWorld) {
  Random one(7);
  Random two(7);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(describe(random_world(one)), describe(random_world(two)));
}

}  // namespace
}  // namespace berth::support
