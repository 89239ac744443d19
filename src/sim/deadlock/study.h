// The deadlock study: gangs whose pods arrive in a random order and that together ask for more than there is. Two ways
// to place them see the same arrivals:
// - pods: each pod by itself, kube-scheduler's default without gangs. Gangs that hold a part each can wait for each
//   other for ever.
// - whole: Berth, a workload per gang.
// Measured per trial is whether some gang never ran, the card-seconds held by gangs that did not work, and the time
// until all had run.
//
// A gang that holds cards and never runs holds them for ever; they are counted up to the moment at which Berth has run
// all gangs of the same trial.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/jobs/replay.h"

namespace berth::sim::deadlock {

using jobs::Asking;
using jobs::Seconds;
inline constexpr std::array kWays = {Asking::kPods, Asking::kWhole};
[[nodiscard]] std::string_view name_of(Asking way);

struct Load {
  std::int32_t nodes = 16;
  std::int32_t cards_per_node = 8;
  std::int32_t pods = 4;         // of a gang
  std::int32_t cards = 8;        // of a pod
  Seconds runs_for = 3600;       // of a gang
  Seconds between_arrivals = 1;  // of pods
  [[nodiscard]] std::int64_t capacity() const { return std::int64_t{nodes} * cards_per_node; }
  // The fewest gangs that ask for at least this percent of the cards.
  [[nodiscard]] std::int32_t gangs(std::int32_t percent) const;
};

// Which gang each pod that arrives belongs to, in the order of arrival.
using Interleaving = std::vector<std::uint32_t>;
[[nodiscard]] Interleaving random_interleaving(std::int32_t gangs, std::int32_t pods, std::uint64_t seed);

struct Trial {
  struct Way {
    std::int64_t stuck = 0;  // gangs that never ran
    std::int64_t held = 0;   // card-seconds of gangs that did not work
    Seconds makespan = 0;    // until the last gang ended; of no meaning if some are stuck
  };
  std::array<Way, kWays.size()> ways;
};
[[nodiscard]] Trial run_trial(const Load& load, const Interleaving& arrivals);

struct Study {
  Load load;
  std::vector<std::int32_t> percents;  // of the capacity, asked for together
  std::int32_t trials = 1000;          // per percent
  std::uint64_t seed = 1;
};

// All trials of one demand.
struct Level {
  std::int32_t percent = 0;
  std::int32_t gangs = 0;
  std::int32_t trials = 0;
  struct Way {
    std::int64_t deadlocked = 0;  // trials with gangs that never ran
    std::int64_t held = 0;        // sums over all trials
    std::int64_t makespan = 0;    // over those that were not deadlocked
    bool operator==(const Way&) const = default;
  };
  std::array<Way, kWays.size()> ways;
  bool operator==(const Level&) const = default;
};

// In the order of study.percents; the same for any number of threads. `progress` is told how many trials are done.
[[nodiscard]] std::vector<Level> run_all(const Study& study, unsigned threads,
                                         const std::function<void(std::size_t)>& progress = {});

}  // namespace berth::sim::deadlock
