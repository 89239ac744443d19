#include "sim/openb/workload.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "engine/input.h"

namespace berth::sim::openb {

std::int64_t capacity_milli(const std::vector<TraceNode>& nodes) {
  std::int64_t sum = 0;
  for (const TraceNode& node : nodes) sum += static_cast<std::int64_t>(node.gpus) * engine::kMilliPerCard;
  return sum;
}

std::vector<std::uint32_t> inflate(const std::vector<TracePod>& pods, std::int64_t limit_milli, Random& random) {
  std::vector<std::uint32_t> order(pods.size());
  std::iota(order.begin(), order.end(), 0U);
  random.shuffle(order);
  std::int64_t sum = 0;
  for (const TracePod& pod : pods) sum += pod.total_milli();
  while (sum > limit_milli) {
    const auto at = static_cast<std::size_t>(random.below(order.size()));
    sum -= pods[order[at]].total_milli();
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(at));
  }
  if (sum == 0) return order;
  while (true) {
    const auto drawn = static_cast<std::uint32_t>(random.below(pods.size()));
    if (sum + pods[drawn].total_milli() > limit_milli) return order;
    sum += pods[drawn].total_milli();
    order.push_back(drawn);
  }
}

engine::TargetWorkload target_workload(const std::vector<TracePod>& pods, std::int64_t coverage, engine::Names& names) {
  std::vector<std::uint32_t> all(pods.size());
  std::iota(all.begin(), all.end(), 0U);
  return target_workload(pods, all, coverage, names);
}

engine::TargetWorkload target_workload(const std::vector<TracePod>& pods, std::span<const std::uint32_t> positions,
                                       std::int64_t coverage, engine::Names& names) {
  constexpr std::int64_t kDefaultCpuMilli = 100;
  using Key = std::tuple<std::int64_t, std::int32_t, std::int32_t, std::vector<std::string>>;
  struct Seen {
    std::int64_t count = 0;
    std::size_t first = 0;
  };
  std::map<Key, Seen> seen;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const TracePod& pod = pods[positions[i]];
    ++seen.try_emplace({pod.cpu_milli == 0 ? kDefaultCpuMilli : pod.cpu_milli, pod.gpus, pod.gpu_milli, pod.models},
                       Seen{0, i})
          .first->second.count;
  }
  // Of shapes that differ in their models alone the one that came first: names of models decide nothing.
  std::vector<std::pair<Key, Seen>> sorted(seen.begin(), seen.end());
  std::ranges::sort(sorted, {}, [](const auto& shape) {
    const auto& [cpu, gpus, milli, models] = shape.first;
    return std::tuple(-shape.second.count, cpu, gpus, milli, shape.second.first);
  });

  std::vector<engine::TargetShape> shapes;
  std::int64_t covered = 0;
  for (const auto& [key, which] : sorted) {
    if (covered * 100 >= static_cast<std::int64_t>(positions.size()) * coverage) break;
    covered += which.count;
    engine::TargetShape shape{.cpu = std::get<0>(key),
                              .card_count = std::get<1>(key),
                              .card_milli = std::get<2>(key),
                              .products = {},
                              .count = which.count};
    for (const std::string& model : std::get<3>(key)) shape.products.push_back(names.products.intern(model));
    std::ranges::sort(shape.products);
    shapes.push_back(std::move(shape));
  }
  return engine::TargetWorkload(std::move(shapes));
}

}  // namespace berth::sim::openb
