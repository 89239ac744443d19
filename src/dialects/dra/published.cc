#include "dialects/dra/published.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/near_names.h"
#include "dialects/dra/device_view.h"

namespace berth::dialects::dra {

namespace {

using Field = NameRead::Field;

std::string_view noun(Field field) { return field == Field::kAttribute ? "attribute" : "capacity"; }
std::string_view plural(Field field) { return field == Field::kAttribute ? "attributes" : "capacities"; }

// As an expression spells it: device.attributes["gpu.nvidia.com"].profile.
std::string spelled(Field field, std::string_view domain, std::string_view name) {
  return fmt::format("device.{}[\"{}\"].{}", field == Field::kAttribute ? "attributes" : "capacity", domain, name);
}

// The nearest name, or all if they are few.
std::string nearest(std::string_view wrong, const std::vector<std::string>& names) {
  constexpr std::size_t kFew = 6;
  if (const auto near = near_names(wrong, names, 1); !near.empty())
    return fmt::format("the nearest is {}", near.front());
  if (names.size() <= kFew) return fmt::format("there {} {}", names.size() == 1 ? "is" : "are", fmt::join(names, ", "));
  return fmt::format("there are {} and {} more", fmt::join(names.begin(), names.begin() + kFew, ", "),
                     names.size() - kFew);
}

Field other(Field field) { return field == Field::kAttribute ? Field::kCapacity : Field::kAttribute; }

// Where else the name is published: in other domains, or as the other of attribute and capacity.
std::string elsewhere(const NameRead& read, const Published& published) {
  if (published.has(other(read.field), read.domain, read.name)) {
    return fmt::format("it is published as {}", spelled(other(read.field), read.domain, read.name));
  }
  std::vector<std::string> places;
  for (const std::string& domain : published.domains_with(read.field, read.name)) {
    places.push_back(spelled(read.field, domain, read.name));
  }
  if (places.empty()) return {};
  return fmt::format("it is published as {}", fmt::join(places, " or "));
}

std::string about_name(const NameRead& read, const Published& published) {
  if (read.name.empty()) {
    if (published.has_domain(read.field, read.domain)) return {};
    return fmt::format("No device publishes {} in the domain {}; {}.", plural(read.field), read.domain,
                       nearest(read.domain, published.domains(read.field)));
  }
  if (published.has(read.field, read.domain, read.name)) return {};
  const std::string place = elsewhere(read, published);
  if (published.has_domain(read.field, read.domain)) {
    const std::string hint = place.empty() ? nearest(read.name, published.names(read.field, read.domain)) : place;
    return fmt::format("No device publishes the {} {} in the domain {}; {}.", noun(read.field), read.name, read.domain,
                       hint);
  }
  const auto domains = published.domains(read.field);
  if (domains.empty() && place.empty()) return fmt::format("No device publishes any {}.", noun(read.field));
  const std::string hint = place.empty() ? nearest(read.domain, domains) : place;
  return fmt::format("No device publishes the {} {} or any other in the domain {}; {}.", noun(read.field), read.name,
                     read.domain, hint);
}

}  // namespace

void Published::add(const api::ResourceSlice& slice) {
  for (const api::Device& device : slice.devices) add(slice.driver, device);
}

void Published::add(std::string_view driver, const api::Device& device) {
  ++drivers_[std::string(driver)];
  const auto count = [&](Names& names, std::string_view written) {
    const QualifiedName name = qualify(written, driver);
    auto domain = names.find(name.domain);
    if (domain == names.end()) domain = names.try_emplace(std::string(name.domain)).first;
    auto found = domain->second.find(name.name);
    if (found == domain->second.end()) found = domain->second.try_emplace(std::string(name.name), 0).first;
    ++found->second;
  };
  for (const api::DeviceAttribute& attribute : *device.attributes) count(attributes_, attribute.name);
  for (const api::DeviceCapacity& capacity : *device.capacity) count(capacities_, capacity.name);
}

bool Published::has_domain(Field field, std::string_view domain) const { return of(field).contains(domain); }

bool Published::has(Field field, std::string_view domain, std::string_view name) const {
  const auto found = of(field).find(domain);
  return found != of(field).end() && found->second.contains(name);
}

std::vector<std::string> Published::domains(Field field) const {
  std::vector<std::string> out;
  std::ranges::transform(of(field), std::back_inserter(out), [](const auto& entry) { return entry.first; });
  return out;
}

std::vector<std::string> Published::domains_with(Field field, std::string_view name) const {
  std::vector<std::string> out;
  for (const auto& [domain, names] : of(field)) {
    if (names.contains(name)) out.push_back(domain);
  }
  return out;
}

std::vector<std::string> Published::names(Field field, std::string_view domain) const {
  std::vector<std::string> out;
  const auto found = of(field).find(domain);
  if (found == of(field).end()) return out;
  std::ranges::transform(found->second, std::back_inserter(out), [](const auto& entry) { return entry.first; });
  return out;
}

std::vector<SelectorRemark> remarks_about(const DeviceSelector& selector, const Published& published) {
  std::vector<SelectorRemark> out;
  if (published.empty()) return out;
  const auto remark = [&](std::uint32_t offset, std::string message) {
    if (!message.empty()) out.push_back({selector.source().position(offset), offset, std::move(message)});
  };
  std::vector<std::string> drivers;
  for (const auto& [driver, devices] : published.drivers()) drivers.push_back(driver);
  for (const DriverRead& read : selector.projection().drivers) {
    if (published.drivers().contains(read.driver)) continue;
    remark(read.offset, fmt::format("No device is of the driver {}; {}.", read.driver, nearest(read.driver, drivers)));
  }
  for (const NameRead& read : selector.projection().names) remark(read.offset, about_name(read, published));
  std::ranges::stable_sort(out, {}, &SelectorRemark::offset);
  return out;
}

std::string remark_about(std::string_view attribute, const Published& published) {
  if (published.empty()) return {};
  const QualifiedName name = qualify(attribute, {});
  NameRead read;
  read.field = Field::kAttribute;
  read.domain = name.domain;
  read.name = name.name;
  return about_name(read, published);
}

std::string to_string(const SelectorRemark& remark, const cel::Source& source) {
  return fmt::format("{}:{}: {}\n | {}\n | {}^", remark.position.line, remark.position.column, remark.message,
                     source.line(remark.position.line),
                     std::string(static_cast<std::size_t>(remark.position.column - 1), '.'));
}

}  // namespace berth::dialects::dra
