// What the slices of a cluster publish, and what that says about a selector which asks for something else.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource.h"
#include "dialects/dra/device_selector.h"

namespace berth::dialects::dra {

// Names by domain, of all devices that were added.
class Published {
 public:
  void add(const api::ResourceSlice& slice);
  void add(std::string_view driver, const api::Device& device);

  [[nodiscard]] bool empty() const { return drivers_.empty(); }
  [[nodiscard]] const std::map<std::string, std::int64_t, std::less<>>& drivers() const { return drivers_; }
  [[nodiscard]] bool has_domain(NameRead::Field field, std::string_view domain) const;
  [[nodiscard]] bool has(NameRead::Field field, std::string_view domain, std::string_view name) const;
  // In name order.
  [[nodiscard]] std::vector<std::string> domains(NameRead::Field field) const;
  [[nodiscard]] std::vector<std::string> domains_with(NameRead::Field field, std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names(NameRead::Field field, std::string_view domain) const;

 private:
  // domain to name to devices that have it
  using Names = std::map<std::string, std::map<std::string, std::int64_t, std::less<>>, std::less<>>;
  [[nodiscard]] const Names& of(NameRead::Field field) const {
    return field == NameRead::Field::kAttribute ? attributes_ : capacities_;
  }

  std::map<std::string, std::int64_t, std::less<>> drivers_;  // to devices
  Names attributes_;
  Names capacities_;
};

// A sentence about a place in the expression.
struct SelectorRemark {
  cel::Position position;
  std::uint32_t offset = 0;
  std::string message;
};

// Names in the selector that no device of the cluster publishes, with the nearest that one does, in the order of the
// expression. Nothing where nothing is published. A selector that guards itself (has(), in) may well be right all the
// same.
[[nodiscard]] std::vector<SelectorRemark> remarks_about(const DeviceSelector& selector, const Published& published);

// The same of the attribute of a constraint, "domain/name". Empty: some device publishes it.
[[nodiscard]] std::string remark_about(std::string_view attribute, const Published& published);

// The remark with the line of the expression and a caret under the place.
[[nodiscard]] std::string to_string(const SelectorRemark& remark, const cel::Source& source);

}  // namespace berth::dialects::dra
