// PolicyKeeper: what lets policy berth follow an engine's world, so that a profile can score with it.
//
// The policy has to know what is expected, how much GPU is free, what started and what left of late. The keeper reads
// the last three from the world's log. It expects what the world has (expected_workload.h), and learns that again when
// as many decisions were asked for as there were pods to learn from: the pods of which most is known are those that
// came.
//
// What is learned and weighed that way depends on the order of events. Small clusters, up to kSmall cards, can do
// better: at the beginning of each step everything is learned and weighed from nothing, as if half of what runs had
// come while as much left, so that an engine made anew from what is there decides the same.
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

  // Before the first decision of a step, and before each. The world must be fresh. O(nodes that changed) where nothing
  // is due.
  void begin_step(const World& world);
  void follow(const World& world);

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
  // Does what is due.
  void renew(const World& world);

  bool in_use_ = false;
  BerthPolicy policy_{TargetWorkload({})};
  std::uint64_t layout_ = 0;  // of the world when all of it was read
  std::uint64_t cursor_ = 0;  // in its log
  std::vector<Room> rooms_;   // by node slot
  Room sum_;
  bool learned_ = false;
  std::int64_t lesson_ = 0;  // pods that were learned from
  std::int64_t asked_ = 0;   // decisions since
};

}  // namespace berth::engine
