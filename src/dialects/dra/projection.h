// Which parts of a device an expression reads. Devices that agree on them give one answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cel/checker.h"

namespace berth::dialects::dra {

// One look at attributes or capacities. An empty name: any of the domain.
struct NameRead {
  enum class Field : std::uint8_t { kAttribute, kCapacity };
  Field field = Field::kAttribute;
  std::string domain;
  std::string name;
  std::uint32_t offset = 0;  // of the first such look in the expression
};

// A driver that device.driver is compared with.
struct DriverRead {
  std::string driver;
  std::uint32_t offset = 0;
};

struct Projection {
  bool driver = false;
  bool allow_multiple = false;
  bool all_attributes = false;  // the expression computes the domain or the name, or walks over all
  bool all_capacities = false;
  std::vector<NameRead> names;      // each once, ordered by field, domain and name
  std::vector<DriverRead> drivers;  // in the order of the expression; for remarks, not part of what is read
};

// Of a checked expression over the variable `device`. Never less than what an evaluation may read. O(size of the tree).
[[nodiscard]] Projection projection_of(const cel::CheckedAst& checked);

}  // namespace berth::dialects::dra
