#include "dialects/dra/device_view.h"

#include <algorithm>
#include <charconv>
#include <compare>
#include <limits>

#include <fmt/format.h>

#include "cel/containers.h"
#include "cel/lib/quantity.h"
#include "cel/lib/semver.h"

namespace berth::dialects::dra {

namespace {

using cel::Value;

struct Entry {
  std::string_view key;
  Value value;
};

// Texts to values, in text order.
template <bool makes_up_maps>
class TextMap final : public cel::Map {
 public:
  explicit TextMap(std::span<const Entry> entries) : entries_(entries) {}

  [[nodiscard]] std::size_t size() const override { return entries_.size(); }
  [[nodiscard]] std::optional<Value> find(Value key, cel::Arena& /*arena*/) const override;
  [[nodiscard]] bool has(Value key, cel::Arena& /*arena*/) const override { return look_up(key).has_value(); }
  [[nodiscard]] Value key_at(std::size_t position, cel::Arena& /*arena*/) const override {
    return Value::string(entries_[position].key);
  }
  [[nodiscard]] Value value_at(std::size_t position, cel::Arena& /*arena*/) const override {
    return entries_[position].value;
  }

 private:
  [[nodiscard]] std::optional<Value> look_up(Value key) const {
    if (!key.is(cel::Kind::kString)) return std::nullopt;
    const std::string_view text = key.as_text();
    for (const Entry& entry : entries_) {
      if (entry.key == text) return entry.value;
    }
    return std::nullopt;
  }

  std::span<const Entry> entries_;
};

using NameMap = TextMap<false>;
using DomainMap = TextMap<true>;  // gives an empty map for what it lacks

const NameMap kNothing{{}};

template <bool makes_up_maps>
std::optional<Value> TextMap<makes_up_maps>::find(Value key, cel::Arena& /*arena*/) const {
  const auto found = look_up(key);
  return !found && makes_up_maps ? Value::map(&kNothing) : found;
}

struct Property {
  QualifiedName name;
  bool with_domain = false;  // as it was written
  Value value;
};

template <class MapType>
Value make_map(std::span<const Entry> entries, cel::Arena& arena) {
  auto* kept = arena.make_array<Entry>(entries.size());
  std::ranges::copy(entries, kept);
  return Value::map(arena.make<MapType>(std::span<const Entry>(kept, entries.size())));
}

// Domains to names to values.
Value nested_map(std::vector<Property>& properties, cel::Arena& arena) {
  std::ranges::sort(properties, [](const Property& a, const Property& b) {
    if (const auto order = a.name <=> b.name; order != 0) return order < 0;
    return a.with_domain > b.with_domain;
  });
  std::vector<Entry> outer;
  std::vector<Entry> inner;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    const QualifiedName& name = properties[i].name;
    if (i == 0 || properties[i - 1].name != name) inner.push_back({name.name, properties[i].value});
    if (i + 1 == properties.size() || properties[i + 1].name.domain != name.domain) {
      outer.push_back({name.domain, make_map<NameMap>(inner, arena)});
      inner.clear();
    }
  }
  return make_map<DomainMap>(outer, arena);
}

Value make_device(std::string_view driver, bool allow_multiple, std::vector<Property>& attributes,
                  std::vector<Property>& capacities, cel::Arena& arena) {
  const Entry fields[] = {{"driver", Value::string(driver)},
                          {"attributes", nested_map(attributes, arena)},
                          {"capacity", nested_map(capacities, arena)},
                          {"allowMultipleAllocations", Value::boolean(allow_multiple)}};
  return make_map<NameMap>(fields, arena);
}

Property property(std::string_view written, std::string_view driver, Value value) {
  return {qualify(written, driver), written.find('/') != std::string_view::npos, value};
}

Value as_value(std::int64_t value, cel::Arena& /*arena*/) { return Value::integer(value); }
Value as_value(bool value, cel::Arena& /*arena*/) { return Value::boolean(value); }
Value as_value(const std::string& value, cel::Arena& /*arena*/) { return Value::string(value); }
// An unset value for what is no version.
Value version_value(std::string_view text, cel::Arena& arena) {
  const auto version = cel::parse_version(text);
  return version ? cel::make_semver(*version, arena) : Value::error(nullptr);
}
Value as_value(const api::Version& value, cel::Arena& arena) { return version_value(value.text, arena); }
template <class T>
Value as_value(const std::vector<T>& values, cel::Arena& arena) {
  Value* items = nullptr;
  const cel::List* list = cel::ArrayList::make(values.size(), arena, items);
  for (std::size_t i = 0; i < values.size(); ++i) {
    items[i] = as_value(static_cast<const T&>(values[i]), arena);
    if (items[i].is_unset()) return items[i];
  }
  return Value::list(list);
}

// What has the API's largest value was capped there, and upstream does not call it an integer.
Value quantity_value(__int128 nanos, cel::Arena& arena) {
  constexpr __int128 kCap = static_cast<__int128>(std::numeric_limits<std::int64_t>::max()) * cel::kNanosPerUnit;
  return cel::make_quantity({nanos, nanos >= kCap}, arena);
}

Error no_version(std::string_view name) {
  return {ErrorCode::kInvalid,
          fmt::format("The attribute {} holds a version that is none; write MAJOR.MINOR.PATCH, such as 1.2.0.", name),
          {}};
}

Value atom_value(engine::devices::AtomId atom, const engine::devices::Catalogue& catalogue, cel::Arena& arena) {
  const std::string_view text = catalogue.text(atom);
  switch (catalogue.type(atom)) {
    case engine::devices::AtomType::kInt: {
      std::int64_t number = 0;
      std::from_chars(text.data(), text.data() + text.size(), number);
      return Value::integer(number);
    }
    case engine::devices::AtomType::kBool:
      return Value::boolean(text == "true");
    case engine::devices::AtomType::kString:
      return Value::string(text);
    case engine::devices::AtomType::kVersion:
      return version_value(text, arena);
  }
  return Value::error(nullptr);
}

Value interned_value(const engine::devices::Value& value, const engine::devices::Catalogue& catalogue,
                     cel::Arena& arena) {
  if (!value.list) return atom_value(value.atoms.front(), catalogue, arena);
  const std::vector<engine::devices::AtomId>& atoms = value.order.empty() ? value.atoms : value.order;
  Value* items = nullptr;
  const cel::List* list = cel::ArrayList::make(atoms.size(), arena, items);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    items[i] = atom_value(atoms[i], catalogue, arena);
    if (items[i].is_unset()) return items[i];
  }
  return Value::list(list);
}

}  // namespace

