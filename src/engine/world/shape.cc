#include "engine/world/shape.h"

#include <algorithm>

#include "base/sort_unique.h"
#include "engine/names.h"

namespace berth::engine {
namespace {

// The names of a term that says `metadata.name In ...`, or nothing if it does not. Several such requirements intersect.
std::optional<std::vector<NameId>> names_of(const NodeTerm& term) {
  std::optional<std::vector<NameId>> result;
  for (const NameRequirement& requirement : term.names) {
    if (!requirement.in) continue;
    if (!result) {
      result = requirement.names;
    } else {
      std::erase_if(*result, [&](NameId name) { return !std::ranges::binary_search(requirement.names, name); });
    }
  }
  return result;
}

std::optional<std::vector<NameId>> names_of(const NodeSelector& selector) {
  std::vector<NameId> all;
  for (const NodeTerm& term : selector.terms) {
    auto names = names_of(term);
    if (!names) return std::nullopt;
    all.insert(all.end(), names->begin(), names->end());
  }
  return all;
}

}  // namespace

ShapeInput search_part(const ShapeInput& shape) {
  ShapeInput part = shape;
  part.namespace_ = NamespaceId::none();
  part.labels.clear();
  part.priority = 0;
  part.preempts = true;
  part.spread.clear();
  part.default_spread = false;
  part.required_affinity.clear();
  part.required_anti_affinity.clear();
  part.preferred_affinity.clear();
  part.exclusive_claims.clear();
  part.counted.clear();
  return part;
}

std::optional<std::vector<NameId>> narrow(const ShapeInput& shape, const Profile& profile) {
  const auto asks = [&](Filter filter) { return std::ranges::find(profile.filters, filter) != profile.filters.end(); };
  if (!shape.node_name.is_none() && asks(Filter::kNodeName)) return std::vector{shape.node_name};
  std::optional<std::vector<NameId>> fewest;
  const auto consider = [&](const NodeSelector& selector) {
    auto names = names_of(selector);
    if (names && (!fewest || names->size() < fewest->size())) fewest = std::move(names);
  };
  if (asks(Filter::kNodeAffinity)) {
    std::ranges::for_each(shape.node_selectors, consider);
    std::ranges::for_each(shape.added_node_selectors, consider);
  }
  if (asks(Filter::kVolumeBinding)) {
    for (const Shared<NodeSelector>& selector : shape.volume_selectors) consider(*selector);
  }
  if (!fewest) return std::nullopt;
  sort_unique(*fewest);
  return fewest->size() <= Shape::kMostNarrowed ? fewest : std::nullopt;
}

std::uint8_t card_kind(const ShapeInput& shape) {
  constexpr std::uint8_t kNoCard = 9;
  const CardRequest* cards = shape.packed_cards();
  if (cards == nullptr || cards->count == 0) return kNoCard;
  if (!cards->whole()) return 0;
  return static_cast<std::uint8_t>(std::min(cards->count, 8));
}

std::vector<ResourceAmount> taken_of(const ShapeInput& shape) {
  std::vector<ResourceAmount> result = shape.requests;
  for (const CardRequest& request : shape.cards) {
    if (request.total() > 0) result.push_back({request.resource, request.total()});
  }
  result.push_back({kPods, 1});
  std::ranges::sort(result);
  return result;
}

std::vector<ResourceAmount> charge_of(const ShapeInput& shape) {
  std::vector<ResourceAmount> result = taken_of(shape);
  std::erase_if(result, [&](const ResourceAmount& each) {
    return std::ranges::find(shape.counted, each.resource, &ResourceAmount::resource) != shape.counted.end();
  });
  result.insert(result.end(), shape.counted.begin(), shape.counted.end());
  std::ranges::sort(result);
  return result;
}

}  // namespace berth::engine
