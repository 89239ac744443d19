#include "engine/devices/catalogue.h"

#include <algorithm>
#include <utility>

#include "base/sort_unique.h"
#include "engine/world/content_hash.h"

namespace berth::engine::devices {
namespace {

constexpr std::string_view kTypeLetters = "ibsv";

void add(ContentHash& hash, Quantity amount) {
  hash.add(static_cast<std::uint64_t>(amount));
  hash.add(static_cast<std::uint64_t>(amount >> 64));
}

void add(ContentHash& hash, const std::optional<Quantity>& amount) {
  hash.add(amount.has_value());
  if (amount) add(hash, *amount);
}

}  // namespace

std::size_t DeviceContentHash::operator()(const Value& value) const {
  ContentHash hash;
  hash.add(value.list);
  hash.add(value.atoms);
  return static_cast<std::size_t>(hash.value());
}

std::size_t DeviceContentHash::operator()(const RequestPolicy& policy) const {
  ContentHash hash;
  add(hash, policy.standard);
  for (const Quantity amount : policy.valid_values) add(hash, amount);
  hash.add(policy.valid_range.has_value());
  if (policy.valid_range) {
    add(hash, policy.valid_range->min);
    add(hash, policy.valid_range->max);
    add(hash, policy.valid_range->step);
  }
  return static_cast<std::size_t>(hash.value());
}

std::size_t DeviceContentHash::operator()(const Kind& kind) const {
  ContentHash hash;
  hash.add(kind.driver);
  hash.add(kind.allow_multiple);
  for (const Attribute& attribute : kind.attributes) {
    hash.add(attribute.name);
    hash.add(attribute.value);
  }
  for (const Capacity& capacity : kind.capacities) {
    hash.add(capacity.name);
    add(hash, capacity.value);
    hash.add(capacity.policy);
  }
  return static_cast<std::size_t>(hash.value());
}

std::size_t DeviceContentHash::operator()(const Consumption& consumption) const {
  ContentHash hash;
  for (const CounterSet& set : consumption) {
    hash.add(set.name);
    for (const Counter& counter : set.counters) {
      hash.add(counter.name);
      add(hash, counter.amount);
    }
  }
  return static_cast<std::size_t>(hash.value());
}

std::size_t DeviceContentHash::operator()(const std::vector<DeviceTaint>& taints) const {
  ContentHash hash;
  for (const DeviceTaint& taint : taints) {
    hash.add(taint.key);
    hash.add(taint.value);
    hash.add(static_cast<std::uint64_t>(taint.effect));
  }
  return static_cast<std::size_t>(hash.value());
}

std::size_t DeviceContentHash::operator()(const Binding& binding) const {
  ContentHash hash;
  hash.add(binding.conditions);
  hash.add(binding.failure_conditions);
  return static_cast<std::size_t>(hash.value());
}

std::size_t DeviceContentHash::operator()(const Claim& claim) const {
  ContentHash hash;
  for (const Request& request : claim.requests) {
    hash.add(request.prioritized);
    for (const Alternative& alternative : request.alternatives) {
      hash.add(alternative.selectors);
      hash.add(static_cast<std::uint64_t>(alternative.mode));
      hash.add(alternative.count);
      hash.add(alternative.admin_access);
      if (!alternative.capacities) continue;
      for (const CapacityRequest& capacity : *alternative.capacities) {
        hash.add(capacity.name);
        add(hash, capacity.amount);
      }
    }
  }
  for (const Constraint& constraint : claim.constraints) {
    hash.add(static_cast<std::uint64_t>(constraint.kind));
    hash.add(constraint.attribute);
  }
  return static_cast<std::size_t>(hash.value());
}

void Catalogue::set_card_resource(KindId kind, ResourceId resource) {
  if (card_resources_.size() <= kind.index()) card_resources_.resize(kind.index() + 1);
  card_resources_[kind.index()] = resource;
}

ResourceId Catalogue::card_resource(KindId kind) const {
  return kind.index() < card_resources_.size() ? card_resources_[kind.index()] : ResourceId::none();
}

void Catalogue::set_counting(ResourceId resource, const Counting& counting) {
  if (countings_.size() <= resource.index()) countings_.resize(resource.index() + 1);
  countings_[resource.index()] = counting;
}

Catalogue::Counting Catalogue::counting(ResourceId resource) const {
  const bool known = resource.index() < countings_.size() && !countings_[resource.index()].cards.is_none();
  return known ? countings_[resource.index()] : Counting{.cards = resource, .replicas = {}, .partitions = false};
}

void Catalogue::set_card_number(NameId device, std::uint16_t number) {
  if (card_numbers_.size() <= device.index()) card_numbers_.resize(device.index() + 1, -1);
  card_numbers_[device.index()] = number;
}

std::optional<std::uint16_t> Catalogue::card_number(NameId device) const {
  if (device.index() >= card_numbers_.size() || card_numbers_[device.index()] < 0) return std::nullopt;
  return static_cast<std::uint16_t>(card_numbers_[device.index()]);
}

AtomId Catalogue::atom(AtomType type, std::string_view text) {
  key_.assign(1, kTypeLetters[static_cast<std::size_t>(type)]);
  key_.append(text);
  return atoms_.intern(key_);
}

AtomType Catalogue::type(AtomId id) const { return static_cast<AtomType>(kTypeLetters.find(atoms_.text(id).front())); }

std::string_view Catalogue::text(AtomId id) const { return atoms_.text(id).substr(1); }

ValueId Catalogue::scalar(AtomType type, std::string_view text) {
  return values.intern(Value{.list = false, .atoms = {atom(type, text)}});
}

ValueId Catalogue::list(std::vector<AtomId> atoms) {
  std::vector<AtomId> order = atoms;
  sort_unique(atoms);
  if (order == atoms) order.clear();
  return values.intern(Value{.list = true, .atoms = std::move(atoms), .order = std::move(order)});
}

ValueId Catalogue::attribute(KindId kind, AttributeId name) const {
  const std::vector<Attribute>& attributes_of_kind = kinds.content(kind).attributes;
  const auto found = std::ranges::lower_bound(attributes_of_kind, name, {}, &Attribute::name);
  return found != attributes_of_kind.end() && found->name == name ? found->value : ValueId::none();
}

}  // namespace berth::engine::devices
