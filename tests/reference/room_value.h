// RoomValue by definition: what pods take from those to come, after BerthTwin (berth_policy.h), in a cluster. The slow
// twin of src/engine/score/policy_keeper.h and expected_workload.h, for clusters of up to 512 cards: everything is
// learned and weighed from nothing when a step begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/scheduler_config.h"
#include "reference/berth_policy.h"
#include "reference/filters.h"

namespace berth::reference {

class RoomKeeper {
 public:
  // The beginning of a step. Expected is what the objects have: pods with cards that have not finished.
  RoomKeeper(const Snapshot& snapshot, const std::vector<api::SchedulerProfile>& profiles, bool exclude_not_ready);

  // Before each decision.
  void follow(const Snapshot& snapshot);

  // A pod on a node that it fits: higher is better, and the card for a share.
  struct Rated {
    std::int64_t value = 0;
    std::optional<std::size_t> card;
  };
  [[nodiscard]] Rated rate(const NodeState& state, const api::Pod& pod) const;

  // So much of value is a point of another score.
  static constexpr std::int64_t kUnit = std::int64_t{100} * 1024 << 28U;

 private:
  void weigh_if_due(const std::vector<Room>& rooms);

  BerthTwin twin_;
  std::vector<std::int64_t> used_;  // milli of cards, by node
};

// The resource of the cards that the pod asks for, the first by name; empty if it asks for none.
[[nodiscard]] std::string asked_cards(const api::Pod& pod);

// Does the profile score with RoomValue?
[[nodiscard]] bool values_room(const api::SchedulerProfile& profile);

}  // namespace berth::reference
