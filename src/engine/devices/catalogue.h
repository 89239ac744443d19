// Catalogue: the interners of the device model. Shared by the dialect (text to id, content to id) and the reports (id
// to text); the allocator only reads contents by id. Names of drivers, pools, devices, slices, taint keys and values
// are NameIds of engine::Names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/interner.h"
#include "engine/devices/claim.h"
#include "engine/devices/content_interner.h"
#include "engine/devices/model.h"

namespace berth::engine::devices {

enum class AtomType : std::uint8_t { kInt, kBool, kString, kVersion };

struct DeviceContentHash {
  std::size_t operator()(const Value& value) const;
  std::size_t operator()(const RequestPolicy& policy) const;
  std::size_t operator()(const Kind& kind) const;
  std::size_t operator()(const Consumption& consumption) const;
  std::size_t operator()(const std::vector<DeviceTaint>& taints) const;
  std::size_t operator()(const Binding& binding) const;
  std::size_t operator()(const Claim& claim) const;
};

class Catalogue {
 public:
  Interner<SelectorId> selectors;             // expressions; for those who answer them and for reports
  Interner<SelectorErrorId> selector_errors;  // what was wrong
  Interner<AttributeId> attributes;
  Interner<CapacityId> capacities;
  Interner<CounterSetId> counter_sets;
  Interner<CounterId> counters;

  ContentInterner<ValueId, Value, DeviceContentHash> values;
  ContentInterner<PolicyId, RequestPolicy, DeviceContentHash> policies;
  ContentInterner<KindId, Kind, DeviceContentHash> kinds;
  ContentInterner<ConsumptionId, Consumption, DeviceContentHash> consumptions;
  ContentInterner<TaintListId, std::vector<DeviceTaint>, DeviceContentHash> taints;
  ContentInterner<BindingId, Binding, DeviceContentHash> bindings;
  ContentInterner<ClaimSpecId, Claim, DeviceContentHash> claims;

  // The atom of a scalar, by its canonical text: "-5", "true", "pci0000:64", "1.2.3".
  AtomId atom(AtomType type, std::string_view text);
  [[nodiscard]] AtomType type(AtomId id) const;
  [[nodiscard]] std::string_view text(AtomId id) const;  // the canonical text

  ValueId scalar(AtomType type, std::string_view text);
  ValueId list(std::vector<AtomId> atoms);  // any order, repeats allowed

  // The value of a kind's attribute, or none. O(log attributes).
  [[nodiscard]] ValueId attribute(KindId kind, AttributeId name) const;

  // The DeviceClasses there are, by name: for reports that have to name one.
  struct ClassEntry {
    NameId name;
    std::vector<SelectorId> selectors;
  };
  std::vector<ClassEntry> classes;

  // The extended resource under which a device plugin would offer devices of this kind ("nvidia.com/gpu"), or none. A
  // node that offers both has the same cards in two books.
  void set_card_resource(KindId kind, ResourceId resource);
  [[nodiscard]] ResourceId card_resource(KindId kind) const;
  // How a device plugin counts cards in a resource: in replicas, as many of each card as a label of the node says, or
  // in partitions of which nobody knows the card.
  struct Counting {
    ResourceId cards;     // counts whole cards; see card_resource()
    LabelKeyId replicas;  // none: one of each card
    bool partitions = false;
  };
  void set_counting(ResourceId resource, const Counting& counting);
  [[nodiscard]] Counting counting(ResourceId resource) const;
  // The number of its card that a device's name has ("gpu-3": 3), or none.
  void set_card_number(NameId device, std::uint16_t number);
  [[nodiscard]] std::optional<std::uint16_t> card_number(NameId device) const;

 private:
  std::vector<ResourceId> card_resources_;  // by KindId
  std::vector<Counting> countings_;         // by ResourceId; cards is none: whole cards
  std::vector<std::int32_t> card_numbers_;  // by NameId; -1: none
  Interner<AtomId> atoms_;                  // a letter for the type, then the text
  std::string key_;
};

}  // namespace berth::engine::devices
