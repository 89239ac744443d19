#include "engine/devices/sights.h"

#include <algorithm>

#include "engine/devices/amount_words.h"
#include "engine/devices/nearness.h"

namespace berth::engine::devices {
namespace {

constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
constexpr std::size_t kMostSeen = std::size_t{1} << 26U;  // answers kept; they are soon there again

// The entry for `index`, made as long as need be for `size` entries.
std::uint32_t& entry(std::vector<std::uint32_t>& table, std::size_t index, std::size_t size) {
  if (table.size() <= index) table.resize(std::max(size, index + 1), kUnseen);
  return table[index];
}

}  // namespace

std::uint32_t Sights::number(Numbers& numbers, Words& words) {
  const auto next = static_cast<std::uint32_t>(numbers.size());
  if (const auto found = numbers.find(words); found != numbers.end()) return found->second;
  return numbers.emplace(words, next).first->second;
}

std::uint32_t Sights::plain(KindId kind) {
  std::uint32_t& known = entry(plain_, kind.index(), catalogue_.kinds.size());
  if (known != kUnseen) return known;
  const Kind& content = catalogue_.kinds.content(kind);
  part_.assign(1, content.allow_multiple ? 1U : 0U);
  for (const Capacity& capacity : content.capacities) {
    part_.insert(part_.end(), {capacity.name.value(), capacity.policy.value()});
    add_amount(part_, capacity.value);
  }
  return known = number(plains_, part_);
}

std::uint32_t Sights::seen_by(ClaimSpecId claim, KindId kind, const SelectorAnswers& selectors) {
  if (seen_.size() <= claim.index()) seen_.resize(claim.index() + 1);
  if (seen_[claim.index()].size() <= kind.index()) {
    std::size_t kept = catalogue_.kinds.size();
    for (const std::vector<std::uint32_t>& table : seen_) kept += table.size();
    if (kept > kMostSeen) {
      for (std::vector<std::uint32_t>& table : seen_) std::vector<std::uint32_t>().swap(table);
    }
  }
  std::uint32_t& known = entry(seen_[claim.index()], kind.index(), catalogue_.kinds.size());
  if (known != kUnseen) return known;
  const std::uint32_t plainly = plain(kind);
  part_.assign(1, plainly);
  for (const Request& request : catalogue_.claims.content(claim).requests) {
    for (const Alternative& alternative : request.alternatives) {
      auto says = SelectorAnswer::Kind::kYes;
      for (const SelectorId selector : alternative.selectors) {
        says = selectors.answer(selector, kind).kind;
        if (says != SelectorAnswer::Kind::kYes) break;
      }
      part_.push_back(static_cast<std::uint32_t>(says));
    }
  }
  return known = number(answers_, part_);
}

// Which devices agree. Lists may overlap without being equal.
void Sights::add_values(AttributeId attribute, const NodeDevices& node) {
  local_.clear();
  const std::size_t first = words_.size();
  bool lists = false;
  for (const PlacedDevice& device : node.devices) {
    const ValueId value = catalogue_.attribute(device.kind, attribute);
    lists = lists || (!value.is_none() && catalogue_.values.content(value).list);
    words_.push_back(
        value.is_none() ? 0U : local_.try_emplace(value, static_cast<std::uint32_t>(local_.size()) + 1).first->second);
  }
  if (!lists) return;
  words_.resize(first);
  words_.push_back(kUnseen);
  for (const PlacedDevice& device : node.devices) {
    words_.push_back(catalogue_.attribute(device.kind, attribute).value());
  }
}

SightId Sights::of(std::span<const ClaimSpecId> claims, std::uint32_t structure, const NodeDevices& node,
                   const SelectorAnswers& selectors) {
  words_.assign({structure, static_cast<std::uint32_t>(claims.size())});
  for (const ClaimSpecId claim : claims) {
    words_.push_back(claim.value());
    for (const PlacedDevice& device : node.devices) words_.push_back(seen_by(claim, device.kind, selectors));
    for (const NodePool& pool : node.pools) {
      for (const KindId kind : pool.kinds) words_.push_back(seen_by(claim, kind, selectors));
    }
    for (const Constraint& constraint : catalogue_.claims.content(claim).constraints) {
      add_values(constraint.attribute, node);
    }
  }
  for (const AttributeId attribute : nearness(catalogue_, {})) add_values(attribute, node);
  return SightId{number(sights_, words_)};
}

}  // namespace berth::engine::devices
