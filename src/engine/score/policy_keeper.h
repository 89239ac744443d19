// PolicyKeeper: what lets policy berth follow an engine's world, so that a profile can score with it.
//
// The policy has to know what is expected, how much GPU is free, what started and what left of late. The keeper reads
// the last three from the world's log. It expects what the world has (expected_workload.h), and learns that again when
// decisions were asked for as many pods as there were to learn from, or when nodes came or went. It is weighed then,
// and when that is due.
//
// What is learned and weighed that way depends on the order of events. Small clusters, up to kSmall cards, can do
// better: before the first decision of a step everything is learned and weighed from nothing, as if half of what runs
// had come while as much left, so that an engine made anew from what is there decides the same.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/config.h"
#include "engine/score/policies/berth.h"
#include "engine/world/world.h"

namespace berth::engine {

class PolicyKeeper {
 public:
  // Lets the profiles that value rooms score with the policy, which lives as long as this.
  [[nodiscard]] Config adopt(Config config);

  // At the beginning of a step, and before each decision for so many pods with cards (for pods without: 0). The world
  // must be fresh. O(nodes that changed) where nothing is due; nothing in clusters without cards.
  void begin_step() { step_begins_ = true; }
  void follow(const World& world, std::int64_t pods);

  // Before values are asked for without a decision: as they were last, or for the first time.
  void look(const World& world);

 private:
  static constexpr std::int64_t kSmall = 512;
  [[nodiscard]] bool is_small() const { return sum_.all > 0 && sum_.all <= kSmall * kMilliPerCard; }

  struct Room {
    std::int64_t free = 0;  // milli-GPU; 0 where nobody may go
    std::int64_t used = 0;
    std::int64_t all = 0;
  };
  void read_all(const World& world);
  void read(const World& world, NodeId node);
  [[nodiscard]] static Room room_of(const World& world, NodeId node);
  void catch_up(const World& world);
  void learn(const World& world);
  void weigh(const World& world);

  bool in_use_ = false;
  BerthPolicy policy_{TargetWorkload({})};
  std::uint64_t layout_ = 0;  // of the world when all of it was read
  std::uint64_t cursor_ = 0;  // in its log
  std::vector<Room> rooms_;   // by node slot
  Room sum_;
  bool step_begins_ = false;
  bool learned_ = false;
  std::int64_t lesson_ = 0;  // pods that were learned from
  std::int64_t asked_ = 0;   // pods with cards that decisions were asked for since
};

}  // namespace berth::engine
