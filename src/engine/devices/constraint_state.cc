#include "engine/devices/constraint_state.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/mutant.h"

namespace berth::engine::devices {
namespace {

bool disjoint(const std::vector<AtomId>& left, const std::vector<AtomId>& right) {
  auto a = left.begin();
  auto b = right.begin();
  while (a != left.end() && b != right.end()) {
    if (*a == *b) return false;
    *a < *b ? ++a : ++b;
  }
  return true;
}

}  // namespace

bool ConstraintState::concerns(std::uint32_t request, std::uint32_t alternative) const {
  if (constraint_->all_requests) return true;
  return std::ranges::any_of(constraint_->targets, [&](const ConstraintTarget& target) {
    return target.request == request && (!target.alternative || *target.alternative == alternative);
  });
}

bool ConstraintState::admits(ValueId value) const {
  if (value.is_none()) return false;
  const Value& content = catalogue_->values.content(value);
  if (lists_ && content.atoms.empty()) return false;
  return constraint_->kind == Constraint::Kind::kMatch ? may_match(content, value) : may_differ(content, value);
}

bool ConstraintState::add(ValueId value) {
  if (!admits(value)) return false;
  if (lists_ && constraint_->kind == Constraint::Kind::kMatch) {
    const std::vector<AtomId>& atoms = catalogue_->values.content(value).atoms;
    std::vector<AtomId> narrowed = atoms;
    if (!common_.empty()) {
      narrowed.clear();
      std::ranges::set_intersection(common_.back(), atoms, std::back_inserter(narrowed));
    }
    common_.push_back(std::move(narrowed));
  }
  values_.push_back(value);
  return true;
}

void ConstraintState::remove() {
  values_.pop_back();
  if (lists_ && constraint_->kind == Constraint::Kind::kMatch) common_.pop_back();
}

bool ConstraintState::may_match(const Value& content, ValueId value) const {
  if (values_.empty() || mutant("Device.MatchAttribute")) return true;
  if (lists_) return !disjoint(common_.back(), content.atoms);
  return !content.list && value == values_.front();
}

bool ConstraintState::may_differ(const Value& content, ValueId value) const {
  if (mutant("Device.DistinctAttribute")) return true;
  return std::ranges::none_of(values_, [&](ValueId other) {
    if (!lists_) return content.list || other == value;
    return !disjoint(catalogue_->values.content(other).atoms, content.atoms);
  });
}

}  // namespace berth::engine::devices
