// Replay: jobs on virtual time, decided by the engine. A job is some pods that have to run together for a while; it
// starts to work when all of them have a place and leaves when its time is over.
//
// Two ways to ask for places see the same jobs:
// - pods: each pod alone, as kube-scheduler without gangs does. What is placed holds its cards while it waits for the
//   rest of its job.
// - whole: a workload per job, in the queue of the job. Who is evicted loses all it did and asks again, with the age it
//   had.
//
// Deterministic. Ends of jobs come before arrivals of the same second.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace berth::sim::jobs {

using Seconds = std::int64_t;

struct Pod {
  Seconds arrives = 0;
  std::int32_t cards = 1;
};

struct Job {
  std::uint32_t queue = 0;  // position in Setup::queues
  Seconds runs_for = 0;
  std::vector<Pod> pods;  // at least one
  [[nodiscard]] std::int64_t cards() const;
  [[nodiscard]] Seconds submitted() const;  // when the last pod is there
};

// First in, first out; the head blocks who is behind it. May borrow all that is idle and takes back its guarantee.
struct Queue {
  std::string name;
  std::int64_t guarantee = 0;  // cards
};

enum class Asking : std::uint8_t { kPods, kWhole };

struct Setup {
  std::int32_t nodes = 1;
  std::int32_t cards_per_node = 8;
  Asking asking = Asking::kWhole;
  std::vector<Queue> queues;                                     // kWhole only; none: jobs are in no queue
  std::uint64_t seed = 0;                                        // of the engine's ties
  Seconds measured_until = std::numeric_limits<Seconds>::max();  // Result::worked ends there
};

struct Outcome {
  std::optional<Seconds> started;  // for the last time; none: it never ran
  std::optional<Seconds> ended;
  std::int32_t evictions = 0;
  bool within_guarantee = false;  // when it started for the last time its queue used no more than its guarantee
  std::int64_t lost = 0;          // card-seconds of work that an eviction threw away
  std::int64_t idle = 0;          // card-seconds that its pods held while the job did not work
};

struct Result {
  std::vector<Outcome> jobs;  // as given
  Seconds ended = 0;          // when the last thing happened
  std::int64_t worked = 0;    // card-seconds in which jobs worked, lost ones included, up to Setup::measured_until
  std::int64_t evictions = 0;
  // Jobs that never will run: nothing more happens, and they wait.
  std::int64_t stuck = 0;
  std::int64_t holding = 0;  // cards that stuck jobs hold
};

// `progress` is told how many jobs have ended, if given.
[[nodiscard]] Result replay(const Setup& setup, const std::vector<Job>& jobs,
                            const std::function<void(std::size_t)>& progress = {});

}  // namespace berth::sim::jobs
