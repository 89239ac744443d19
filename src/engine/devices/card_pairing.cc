#include "engine/devices/card_pairing.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/mutant.h"

namespace berth::engine::devices {
namespace {

struct Published {
  std::vector<DeviceId> devices;
  std::vector<ValueId> identities;  // of the card: UUID, PCI address
  std::optional<std::uint16_t> number;
};

// Components of one card are put together, in the place of the first.
std::vector<Published> merged(std::vector<Published> components) {
  std::vector<std::size_t> parent(components.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&parent](std::size_t at) {
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
  };
  boost::unordered_flat_map<ValueId, std::size_t> owners;
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (mutant("Device.CardIdentity")) break;
    for (const ValueId identity : components[i].identities) {
      const auto owner = owners.try_emplace(identity, i).first;
      const std::size_t its = root(owner->second);
      const std::size_t other = root(i);
      parent[std::max(its, other)] = std::min(its, other);
    }
  }
  std::vector<Published> cards;
  std::vector<std::size_t> place(components.size());
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (root(i) == i) {
      place[i] = cards.size();
      cards.push_back(std::move(components[i]));
      continue;
    }
    Published& card = cards[place[root(i)]];
    card.devices.insert(card.devices.end(), components[i].devices.begin(), components[i].devices.end());
    if (!card.number) card.number = components[i].number;
  }
  return cards;
}

std::int64_t units_of(const NodeInput& input, ResourceId resource) {
  const auto offered = std::ranges::find(input.allocatable, resource, &ResourceAmount::resource);
  return offered == input.allocatable.end() ? 0 : std::max<std::int64_t>(offered->amount / kMilliPerCard, 0);
}

std::int64_t replicas_of(const Names& names, const NodeInput& input, LabelKeyId key) {
  const auto label = std::ranges::find(input.labels, key, &Label::key);
  if (key.is_none() || label == input.labels.end()) return 1;
  return std::max<std::int64_t>(names.integer(label->value).value_or(1), 1);
}

}  // namespace

CardPairing pair_units(const Inventory& inventory, const Names& names, const NodeDevices& node, const NodeInput& input,
                       ResourceId resource) {
  const Catalogue& catalogue = names.devices();
  const Catalogue::Counting how = catalogue.counting(resource);
  const std::int64_t units = units_of(input, resource);
  if (!how.partitions) {
    const std::int64_t each = replicas_of(names, input, how.replicas);
    CardPairing result =
        pair_cards(inventory, catalogue, node, how.cards, static_cast<std::size_t>(units / each + (units % each > 0)));
    for (PairedCard& card : result.cards) {
      for (std::int64_t unit = card.number * each; unit < std::min((card.number + 1) * each, units); ++unit)
        card.units.push_back(static_cast<std::uint16_t>(unit));
    }
    return result;
  }
  std::vector<DeviceId> whole;  // of cards that are counted as such
  for (const NodeInput::CardGroup& group : input.cards) {
    const Catalogue::Counting other = catalogue.counting(group.resource);
    if (other.cards != how.cards || other.partitions) continue;
    for (const PairedCard& card : pair_units(inventory, names, node, input, group.resource).cards)
      whole.insert(whole.end(), card.devices.begin(), card.devices.end());
  }
  const std::size_t published = pair_cards(inventory, catalogue, node, how.cards, 0).published;
  CardPairing result = pair_cards(inventory, catalogue, node, how.cards, published);
  const auto is_whole = [&](const PairedCard& card) {
    return std::ranges::find(whole, card.devices.front()) != whole.end();
  };
  if (!std::ranges::all_of(result.cards, is_whole)) std::erase_if(result.cards, is_whole);
  result.partitions = true;
  result.counted = result.cards.size();
  const auto cards = std::ssize(result.cards);
  for (std::int64_t unit = 0; unit < units && cards > 0; ++unit)
    result.cards[static_cast<std::size_t>(unit * cards / units)].units.push_back(static_cast<std::uint16_t>(unit));
  return result;
}

CardPairing pair_cards(const Inventory& inventory, const Catalogue& catalogue, const NodeDevices& node,
                       ResourceId resource, std::size_t count) {
  const std::array identities = {catalogue.attributes.find("gpu.nvidia.com/uuid"),
                                 catalogue.attributes.find("resource.kubernetes.io/pciBusID")};
  const AttributeId parent = catalogue.attributes.find("gpu.nvidia.com/parentUUID");
  std::vector<Published> components;
  for (const DeviceComponent& component : node.components) {
    Published its;
    for (const std::uint32_t member : component.members) {
      const PlacedDevice& device = node.devices[member];
      const bool local = node.slices[device.slice].target.kind == NodeTarget::Kind::kNode;
      if (!local || catalogue.card_resource(device.kind) != resource) continue;
      its.devices.push_back(device.id);
      if (!its.number) its.number = catalogue.card_number(inventory.key(device.id).device);
      // A partition has a UUID of its own and shares the address with others of its card, which a plugin may count.
      if (!parent.is_none() && !catalogue.attribute(device.kind, parent).is_none()) continue;
      for (const AttributeId attribute : identities) {
        const ValueId value = attribute.is_none() ? ValueId::none() : catalogue.attribute(device.kind, attribute);
        if (!value.is_none()) its.identities.push_back(value);
      }
    }
    if (!its.devices.empty()) components.push_back(std::move(its));
  }
  std::vector<Published> cards = merged(std::move(components));

  CardPairing result;
  result.published = cards.size();
  result.counted = count;
  std::vector<bool> given(count, false);
  const auto give = [&](Published& card, std::uint16_t number) {
    given[number] = true;
    result.cards.push_back({number, {}, std::move(card.devices)});
    card.devices.clear();
  };
  if (!mutant("Device.CardNumbers")) {
    for (Published& card : cards) {
      if (card.number && *card.number < count && !given[*card.number]) give(card, *card.number);
    }
  }
  const bool by_number = !result.cards.empty();
  std::size_t next = 0;
  for (Published& card : cards) {
    if (card.devices.empty()) continue;
    while (next < count && given[next]) ++next;
    if (next == count) break;
    give(card, static_cast<std::uint16_t>(next));
    if (by_number) ++result.without_number;
  }
  std::ranges::sort(result.cards, {}, &PairedCard::number);
  return result;
}

}  // namespace berth::engine::devices
