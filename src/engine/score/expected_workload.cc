#include "engine/score/expected_workload.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/fit/filters.h"
#include "engine/score/policy_view.h"

namespace berth::engine {
namespace {

constexpr Amount kDefaultCpu = 100;     // milli, of a pod that asks for none; as the scores of kube-scheduler count it
constexpr std::int64_t kCoverage = 99;  // percent of the pods
constexpr std::size_t kMostShapes = 256;

struct Nodes {
  std::vector<NodeId> with_cards;
  std::vector<ProductId> products;  // of all their cards; ascending
};

Nodes nodes_of(const World& world) {
  Nodes result;
  for (const NodeId node : world.by_rank()) {
    if (view_of(world, node).card_free.empty()) continue;
    result.with_cards.push_back(node);
    for (const CardGroup& cards : world.node(node).cards) {
      if (cards.packed && !cards.free.empty()) result.products.push_back(cards.product);
    }
  }
  std::ranges::sort(result.products);
  const auto repeated = std::ranges::unique(result.products);
  result.products.erase(repeated.begin(), repeated.end());
  return result;
}

// Where a shape may go, and what it takes there of a card.
struct Reach {
  std::vector<ProductId> products;  // ascending; none: nowhere
  std::int32_t card_milli = 0;
};

Reach reach_of(const World& world, const Shape& shape, const Nodes& nodes) {
  const TopologyPlan no_rules;
  const Question question{.world = world, .shape = shape, .plan = no_rules, .emptied = true, .closed = {}};
  const CardRequest& asked = *shape.input.packed_cards();
  Reach reach{.products = {}, .card_milli = asked.milli};
  for (const NodeId node : nodes.with_cards) {
    const NodeView view = view_of(world, shape, node);
    const auto place = std::ranges::lower_bound(reach.products, view.product);
    const bool known = place != reach.products.end() && *place == view.product;
    if (known && view.card_milli <= reach.card_milli) continue;
    if (!check_all(question, node, false).fits()) continue;
    reach.card_milli = std::max(reach.card_milli, view.card_milli);
    if (!known) reach.products.insert(place, view.product);
    if (reach.products.size() == nodes.products.size() && asked.milli != 0) break;
  }
  return reach;
}

TargetShape target_of(const Shape& shape, const Reach& reach, const Nodes& nodes) {
  const ShapeView view = view_of(shape);
  TargetShape result{.cpu = view.cpu == 0 ? kDefaultCpu : view.cpu,
                     .card_count = view.card_count,
                     .card_milli = std::min(reach.card_milli, kMilliPerCard),
                     .products = {},
                     .count = shape.users};
  if (result.card_milli < kMilliPerCard) {
    result.cpu /= result.card_count;
    result.count *= std::exchange(result.card_count, 1);
  }
  if (reach.products.size() != nodes.products.size()) result.products = reach.products;
  return result;
}

// The order decides between shapes of equal count alone; product ids come in the order in which products were told.
auto order_of(const TargetShape& shape, const Names& names) {
  std::vector<std::string_view> products;
  for (const ProductId product : shape.products) {
    products.push_back(product.is_none() ? std::string_view() : names.products.text(product));
  }
  std::ranges::sort(products);
  return std::tuple(-shape.count, shape.cpu, shape.card_count, shape.card_milli, std::move(products));
}

// Counts pods that ask for the same as one shape.
class Tally {
 public:
  void add(const TargetShape& shape) {
    pods_ += shape.count;
    const auto [known, fresh] =
        shapes_.try_emplace({shape.cpu, shape.card_count, shape.card_milli, shape.products}, shape);
    if (!fresh) known->second.count += shape.count;
  }
  [[nodiscard]] std::int64_t pods() const { return pods_; }

  // Those that together make kCoverage of the pods.
  [[nodiscard]] std::vector<TargetShape> most_frequent(const Names& names) const {
    std::vector<TargetShape> sorted;
    sorted.reserve(shapes_.size());
    for (const auto& [key, shape] : shapes_) sorted.push_back(shape);
    std::ranges::sort(sorted, {}, [&](const TargetShape& shape) { return order_of(shape, names); });
    std::int64_t covered = 0;
    std::size_t kept = 0;
    while (kept < std::min(sorted.size(), kMostShapes) && covered * 100 < pods_ * kCoverage) {
      covered += sorted[kept++].count;
    }
    sorted.resize(kept);
    return sorted;
  }

 private:
  std::map<std::tuple<Amount, std::int32_t, std::int32_t, std::vector<ProductId>>, TargetShape> shapes_;
  std::int64_t pods_ = 0;
};

}  // namespace

ExpectedWorkload expected_workload(const World& world) {
  const Nodes nodes = nodes_of(world);
  const bool cards_everywhere = nodes.with_cards.size() == world.rank_count();
  std::map<SearchId, Reach> reaches;
  Tally with_cards;
  Tally without;
  for (std::size_t i = 0; i < world.shapes().size(); ++i) {
    const Shape& shape = world.shape(ShapeId(i));
    if (shape.users == 0 || shape.profile == nullptr) continue;
    const CardRequest* asked = shape.input.packed_cards();
    if (asked == nullptr || asked->count <= 0) {
      const Amount cpu = view_of(shape).cpu;
      if (cards_everywhere) without.add({.cpu = cpu == 0 ? kDefaultCpu : cpu, .products = {}, .count = shape.users});
      continue;
    }
    const auto [reach, added] = reaches.try_emplace(shape.search);
    if (added) reach->second = reach_of(world, shape, nodes);
    if (reach->second.products.empty() || reach->second.card_milli <= 0) continue;
    with_cards.add(target_of(shape, reach->second, nodes));
  }
  std::vector<TargetShape> shapes = with_cards.most_frequent(world.names());
  for (TargetShape& shape : without.most_frequent(world.names())) {
    if (without.pods() > with_cards.pods()) shape.count = shape.count * with_cards.pods() / without.pods();
    if (shape.count > 0) shapes.push_back(std::move(shape));
  }
  std::ranges::sort(shapes, {}, [&](const TargetShape& shape) { return order_of(shape, world.names()); });
  return {TargetWorkload(std::move(shapes)), with_cards.pods()};
}

}  // namespace berth::engine
