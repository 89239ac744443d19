// The study with departures: pods come, wait until they fit, run for as long as they ran in the trace, and go. Measured
// are the time that pods with GPUs wait and what stays free meanwhile.
//
//   replay  pods come when they came in the trace. All of them never asked for more than 65 GPUs at one time, so the
//           cluster is cut down: nodes are drawn until they have `percent` of the GPUs asked for at the busiest time
//   load    pods are drawn from the list and come at random times, so that on average `percent` of the GPUs are asked
//           for, on a twentieth of the GPUs; runs longer than a day are cut to a day, so that loads settle within the
//           run
//
// Who waits keeps its place by age; whoever fits passes. Pods that no node of the cut cluster could ever hold are left
// out, for all policies alike. The cluster, the arrivals and the run times depend on the seed, not on the policy.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sim/openb/study.h"

namespace berth::sim::openb {

struct DepartureOptions {
  enum class Kind : std::uint8_t { kReplay, kLoad };
  Kind kind = Kind::kReplay;
  std::int64_t percent = 0;  // whoever asks says how many
};

struct DepartureRun {
  std::string workload;
  Policy policy = Policy::kRandom;
  std::uint64_t seed = 0;
  std::int64_t nodes = 0;  // of the cut cluster
  std::int64_t gpus = 0;
  std::int64_t pods = 0;      // with GPUs, that came in the measured time
  std::int64_t waited = 0;    // of these, did not start at once
  std::int64_t left_out = 0;  // of the list: without times, or fit on no node of the cut cluster
  double mean_wait = 0;       // seconds, over `pods`; who still waits at the end counts until then
  double late_wait = 0;       // seconds that 99 % of them wait at most
  // Means over the measured time, in percent of the cut cluster's GPUs.
  double allocated = 0;
  double fragmented = 0;
  // Means over the measured time in which some pod with GPUs waited; 0 if none did.
  double free_while_waiting = 0;
  double waiting_time = 0;  // percent of the measured time

  auto operator<=>(const DepartureRun&) const = default;
};

// One run; single-threaded and deterministic. Errors: kInvalid for a cluster without GPUs, and for a list without
// times of creation and deletion.
Result<DepartureRun> run_with_departures(const Cluster& cluster, const Workload& workload, Policy policy,
                                         std::uint64_t seed, Ties ties, const DepartureOptions& options);

// All runs of the study, as run_all().
Result<std::vector<DepartureRun>> run_all_with_departures(const Study& study, const DepartureOptions& options,
                                                          unsigned threads,
                                                          const std::function<void(std::size_t)>& progress);

}  // namespace berth::sim::openb
