#include "sim/plan/inventory.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "dialects/kubernetes/cards.h"
#include "engine/world/world.h"
#include "sim/plan/device_inventory.h"
#include "sim/plan/explainer.h"

namespace berth::sim {
namespace {

using engine::Amount;
using engine::NodeCause;

Amount free_cards(const engine::CardGroup& group) {
  Amount free = 0;
  for (const std::int32_t milli : group.free) free += std::max(milli, 0);
  return free;
}

Amount total_cards(const engine::CardGroup& group) {
  return static_cast<Amount>(group.free.size()) * engine::kMilliPerCard;
}

const engine::CardRequest* request_for(const engine::ShapeInput& shape, engine::ResourceId resource) {
  const auto found = std::ranges::find(shape.cards, resource, &engine::CardRequest::resource);
  return found == shape.cards.end() ? nullptr : &*found;
}

// One pod per shape that asks for counted GPUs, smallest ask first; of pods that an explainer takes for alike the
// first.
std::vector<engine::PodId> distinct_asks(const engine::World& world, const engine::Names& names,
                                         std::span<const engine::PodId> pending, const Explainer& explainer) {
  std::map<engine::ShapeId, std::pair<Amount, engine::PodId>> by_shape;
  for (const engine::PodId pod : pending) {
    for (const engine::CardRequest& request : world.shape_of(pod).input.cards)
      if (counts_gpus(names.resources.text(request.resource)))
        by_shape.try_emplace(world.pod(pod).shape, request.total(), pod);
  }
  std::vector<std::pair<Amount, engine::PodId>> order;
  for (const auto& [shape, ask] : by_shape) order.push_back(ask);
  std::ranges::sort(order);
  std::set<Explainer::Key> seen;
  std::vector<engine::PodId> out;
  for (const auto& [ask, pod] : order)
    if (seen.insert(explainer.key_of(pod)).second) out.push_back(pod);
  return out;
}

// One pod per distinct ask for published devices.
std::vector<engine::PodId> distinct_claims(const engine::World& world, std::span<const engine::PodId> pending,
                                           const Explainer& explainer) {
  std::map<engine::ShapeId, engine::PodId> by_shape;
  for (const engine::PodId pod : pending)
    if (!world.shape_of(pod).input.claims.empty()) by_shape.try_emplace(world.pod(pod).shape, pod);
  std::set<Explainer::Key> seen;
  std::vector<engine::PodId> out;
  for (const auto& [shape, pod] : by_shape)
    if (seen.insert(explainer.key_of(pod)).second) out.push_back(pod);
  return out;
}

StrandedCause cause_of(NodeCause cause, bool cards_suffice) {
  switch (cause) {
    case NodeCause::kFits:
      return StrandedCause::kHeldBack;
    case NodeCause::kTooLarge:
    case NodeCause::kInsufficient:
      return cards_suffice ? StrandedCause::kOtherResources : StrandedCause::kTooFewTogether;
    case NodeCause::kCardFragmented:
    case NodeCause::kDeviceBusy:
    case NodeCause::kDeviceSearch:
      return StrandedCause::kTooFewTogether;
    case NodeCause::kTooManyPods:
      return StrandedCause::kOtherResources;
    case NodeCause::kNotReady:
      return StrandedCause::kNodeNotReady;
    case NodeCause::kUnschedulable:
      return StrandedCause::kCordoned;
    case NodeCause::kTaint:
      return StrandedCause::kTainted;
    case NodeCause::kNodeName:
    case NodeCause::kNodeAffinity:
    case NodeCause::kCardProduct:
    case NodeCause::kVolumeBinding:
    case NodeCause::kFeature:
    case NodeCause::kClaimElsewhere:
    case NodeCause::kNoDevice:
    case NodeCause::kDeviceSelector:
    case NodeCause::kDevicePool:
    case NodeCause::kInvalidClaim:
      return StrandedCause::kNotSelected;
    case NodeCause::kHostPort:
    case NodeCause::kVolumeRestriction:
    case NodeCause::kTopologySpread:
    case NodeCause::kPodAffinity:
    case NodeCause::kPodAntiAffinity:
    case NodeCause::kExistingAntiAffinity:
    case NodeCause::kReserved:
      return StrandedCause::kRule;
  }
  return StrandedCause::kRule;
}

// How near a pending pod came to using the node: a smaller number is nearer, and the nearest cause is told.
int distance(StrandedCause cause) {
  switch (cause) {
    case StrandedCause::kHeldBack:
      return 0;
    case StrandedCause::kOtherResources:
      return 0;
    case StrandedCause::kTooFewTogether:
      return 1;
    case StrandedCause::kRule:
      return 2;
    case StrandedCause::kTainted:
      return 3;
    case StrandedCause::kNotSelected:
      return 4;
    case StrandedCause::kCordoned:
    case StrandedCause::kNodeNotReady:
      return 5;
    case StrandedCause::kNobodyAsks:
      return 6;
  }
  return 6;
}

// Asks the engine about pods that want such cards, until nothing nearer can come. `suffices`: the node has free cards
// enough for the pod.
template <class Suffices>
StrandedCause nearest_cause(engine::Engine& engine, engine::NodeId id, std::span<const engine::PodId> asks,
                            const Suffices& suffices) {
  const engine::Node& node = engine.world().node(id);
  if (node.input.takes_nobody()) return node.input.not_ready ? StrandedCause::kNodeNotReady : StrandedCause::kCordoned;
  StrandedCause cause = StrandedCause::kNobodyAsks;
  for (const engine::PodId pod : asks) {
    if (distance(cause) == 0) break;
    const std::optional<bool> enough = suffices(pod);
    if (!enough) continue;
    const StrandedCause here = cause_of(engine.check(pod, id), *enough);
    if (distance(here) < distance(cause)) cause = here;
  }
  return cause;
}

}  // namespace

bool counts_gpus(std::string_view resource) {
  return dialects::kubernetes::is_card_resource(resource) &&
         (resource.ends_with("/gpu") || resource == dialects::kubernetes::kStudyCardResource);
}

std::vector<CardRow> inventory(const Cluster& cluster) {
  const engine::World& world = cluster.engine().world();
  const engine::Names& names = cluster.names();
  std::map<std::pair<std::string, std::string>, CardRow> rows;
  for (std::size_t i = 0; i < world.node_slots(); ++i) {
    const engine::Node& node = world.node(engine::NodeId{i});
    if (!node.alive) continue;
    for (const engine::CardGroup& group : node.cards) {
      if (group.free.empty() || !group.packed) continue;
      const std::string resource(names.resources.text(group.resource));
      const std::string product(group.product.is_none() ? std::string_view() : names.products.text(group.product));
      CardRow& row = rows[{resource, product}];
      row.resource = resource;
      row.product = product;
      row.whole_gpus = counts_gpus(resource);
      const Amount free = free_cards(group);
      ++row.nodes;
      row.total += total_cards(group);
      row.free += free;
      row.allocated += total_cards(group) - free;
      if (node.input.takes_nobody()) row.closed += free;
    }
  }
  std::map<CardRow*, engine::NodeId> last;
  for (const PublishedCard& card : published_cards(cluster)) {
    CardRow& row = rows[{std::string(card.driver), std::string(card.product)}];
    row.resource = card.driver;
    row.product = card.product;
    row.whole_gpus = true;
    if (const auto [seen, fresh] = last.try_emplace(&row, card.node); fresh || seen->second != card.node) ++row.nodes;
    last[&row] = card.node;
    const Amount free = engine::kMilliPerCard - card.allocated;
    row.total += engine::kMilliPerCard;
    row.free += free;
    row.allocated += card.allocated;
    if (world.node(card.node).input.takes_nobody()) row.closed += free;
  }
  std::vector<CardRow> out;
  for (auto& [key, row] : rows) out.push_back(std::move(row));
  std::ranges::stable_sort(out, [](const CardRow& a, const CardRow& b) {
    return std::pair(b.whole_gpus, b.total) < std::pair(a.whole_gpus, a.total);
  });
  return out;
}

Stranded stranded(Cluster& cluster, std::span<const engine::PodId> pending) {
  engine::Engine& engine = cluster.engine();
  const engine::World& world = engine.world();
  const Explainer explainer(cluster);
  const std::vector<engine::PodId> asks = distinct_asks(world, cluster.names(), pending, explainer);
  Stranded out;
  for (std::size_t i = 0; i < world.node_slots(); ++i) {
    const engine::NodeId id{i};
    const engine::Node& node = world.node(id);
    if (!node.alive) continue;
    for (const engine::CardGroup& group : node.cards) {
      const Amount free = free_cards(group);
      if (free == 0 || !counts_gpus(cluster.names().resources.text(group.resource))) continue;
      const StrandedCause cause = nearest_cause(engine, id, asks, [&](engine::PodId pod) -> std::optional<bool> {
        const engine::CardRequest* request = request_for(world.shape_of(pod).input, group.resource);
        if (request == nullptr) return std::nullopt;
        return group.has_room(*request);
      });
      out.total += free;
      out.by_cause[static_cast<std::size_t>(cause)] += free;
    }
  }
  // Whether devices suffice is among what the engine checks, and it checks it last.
  const std::vector<engine::PodId> claims = distinct_claims(world, pending, explainer);
  std::map<engine::NodeId, StrandedCause> causes;
  for (const PublishedCard& card : published_cards(cluster)) {
    const Amount free = engine::kMilliPerCard - card.allocated;
    if (free == 0) continue;
    const auto [entry, fresh] = causes.try_emplace(card.node);
    if (fresh)
      entry->second = nearest_cause(engine, card.node, claims, [](engine::PodId) { return std::optional(true); });
    out.total += free;
    out.by_cause[static_cast<std::size_t>(entry->second)] += free;
  }
  return out;
}

std::string_view name_of(StrandedCause cause) {
  switch (cause) {
    case StrandedCause::kTooFewTogether:
      return "TooFewTogether";
    case StrandedCause::kOtherResources:
      return "OtherResources";
    case StrandedCause::kHeldBack:
      return "HeldBack";
    case StrandedCause::kCordoned:
      return "Cordoned";
    case StrandedCause::kNodeNotReady:
      return "NodeNotReady";
    case StrandedCause::kTainted:
      return "Tainted";
    case StrandedCause::kNotSelected:
      return "NotSelected";
    case StrandedCause::kRule:
      return "Rule";
    case StrandedCause::kNobodyAsks:
      return "NobodyAsks";
  }
  return "";
}

std::string_view phrase_of(StrandedCause cause) {
  switch (cause) {
    case StrandedCause::kTooFewTogether:
      return "too few on one node";
    case StrandedCause::kOtherResources:
      return "short of CPU or memory";
    case StrandedCause::kHeldBack:
      return "kept back by a gang, queue or reservation";
    case StrandedCause::kCordoned:
      return "cordoned";
    case StrandedCause::kNodeNotReady:
      return "node not Ready";
    case StrandedCause::kTainted:
      return "tainted";
    case StrandedCause::kNotSelected:
      return "not selected by anyone";
    case StrandedCause::kRule:
      return "kept out by spread or affinity rules";
    case StrandedCause::kNobodyAsks:
      return "nobody asks";
  }
  return "";
}

}  // namespace berth::sim
