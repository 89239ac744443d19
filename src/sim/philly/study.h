// The Philly study: the jobs of the trace, a gang each, on virtual time, under three ways to share a cluster:
// - pods: all nodes for all, pod by pod, as kube-scheduler's default without gangs and queues.
// - partition: each virtual cluster has its nodes to itself; whole gangs, first in, first out.
// - borrow: Berth's queues. A queue per virtual cluster, its nodes as guarantee; what is idle may be borrowed, and who
//   has a guarantee takes it back. Whole gangs; who is evicted starts again from zero.
//
// Nodes have eight cards. A virtual cluster has its nodes of the trace, scaled, but not below its largest job; one that
// has none in the trace has no guarantee (and in the partition runs nothing); one without jobs is left out.
// A job waits from its submission until it starts for the last time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/jobs/replay.h"
#include "sim/philly/trace.h"

namespace berth::sim::philly {

using jobs::Seconds;

enum class Way : std::uint8_t { kPods, kPartition, kBorrow };
inline constexpr std::array kWays = {Way::kPods, Way::kPartition, Way::kBorrow};
[[nodiscard]] std::string_view name_of(Way way);

inline constexpr std::int32_t kCardsPerNode = 8;

struct VirtualCluster {
  std::string name;
  std::int32_t nodes = 0;  // after scaling
  std::int32_t jobs = 0;
  std::int32_t largest_job = 0;  // GPUs
};

struct Study {
  std::int32_t percent = 25;             // of the trace's nodes
  std::vector<VirtualCluster> clusters;  // ascending by name
  std::vector<jobs::Job> jobs;           // ascending by submission; `queue` is a position in clusters
  Seconds last_submission = 0;
  [[nodiscard]] std::int32_t nodes() const;
};
// Times start at zero. A job of n GPUs is ceil(n / 8) pods, as many as can be with 8 cards.
[[nodiscard]] Result<Study> make_study(const std::vector<TraceJob>& jobs, const std::vector<TraceCluster>& clusters,
                                       std::int32_t percent);

// What the jobs of a virtual cluster, or of all, waited. Times in seconds.
struct Waits {
  std::int64_t ran = 0;
  std::int64_t never_ran = 0;
  double mean = 0;
  Seconds p50 = 0;
  Seconds p95 = 0;
  Seconds most = 0;
};

struct WayResult {
  Way way = Way::kPods;
  std::vector<Waits> per_cluster;  // as Study::clusters
  Waits all;
  double utilisation = 0;  // of the cards, from the first submission to the last, 0..1; lost work counts
  std::int64_t evictions = 0;
  std::int64_t lost = 0;  // card-seconds that evictions threw away
  std::int64_t idle = 0;  // card-seconds held by gangs that did not work
  Seconds ended = 0;
};

// The promise of a guarantee: a job that runs within it does not wait longer than it would in a private partition.
struct Promise {
  // One that waited longer, and what was so when it would have started in the partition.
  struct Late {
    std::uint32_t job = 0;  // position in Study::jobs
    Seconds alone = 0;      // when it started in the partition
    Seconds started = 0;
    std::int32_t evictions = 0;     // of it
    std::int64_t older = 0;         // GPUs of older jobs of its queue that had not ended for good
    std::int64_t older_alone = 0;   // the same in the partition
    bool fitted_guarantee = false;  // beside these it was within the guarantee: there were too few GPUs on one node
  };
  std::int64_t jobs = 0;    // that started within the guarantee of their queue
  std::int64_t longer = 0;  // of these, those that waited longer than in the partition
  Seconds most = 0;         // by how much at most
  std::vector<Late> late;   // as Study::jobs
};

struct Results {
  std::array<WayResult, kWays.size()> ways;
  Promise promise;
};

// The same for any number of threads. `progress` is told how many jobs of all ways have ended.
[[nodiscard]] Results run_all(const Study& study, unsigned threads,
                              const std::function<void(std::size_t)>& progress = {});

}  // namespace berth::sim::philly
