// NodeResourcesFit and NodeResourcesBalancedAllocation, the scores: how full a node would be, and how evenly.
#include <algorithm>
#include <cmath>

#include "reference/requests.h"
#include "reference/scores.h"

namespace berth::reference {
namespace {

struct Share {
  std::int64_t weight = 0;
  std::int64_t allocatable = 0;  // 0: the resource is left out
  std::int64_t allocated = 0;    // by the pods already there
  std::int64_t requested = 0;    // with this pod
};

std::int64_t asked(const api::Pod& pod, const std::string& resource, const RequestRules& rules) {
  if (const std::int64_t share = card_share(pod); resource == kCardResource && share > 0) return share;
  const Amounts amounts = pod_requests(pod, rules);
  const auto found = amounts.find(resource);
  return found == amounts.end() ? 0 : scheduler_units(resource, found->second);
}

std::int64_t allocated_on(const NodeState& state, const std::string& resource, bool assume) {
  if (!assume || (resource != "cpu" && resource != "memory")) return state.used(resource);
  std::int64_t sum = 0;
  for (const PlacedPod& placed : state.pods) sum += resource == "cpu" ? placed.nonzero_cpu : placed.nonzero_memory;
  return sum;
}

std::vector<Share> shares(const NodeState& state, const api::Pod& pod,
                          const std::vector<api::ResourceWeight>& resources, const RequestRules& rules) {
  const bool assume = rules.assume_cpu;
  std::vector<Share> result;
  for (const auto& [name, weight] : resources) {
    Share share;
    share.weight = weight;
    const std::int64_t request = asked(pod, name, rules);
    if (is_counted(name) && !(is_scalar(name) && request == 0)) share.allocatable = allocatable(*state.node, name);
    if (share.allocatable != 0) {
      share.allocated = allocated_on(state, name, assume);
      share.requested = share.allocated + request;
    }
    result.push_back(share);
  }
  return result;
}

std::int64_t least_allocated(const std::vector<Share>& resources) {
  std::int64_t sum = 0;
  std::int64_t weights = 0;
  for (const Share& share : resources) {
    if (share.allocatable == 0) continue;
    weights += share.weight;
    if (share.requested > share.allocatable) continue;
    sum += share.weight * ((share.allocatable - share.requested) * 100 / share.allocatable);
  }
  return weights == 0 ? 0 : sum / weights;
}

std::int64_t most_allocated(const std::vector<Share>& resources) {
  std::int64_t sum = 0;
  std::int64_t weights = 0;
  for (const Share& share : resources) {
    if (share.allocatable == 0) continue;
    weights += share.weight;
    sum += share.weight * (std::min(share.requested, share.allocatable) * 100 / share.allocatable);
  }
  return weights == 0 ? 0 : sum / weights;
}

std::int64_t by_ratio(const std::vector<Share>& resources, const std::vector<api::UtilizationShapePoint>& shape) {
  std::int64_t sum = 0;
  std::int64_t weights = 0;
  for (const Share& share : resources) {
    if (share.allocatable == 0) continue;
    const bool full = share.requested > share.allocatable;
    const std::int64_t points = along_shape(shape, full ? 100 : share.requested * 100 / share.allocatable);
    if (points <= 0) continue;
    sum += share.weight * points;
    weights += share.weight;
  }
  if (weights == 0) return 0;
  return static_cast<std::int64_t>(std::round(static_cast<double>(sum) / static_cast<double>(weights)));
}

double deviation(const std::vector<double>& fractions) {
  if (fractions.size() == 2) return std::abs((fractions[0] - fractions[1]) / 2);
  if (fractions.size() < 2) return 0;
  double sum = 0;
  for (const double fraction : fractions) sum += fraction;
  const double mean = sum / static_cast<double>(fractions.size());
  double squares = 0;
  for (const double fraction : fractions) squares = squares + (fraction - mean) * (fraction - mean);
  return std::sqrt(squares / static_cast<double>(fractions.size()));
}

std::int64_t balance(const std::vector<Share>& resources, bool with_pod) {
  std::vector<double> fractions;
  for (const Share& share : resources) {
    if (share.allocatable == 0) continue;
    const double used = static_cast<double>(with_pod ? share.requested : share.allocated);
    fractions.push_back(std::min(used / static_cast<double>(share.allocatable), 1.0));
  }
  return static_cast<std::int64_t>((1 - deviation(fractions)) * 100.0);
}

}  // namespace

std::int64_t along_shape(const std::vector<api::UtilizationShapePoint>& shape, std::int64_t utilization) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (utilization > shape[i].utilization) continue;
    const std::int64_t score = shape[i].score * 10;
    if (i == 0) return score;
    const std::int64_t before = shape[i - 1].score * 10;
    return before + (score - before) * (utilization - shape[i - 1].utilization) /
                        (shape[i].utilization - shape[i - 1].utilization);
  }
  return shape.back().score * 10;
}

ScoreColumn score_node_resources_fit(const Question& question, const std::vector<std::size_t>& feasible) {
  const auto& args = question.profile.node_resources_fit;
  // This score alone does not look at the pending pod's pod-level resources: upstream's own omission.
  const RequestRules rules{.assume_cpu = true, .assume_memory = true, .ignore_pod_level = true};
  ScoreColumn column;
  for (const std::size_t node : feasible) {
    const auto resources = shares(question.snapshot.nodes[node], question.pod, args.resources, rules);
    switch (args.strategy) {
      case api::ScoringStrategy::kLeastAllocated:
        column.raw.push_back(least_allocated(resources));
        break;
      case api::ScoringStrategy::kMostAllocated:
        column.raw.push_back(most_allocated(resources));
        break;
      case api::ScoringStrategy::kRequestedToCapacityRatio:
        column.raw.push_back(by_ratio(resources, args.shape));
        break;
    }
  }
  column.normalized = column.raw;
  return column;
}

ScoreColumn score_balanced_allocation(const Question& question, const std::vector<std::size_t>& feasible) {
  const auto& configured = question.profile.balanced_resources;
  ScoreColumn column;
  column.skipped = std::ranges::all_of(
      configured, [&](const auto& resource) { return asked(question.pod, resource.name, {}) == 0; });
  for (const std::size_t node : feasible) {
    const auto resources = shares(question.snapshot.nodes[node], question.pod, configured, {});
    column.raw.push_back(50 + (50 + balance(resources, true) - balance(resources, false)) / 2);
  }
  column.normalized = column.raw;
  return column;
}

}  // namespace berth::reference
