#include "sim/openb/upper_bound.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "sim/openb/column_program.h"
#include "sim/openb/node_packing.h"
#include "sim/openb/workload.h"

namespace berth::sim::openb {
namespace {

// Prices and values are milli-GPU in millionths, so that packings are compared exactly.
constexpr double kPriceUnit = 1e6;

struct Shapes {
  std::vector<PackedPod> pods;
  std::vector<std::vector<std::string>> models;
  std::vector<double> demand;  // pods
};

struct NodeKind {
  std::int64_t cpu_milli = 0;
  std::int32_t cards = 0;
  std::string model;
  double count = 0;
};

Shapes shapes_of(const Workload& workload, std::int64_t capacity) {
  std::map<std::tuple<std::int64_t, std::int32_t, std::int32_t, std::vector<std::string>>, std::int64_t> counts;
  std::int64_t asked = 0;
  for (const TracePod& pod : workload.pods) {
    if (pod.gpus == 0) continue;
    ++counts[{pod.cpu_milli, pod.gpus, pod.gpu_milli, pod.models}];
    asked += pod.total_milli();
  }
  Shapes shapes;
  for (const auto& [key, count] : counts) {
    shapes.pods.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key)});
    shapes.models.push_back(std::get<3>(key));
    shapes.demand.push_back(static_cast<double>(count) * static_cast<double>(capacity) / static_cast<double>(asked));
  }
  return shapes;
}

std::vector<NodeKind> kinds_of(const Cluster& cluster) {
  std::map<std::tuple<std::int64_t, std::int32_t, std::string>, double> counts;
  for (const TraceNode& node : cluster.nodes) {
    if (node.gpus > 0) ++counts[{node.cpu_milli, node.gpus, node.model}];
  }
  std::vector<NodeKind> kinds;
  for (const auto& [key, count] : counts) {
    kinds.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
  }
  return kinds;
}

Packing packing_for(const NodeKind& kind, const Shapes& shapes, std::span<const std::int64_t> prices) {
  std::vector<std::int64_t> values(shapes.pods.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::vector<std::string>& models = shapes.models[i];
    if (!models.empty() && !std::ranges::binary_search(models, kind.model)) continue;
    const auto milli = static_cast<double>(shapes.pods[i].cards) * shapes.pods[i].milli;
    values[i] = static_cast<std::int64_t>(milli * kPriceUnit) - prices[i];
  }
  return best_packing(kind.cpu_milli, kind.cards, shapes.pods, values);
}

ColumnProgram::Column column_for(std::size_t row, const Packing& packing, const Shapes& shapes) {
  ColumnProgram::Column column{0, {{row, 1}}};
  for (std::size_t i = 0; i < packing.counts.size(); ++i) {
    if (packing.counts[i] == 0) continue;
    column.value += static_cast<double>(packing.counts[i]) * shapes.pods[i].cards * shapes.pods[i].milli;
    column.entries.push_back({i, static_cast<double>(packing.counts[i])});
  }
  return column;
}

}  // namespace

Result<double> upper_bound_at_100(const Cluster& cluster, const Workload& workload) {
  constexpr std::int64_t kMostCpuMilli = 2'048'000;
  for (const TraceNode& node : cluster.nodes) {
    if (node.gpus == 0 || node.cpu_milli <= kMostCpuMilli) continue;
    return fail(ErrorCode::kInvalid,
                "The node \"" + node.name +
                    "\" has more than 2,048 cores, which is too many to compute the bound for; leave out --bound, or "
                    "correct its cpu_milli.",
                Place{.file = cluster.name});
  }
  const std::int64_t capacity = capacity_milli(cluster.nodes);
  const Shapes shapes = shapes_of(workload, capacity);
  if (capacity == 0 || shapes.pods.empty()) return 0.0;
  const std::vector<NodeKind> kinds = kinds_of(cluster);
  std::vector<double> limits = shapes.demand;
  for (const NodeKind& kind : kinds) limits.push_back(kind.count);
  ColumnProgram program(std::move(limits));

  constexpr int kMostRounds = 1000;
  constexpr double kClose = 1e-5;  // of the capacity
  double bound = static_cast<double>(capacity);
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<std::int64_t> prices(shapes.pods.size());
    double lagrangian = 0;
    for (std::size_t i = 0; i < prices.size(); ++i) {
      prices[i] = std::llround(std::max(0.0, program.prices()[i]) * kPriceUnit);
      lagrangian += static_cast<double>(prices[i]) / kPriceUnit * shapes.demand[i];
    }
    std::vector<ColumnProgram::Column> found;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      const Packing packing = packing_for(kinds[kind], shapes, prices);
      lagrangian += static_cast<double>(packing.value) / kPriceUnit * kinds[kind].count;
      found.push_back(column_for(shapes.pods.size() + kind, packing, shapes));
    }
    bound = std::min(bound, lagrangian);
    if (bound - program.objective() < kClose * static_cast<double>(capacity)) break;
    for (ColumnProgram::Column& column : found) program.add(std::move(column));
    program.solve();
  }
  return 100.0 * bound / static_cast<double>(capacity);
}

}  // namespace berth::sim::openb