QualifiedName qualify(std::string_view written, std::string_view driver) {
  const std::size_t slash = written.find('/');
  if (slash == std::string_view::npos) return {driver, written};
  return {written.substr(0, slash), written.substr(slash + 1)};
}

Result<cel::Value> device_value(std::string_view driver, const api::Device& device, cel::Arena& arena) {
  std::vector<Property> attributes;
  for (const api::DeviceAttribute& attribute : *device.attributes) {
    const Value value = std::visit([&](const auto& content) { return as_value(content, arena); }, attribute.value);
    if (value.is_unset()) return std::unexpected(no_version(attribute.name));
    attributes.push_back(property(attribute.name, driver, value));
  }
  std::vector<Property> capacities;
  for (const api::DeviceCapacity& capacity : *device.capacity) {
    const Value value = quantity_value(capacity.value.nanos(), arena);
    capacities.push_back(property(capacity.name, driver, value));
  }
  return make_device(driver, device.allow_multiple_allocations, attributes, capacities, arena);
}

Result<cel::Value> device_value(engine::devices::KindId kind, const engine::devices::Catalogue& catalogue,
                                const engine::Names& names, cel::Arena& arena) {
  const engine::devices::Kind& content = catalogue.kinds.content(kind);
  const std::string_view driver = names.names.text(content.driver);
  std::vector<Property> attributes;
  for (const engine::devices::Attribute& attribute : content.attributes) {
    const std::string_view name = catalogue.attributes.text(attribute.name);
    const Value value = interned_value(catalogue.values.content(attribute.value), catalogue, arena);
    if (value.is_unset()) return std::unexpected(no_version(name));
    attributes.push_back(property(name, driver, value));
  }
  std::vector<Property> capacities;
  for (const engine::devices::Capacity& capacity : content.capacities) {
    const Value value = quantity_value(capacity.value, arena);
    capacities.push_back(property(catalogue.capacities.text(capacity.name), driver, value));
  }
  return make_device(driver, content.allow_multiple, attributes, capacities, arena);
}

}  // namespace berth::dialects::dra
