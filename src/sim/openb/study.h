// The FGD study: pods of a workload arrive one by one on the openb cluster until 130 % of its GPUs are asked for;
// nothing ever leaves; what does not fit is dropped. Measured after each pod, by percent of GPUs arrived: GPUs
// allocated and fragmented.
//
// Runs on the engine itself: the policies are its PlacementPolicy objects, the cards its cards.
// tests/reference/openb_study is the slow twin. Source: Weng et al., USENIX ATC 2023, and the published results of its
// artifact.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/input.h"
#include "sim/openb/trace.h"

namespace berth::sim::openb {

enum class Policy : std::uint8_t {
  kRandom,
  kDotProduct,
  kClustering,
  kPacking,
  kBestFit,
  kFragmentationGradient,
  kCardPacking,   // the plugin of that name
  kBerth,         // expects the workload's own shapes, as FGD does
  kBerthLearned,  // expects what has arrived so far
  kDefault,       // Berth's default profile, all of it
};
inline constexpr std::array kPublishedPolicies = {Policy::kRandom,     Policy::kDotProduct,
                                                  Policy::kClustering, Policy::kPacking,
                                                  Policy::kBestFit,    Policy::kFragmentationGradient};
inline constexpr std::array kPolicies = {Policy::kRandom,      Policy::kDotProduct, Policy::kClustering,
                                         Policy::kPacking,     Policy::kBestFit,    Policy::kFragmentationGradient,
                                         Policy::kCardPacking, Policy::kBerth,      Policy::kBerthLearned,
                                         Policy::kDefault};

// random dotprod clustering packing bestfit fgd cardpacking berth berth-learned default
[[nodiscard]] std::string_view name_of(Policy policy);
[[nodiscard]] std::optional<Policy> policy_named(std::string_view name);

// Equal scores: by one order of the nodes drawn from the seed, or drawn anew for each pod.
enum class Ties : std::uint8_t { kFixed, kRandom };

struct Cluster {
  std::string name;
  std::vector<TraceNode> nodes;
};
struct Workload {
  std::string name;  // "default" for openb_pod_list_default.csv
  std::vector<TracePod> pods;
  std::optional<double> upper_bound;  // percent at 100 % arrived (upper_bound.h), where somebody computed it
};
[[nodiscard]] std::string workload_name(std::string_view path);

inline constexpr int kArrivedPercent = 130;

struct Run {
  std::string workload;
  Policy policy = Policy::kRandom;
  std::uint64_t seed = 0;
  // By percent arrived, 0..130, in percent of the cluster's GPUs: the mean over the pods at which `arrived` rounds to
  // it. None where no pod does (a cluster so small that one pod passes a whole percent).
  std::array<std::optional<double>, kArrivedPercent + 1> allocated;
  std::array<std::optional<double>, kArrivedPercent + 1> fragmented;
  std::array<std::int64_t, engine::kPodKindCount> failed{};  // pods that did not fit, by kind
  std::int64_t pods = 0;
  std::uint64_t placements_hash = 0;  // of all placements in order, cards included: equal runs have equal hashes
};

// One run; single-threaded and deterministic. Errors: kInvalid for a cluster without GPUs.
Result<Run> run(const Cluster& cluster, const Workload& workload, Policy policy, std::uint64_t seed, Ties ties);

struct Study {
  Cluster cluster;
  std::vector<Workload> workloads;
  std::vector<Policy> policies;
  std::vector<std::uint64_t> seeds;
  Ties ties = Ties::kFixed;
};

// All runs (workload, then policy, then seed) on `threads` threads; the result does not depend on their number.
// `progress` is called with the number of runs done, from one thread at a time; it may be empty.
Result<std::vector<Run>> run_all(const Study& study, unsigned threads,
                                 const std::function<void(std::size_t)>& progress);

}  // namespace berth::sim::openb
