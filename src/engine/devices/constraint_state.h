// ConstraintState: one constraint of a claim while its devices are being chosen. Devices are added and taken back like
// a stack.
//
// matchAttribute: all devices have the attribute with the same type and value. distinctAttribute: all have it, no two
// share a value. With DRAListTypeAttributes a scalar is a set of one; match needs a value common to all, distinct needs
// disjoint sets. Without it a list is an unknown type: it matches and differs from nothing, except that the first
// device may have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/devices/catalogue.h"
#include "engine/devices/claim.h"
#include "engine/devices/features.h"

namespace berth::engine::devices {

class ConstraintState {
 public:
  ConstraintState(const Catalogue& catalogue, const Constraint& constraint, const Features& features)
      : catalogue_(&catalogue), constraint_(&constraint), lists_(features.list_type_attributes) {}

  [[nodiscard]] const Constraint& constraint() const { return *constraint_; }
  [[nodiscard]] bool concerns(std::uint32_t request, std::uint32_t alternative) const;

  // Could a device with that value be added? Once no, no for as long as nothing is removed.
  [[nodiscard]] bool admits(ValueId value) const;

  // Adds a device with that value (none: it lacks the attribute), or says that it must not be added.
  bool add(ValueId value);
  void remove();  // the last one added

  [[nodiscard]] const std::vector<ValueId>& values() const { return values_; }
  // With lists: what the devices so far have in common.
  [[nodiscard]] const std::vector<std::vector<AtomId>>& common() const { return common_; }
  [[nodiscard]] bool lists() const { return lists_; }

 private:
  [[nodiscard]] bool may_match(const Value& content, ValueId value) const;
  [[nodiscard]] bool may_differ(const Value& content, ValueId value) const;

  const Catalogue* catalogue_;
  const Constraint* constraint_;
  bool lists_;
  std::vector<ValueId> values_;              // of the devices so far
  std::vector<std::vector<AtomId>> common_;  // match with lists: what the devices up to each have in common
};

}  // namespace berth::engine::devices
