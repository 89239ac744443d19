#include "sim/openb/study.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/tie_order.h"
#include "engine/score/placement_policy.h"
#include "sim/openb/cell.h"
#include "sim/openb/run_each.h"
#include "sim/openb/workload.h"

namespace berth::sim::openb {
namespace {

// Places the pods one by one; what does not fit is dropped before the next comes.
Run measure(const Cluster& cluster, const Workload& workload, Policy policy, std::uint64_t seed, Ties ties) {
  Run run{.workload = workload.name, .policy = policy, .seed = seed, .allocated = {}, .fragmented = {}};
  Cell cell(cluster, workload, policy, seed, ties);
  Random random(seed);
  const std::vector<std::uint32_t> order = inflate(workload.pods, cell.capacity() * kArrivedPercent / 100, random);
  std::array<double, kArrivedPercent + 1> allocated{};
  std::array<double, kArrivedPercent + 1> fragmented{};
  std::array<std::int64_t, kArrivedPercent + 1> pods{};
  std::int64_t arrived = 0;
  std::vector<std::size_t> dropped;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const TracePod& pod = workload.pods[order[i]];
    arrived += pod.total_milli();
    const auto placed = cell.step(dropped, std::span(order).subspan(i, 1), static_cast<engine::Time>(i) + 1);
    dropped.clear();
    if (placed.empty()) {
      dropped.push_back(i);
      ++run.failed[engine::pod_kind(pod.gpus, pod.gpu_milli)];
      run.placements_hash = split_mix(run.placements_hash);
    } else {
      run.placements_hash = split_mix(run.placements_hash ^ stable_hash(cluster.nodes[placed.front().node].name));
      for (const std::uint16_t card : placed.front().cards) {
        run.placements_hash = split_mix(run.placements_hash ^ card);
      }
    }
    const auto at = static_cast<std::size_t>(
        std::lround(static_cast<double>(arrived) * (100.0 / static_cast<double>(cell.capacity()))));
    if (at > kArrivedPercent) continue;
    allocated[at] += cell.allocated_percent();
    fragmented[at] += cell.fragmented_percent();
    ++pods[at];
  }
  for (std::size_t at = 0; at <= kArrivedPercent; ++at) {
    if (pods[at] == 0) continue;
    run.allocated[at] = allocated[at] / static_cast<double>(pods[at]);
    run.fragmented[at] = fragmented[at] / static_cast<double>(pods[at]);
  }
  run.pods = static_cast<std::int64_t>(order.size());
  return run;
}

}  // namespace

std::string_view name_of(Policy policy) {
  switch (policy) {
    case Policy::kRandom:
      return "random";
    case Policy::kDotProduct:
      return "dotprod";
    case Policy::kClustering:
      return "clustering";
    case Policy::kPacking:
      return "packing";
    case Policy::kBestFit:
      return "bestfit";
    case Policy::kFragmentationGradient:
      return "fgd";
    case Policy::kCardPacking:
      return "cardpacking";
    case Policy::kBerth:
      return "berth";
    case Policy::kBerthLearned:
      return "berth-learned";
    case Policy::kDefault:
      return "default";
  }
  return "";
}

std::optional<Policy> policy_named(std::string_view name) {
  for (const Policy policy : kPolicies) {
    if (name_of(policy) == name) return policy;
  }
  return std::nullopt;
}

std::string workload_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  constexpr std::string_view kPrefix = "openb_pod_list_";
  if (path.starts_with(kPrefix)) path.remove_prefix(kPrefix.size());
  if (path.ends_with(".csv")) path.remove_suffix(4);
  return std::string(path);
}

Result<Run> run(const Cluster& cluster, const Workload& workload, Policy policy, std::uint64_t seed, Ties ties) {
  if (capacity_milli(cluster.nodes) == 0) {
    return fail(ErrorCode::kInvalid, "The list of nodes has no GPU; the study needs at least one.",
                Place{.file = cluster.name});
  }
  return measure(cluster, workload, policy, seed, ties);
}

Result<std::vector<Run>> run_all(const Study& study, unsigned threads,
                                 const std::function<void(std::size_t)>& progress) {
  return run_each<Run>(study, threads, progress, [&](const Workload& workload, Policy policy, std::uint64_t seed) {
    return run(study.cluster, workload, policy, seed, study.ties);
  });
}

}  // namespace berth::sim::openb
