#include "engine/score/policy_keeper.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/mutant.h"
#include "engine/score/expected_workload.h"
#include "engine/score/policy_view.h"

namespace berth::engine {

Config PolicyKeeper::adopt(Config config) {
  for (Profile& profile : config.profiles) {
    if (!profile.values_room || std::ranges::find(profile.scores, Score::kPlacementPolicy,
                                                  &Profile::WeightedScore::score) == profile.scores.end()) {
      continue;
    }
    profile.placement_policy = &policy_;
    in_use_ = true;
  }
  return config;
}

PolicyKeeper::Room PolicyKeeper::room_of(const World& world, NodeId node) {
  Room room;
  if (!world.node(node).alive) return room;
  const NodeView view = view_of(world, node);
  std::int64_t free = 0;
  for (const std::int32_t milli : view.card_free) free += std::max(milli, 0);
  room.all = static_cast<std::int64_t>(view.card_free.size()) * kMilliPerCard;
  room.used = room.all - free;
  if (!world.node(node).input.takes_nobody()) room.free = free;
  return room;
}

// What comes or goes with nodes has neither started nor left.
void PolicyKeeper::read_all(const World& world) {
  rooms_.assign(world.node_slots(), Room{});
  sum_ = Room{};
  for (const NodeId node : world.by_rank()) {
    Room& room = rooms_[node.index()];
    room = room_of(world, node);
    sum_.free += room.free;
    sum_.used += room.used;
    sum_.all += room.all;
  }
  layout_ = world.layout();
}

void PolicyKeeper::read(const World& world, NodeId node) {
  Room& before = rooms_[node.index()];
  const Room now = room_of(world, node);
  if (world.log().last_replacement(node) < cursor_) {
    if (now.used > before.used) policy_.pod_started(now.used - before.used);
    if (now.used < before.used) policy_.pod_left(before.used - now.used);
  }
  sum_.free += now.free - before.free;
  sum_.used += now.used - before.used;
  sum_.all += now.all - before.all;
  before = now;
}

void PolicyKeeper::catch_up(const World& world) {
  const ChangeLog& log = world.log();
  if (layout_ != world.layout() || cursor_ < log.begin()) {
    read_all(world);
    lesson_ = 0;  // pods may go to other nodes than before
  } else {
    for (std::uint64_t number = cursor_; number < log.end(); ++number) {
      if (log.is_latest(number)) read(world, log.at(number));
    }
  }
  cursor_ = log.end();
}

void PolicyKeeper::learn(const World& world) {
  ExpectedWorkload expected = expected_workload(world);
  if (mutant("Rule.ExpectedWorkload")) expected.shapes = TargetWorkload({});
  learned_ = true;
  lesson_ = expected.pods;
  asked_ = 0;
  if (!std::ranges::equal(expected.shapes.shapes(), policy_.expected().shapes())) {
    policy_.expect(std::move(expected.shapes));
  }
}

void PolicyKeeper::weigh(const World& world) {
  std::vector<NodeView> views;
  std::deque<std::vector<std::int32_t>> overcommitted;
  for (const NodeId node : world.by_rank()) {
    NodeView view = view_of(world, node);
    if (view.card_free.empty() || world.node(node).input.takes_nobody()) continue;
    view.free_cpu = std::max<Amount>(view.free_cpu, 0);
    if (std::ranges::min(view.card_free) < 0) {
      std::vector<std::int32_t>& cards = overcommitted.emplace_back(view.card_free.begin(), view.card_free.end());
      for (std::int32_t& milli : cards) milli = std::max(milli, 0);
      view.card_free = cards;
    }
    views.push_back(view);
  }
  policy_.weigh(views);
}

void PolicyKeeper::follow(const World& world, std::int64_t pods) {
  if (!in_use_) return;
  catch_up(world);
  if (sum_.all == 0) return;
  asked_ += pods;
  constexpr std::int64_t kLeastLesson = 64;
  const bool anew = std::exchange(step_begins_, false) && is_small();
  const bool learns = !learned_ || anew || (!is_small() && asked_ >= std::max(kLeastLesson, lesson_));
  if (!learned_ || anew) policy_.restart(sum_.used, sum_.used / 2);
  if (learns) learn(world);
  if ((learns || policy_.is_due(sum_.free)) && !mutant("Rule.RoomsAreWeighed")) weigh(world);
}

void PolicyKeeper::look(const World& world) {
  if (!learned_) follow(world, 0);
}

}  // namespace berth::engine
