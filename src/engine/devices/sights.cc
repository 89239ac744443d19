#include "engine/devices/sights.h"

#include <algorithm>

#include "engine/devices/amount_words.h"
#include "engine/devices/nearness.h"

namespace berth::engine::devices {
namespace {

constexpr std::uint32_t kLists = ~std::uint32_t{0};
constexpr std::size_t kMostShortcuts = std::size_t{1} << 18U;  // they are soon there again

// Parts of a node: as a whole, what selectors read, the values of an attribute.
constexpr std::uint64_t kPlainly = 0;
constexpr std::uint64_t part_of_reads(std::uint32_t reads) { return std::uint64_t{1} << 32U | reads; }
constexpr std::uint64_t part_of(AttributeId attribute) { return std::uint64_t{2} << 32U | attribute.value(); }

}  // namespace

std::uint32_t Sights::number(Numbers& numbers, const Words& words) {
  const auto next = static_cast<std::uint32_t>(numbers.size());
  if (const auto found = numbers.find(words); found != numbers.end()) return found->second;
  return numbers.emplace(words, next).first->second;
}

// --- Parts ----------------------------------------------------------------------------------------------------------

const Sights::Words& Sights::reads(ClaimSpecId claim, const SelectorAnswers& selectors) {
  if (reads_.size() <= claim.index()) reads_.resize(claim.index() + 1);
  Words& known = reads_[claim.index()];
  if (!known.empty()) return known;
  known.push_back(1);
  for (const Request& request : catalogue_.claims.content(claim).requests) {
    for (const Alternative& alternative : request.alternatives) {
      for (const SelectorId selector : alternative.selectors) {
        const std::uint32_t reads = selectors.reads(selector);
        if (std::find(known.begin() + 1, known.end(), reads) == known.end()) known.push_back(reads);
      }
    }
  }
  return known;
}

// The number of one part of the node, which `describe` writes into part_ if nobody asked before.
template <class Describe>
std::uint32_t Sights::part(std::uint64_t which, NodeLook& look, Describe describe) {
  const auto known = std::ranges::find(look.parts, which, [](const auto& entry) { return entry.first; });
  if (known != look.parts.end()) return known->second;
  part_.assign({static_cast<std::uint32_t>(which), static_cast<std::uint32_t>(which >> 32U)});
  describe();
  return look.parts.emplace_back(which, number(parts_, part_)).second;
}

std::uint32_t Sights::plain(KindId kind) {
  if (plain_of_.size() <= kind.index()) plain_of_.resize(catalogue_.kinds.size());
  std::uint32_t& known = plain_of_[kind.index()];
  if (known != 0) return known - 1;
  const Kind& content = catalogue_.kinds.content(kind);
  kind_.assign(1, content.allow_multiple ? 1U : 0U);
  for (const Capacity& capacity : content.capacities) {
    kind_.insert(kind_.end(), {capacity.name.value(), capacity.policy.value()});
    add_amount(kind_, capacity.value);
  }
  known = number(plains_, kind_) + 1;
  return known - 1;
}

std::uint32_t Sights::plainly(std::uint32_t structure, const NodeDevices& node, NodeLook& look) {
  return part(kPlainly, look, [&] {
    part_.push_back(structure);
    for (const PlacedDevice& device : node.devices) part_.push_back(plain(device.kind));
    for (const NodePool& pool : node.pools) {
      for (const KindId kind : pool.kinds) part_.push_back(plain(kind));
    }
    for (const AttributeId attribute : nearness(catalogue_, {})) add_values(attribute, node, part_);
  });
}

// Which devices agree. Lists may overlap without being equal.
void Sights::add_values(AttributeId attribute, const NodeDevices& node, Words& words) {
  local_.clear();
  const std::size_t first = words.size();
  bool lists = false;
  ValueId last;
  std::uint32_t its = 0;
  for (const PlacedDevice& device : node.devices) {
    const ValueId value = catalogue_.attribute(device.kind, attribute);
    if (value.is_none()) {
      words.push_back(0);
      continue;
    }
    if (value != last) {  // neighbours often agree
      lists = lists || catalogue_.values.content(value).list;
      its = local_.try_emplace(value, static_cast<std::uint32_t>(local_.size()) + 1).first->second;
      last = value;
    }
    words.push_back(its);
  }
  if (!lists) return;
  words.resize(first);
  words.push_back(kLists);
  for (const PlacedDevice& device : node.devices) {
    words.push_back(catalogue_.attribute(device.kind, attribute).value());
  }
}

std::uint32_t Sights::values(AttributeId attribute, const NodeDevices& node, NodeLook& look) {
  return part(part_of(attribute), look, [&] { add_values(attribute, node, part_); });
}

// --- The whole ------------------------------------------------------------------------------------------------------

SightId Sights::of(std::span<const ClaimSpecId> claims, std::uint32_t structure, const NodeDevices& node,
                   const SelectorAnswers& selectors, NodeLook& look) {
  Words key = {plainly(structure, node, look), static_cast<std::uint32_t>(claims.size())};
  for (const ClaimSpecId claim : claims) {
    key.push_back(claim.value());
    const Words& all = reads(claim, selectors);
    for (const std::uint32_t reads : std::span(all).subspan(1)) {
      key.push_back(part(part_of_reads(reads), look, [&] {
        for (const PlacedDevice& device : node.devices) part_.push_back(selectors.look(reads, device.kind));
        for (const NodePool& pool : node.pools) {
          for (const KindId kind : pool.kinds) part_.push_back(selectors.look(reads, kind));
        }
      }));
    }
    for (const Constraint& constraint : catalogue_.claims.content(claim).constraints)
      key.push_back(values(constraint.attribute, node, look));
  }
  if (const auto found = shortcuts_.find(key); found != shortcuts_.end()) return SightId{found->second};
  const SightId sight = look_closely(claims, key.front(), node, selectors, look);
  if (shortcuts_.size() >= kMostShortcuts) shortcuts_.clear();
  shortcuts_.emplace(std::move(key), sight.value());
  return sight;
}

// What the claims' selectors say of a kind, all together.
std::uint32_t Sights::answers(std::span<const ClaimSpecId> claims, KindId kind, const SelectorAnswers& selectors) {
  kind_.clear();
  for (const ClaimSpecId claim : claims) {
    for (const Request& request : catalogue_.claims.content(claim).requests) {
      for (const Alternative& alternative : request.alternatives) {
        auto says = SelectorAnswer::Kind::kYes;
        for (const SelectorId selector : alternative.selectors) {
          says = selectors.answer(selector, kind).kind;
          if (says != SelectorAnswer::Kind::kYes) break;
        }
        kind_.push_back(static_cast<std::uint32_t>(says));
      }
    }
  }
  return number(answers_, kind_);
}

SightId Sights::look_closely(std::span<const ClaimSpecId> claims, std::uint32_t plainly, const NodeDevices& node,
                             const SelectorAnswers& selectors, NodeLook& look) {
  words_.assign({plainly, static_cast<std::uint32_t>(claims.size())});
  for (const ClaimSpecId claim : claims) {
    words_.push_back(claim.value());
    for (const Constraint& constraint : catalogue_.claims.content(claim).constraints)
      words_.push_back(values(constraint.attribute, node, look));
  }
  for (const PlacedDevice& device : node.devices) words_.push_back(answers(claims, device.kind, selectors));
  for (const NodePool& pool : node.pools) {
    for (const KindId kind : pool.kinds) words_.push_back(answers(claims, kind, selectors));
  }
  const SightId sight{number(sights_, words_)};
  if (sight.index() == equals_.size()) equals_.push_back(find_equals(claims, node, selectors));
  return sight;
}

// --- Equal cards ----------------------------------------------------------------------------------------------------

// How each component is spread over the values of an attribute: which other components have them too, or that no other
// has and which of its own members agree. `shares`: who has some that others have too.
void Sights::add_values(AttributeId attribute, const NodeDevices& node, std::vector<Words>& of_components,
                        std::vector<bool>& shares) {
  constexpr std::uint32_t kShared = ~std::uint32_t{0};
  boost::unordered_flat_map<ValueId, std::uint32_t> owner;  // the only component that has it, or kShared
  bool lists = false;
  for (const PlacedDevice& device : node.devices) {
    const ValueId value = catalogue_.attribute(device.kind, attribute);
    if (value.is_none()) continue;
    lists = lists || catalogue_.values.content(value).list;
    const auto [entry, added] = owner.try_emplace(value, device.component);
    if (!added && entry->second != device.component) entry->second = kShared;
  }
  for (std::size_t c = 0; c < of_components.size(); ++c) {
    local_.clear();
    for (const std::uint32_t member : node.components[c].members) {
      const ValueId value = catalogue_.attribute(node.devices[member].kind, attribute);
      if (value.is_none()) {
        of_components[c].insert(of_components[c].end(), {0, 0});
      } else if (lists || owner.find(value)->second == kShared) {
        of_components[c].insert(of_components[c].end(), {1, value.value()});
        shares[c] = true;
      } else {
        const auto next = static_cast<std::uint32_t>(local_.size());
        of_components[c].insert(of_components[c].end(), {2, local_.try_emplace(value, next).first->second});
      }
    }
  }
}

std::vector<EqualCards> Sights::find_equals(std::span<const ClaimSpecId> claims, const NodeDevices& node,
                                            const SelectorAnswers& selectors) {
  std::vector<Words> keys(node.components.size());
  for (std::size_t c = 0; c < keys.size(); ++c) {
    const DeviceComponent& component = node.components[c];
    keys[c] = {component.pool, component.shape, static_cast<std::uint32_t>(component.members.size())};
    for (const std::uint32_t member : component.members) {
      const PlacedDevice& device = node.devices[member];
      keys[c].insert(keys[c].end(), {plain(device.kind), answers(claims, device.kind, selectors), device.taints.value(),
                                     device.binding.value(), device.reach,
                                     (device.on_node ? 1U : 0U) + (device.binds_to_node ? 2U : 0U) +
                                         (device.consumption.is_none() ? 4U : 0U) +
                                         (node.slices[device.slice].skips_node_operations ? 8U : 0U)});
    }
  }
  std::vector<bool> shares(keys.size());
  for (const ClaimSpecId claim : claims) {
    for (const Constraint& constraint : catalogue_.claims.content(claim).constraints)
      add_values(constraint.attribute, node, keys, shares);
  }
  for (const AttributeId attribute : nearness(catalogue_, {})) add_values(attribute, node, keys, shares);
  Numbers classes;
  std::vector<EqualCards> result;
  for (std::uint32_t c = 0; c < keys.size(); ++c) {
    const std::uint32_t its = number(classes, keys[c]);
    if (its == result.size()) result.emplace_back();
    result[its].components.push_back(c);
    result[its].alone = result[its].alone && !shares[c];
  }
  std::erase_if(result, [](const EqualCards& equal) { return equal.components.size() < 2; });
  return result;
}

}  // namespace berth::engine::devices
