#include "cel/unifier.h"

#include <algorithm>

namespace berth::cel {

namespace {

bool is_nullable(TypeRef type) {
  switch (type->kind) {
    case TypeKind::kOpaque:
    case TypeKind::kStruct:
    case TypeKind::kAny:
    case TypeKind::kDuration:
    case TypeKind::kTimestamp:
    case TypeKind::kNull:
    case TypeKind::kWrapper:
      return true;
    default:
      return false;
  }
}

bool equal_or_less_specific(TypeRef a, TypeRef b) {
  if (is_dyn(a) || a->kind == TypeKind::kParameter) return true;
  if (is_dyn(b) || b->kind == TypeKind::kParameter) return false;
  if (a->kind == TypeKind::kWrapper && b->kind != TypeKind::kWrapper) {
    return b->kind == TypeKind::kNull || same_type(a->parameters.front(), b);
  }
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case TypeKind::kType:
      return true;
    case TypeKind::kOpaque:
      if (a->name != b->name) return false;
      [[fallthrough]];
    case TypeKind::kList:
    case TypeKind::kMap:
      return std::ranges::equal(a->parameters, b->parameters, equal_or_less_specific);
    default:
      return same_type(a, b);
  }
}

}  // namespace

TypeRef Unifier::fresh() { return pool_.make({TypeKind::kParameter, "_var", {}}); }

TypeRef Unifier::find(TypeRef variable) const {
  const auto found = latest_.find(variable);
  return found == latest_.end() || found->second == 0 ? nullptr : bindings_[found->second - 1].type;
}

void Unifier::add(TypeRef variable, TypeRef type) {
  std::uint32_t& latest = latest_[variable];
  bindings_.push_back({variable, type, latest});
  latest = static_cast<std::uint32_t>(bindings_.size());
}

void Unifier::roll_back(std::size_t mark) {
  for (; bindings_.size() > mark; bindings_.pop_back()) latest_[bindings_.back().variable] = bindings_.back().hidden;
}

bool Unifier::assignable(TypeRef from, TypeRef to) {
  const std::size_t mark = bindings_.size();
  if (unify(from, to)) return true;
  roll_back(mark);
  return false;
}

bool Unifier::assignable(std::span<const TypeRef> from, std::span<const TypeRef> to) {
  if (from.size() != to.size()) return false;
  const std::size_t mark = bindings_.size();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!unify(from[i], to[i])) {
      roll_back(mark);
      return false;
    }
  }
  return true;
}

bool Unifier::unify(TypeRef from, TypeRef to) {
  if (to->kind == TypeKind::kParameter) {
    const Substitution found = bind(from, to);
    if (found.valid) return true;
    if (found.bound) return false;
  }
  if (from->kind == TypeKind::kParameter) return bind(to, from).valid;
  if (is_dyn_or_error(from) || is_dyn_or_error(to)) return true;
  if (from->kind == TypeKind::kNull) return is_nullable(to);
  if (to->kind == TypeKind::kNull) return is_nullable(from);
  if (from->kind == TypeKind::kWrapper) from = from->parameters.front();
  if (to->kind == TypeKind::kWrapper) to = to->parameters.front();
  if (from->kind != to->kind) return false;
  switch (from->kind) {
    case TypeKind::kType:
      return true;
    case TypeKind::kStruct:
      return from->name == to->name;
    case TypeKind::kOpaque:
    case TypeKind::kList:
    case TypeKind::kMap:
      return from->name == to->name && unify_parameters(from, to);
    default:
      return true;
  }
}

bool Unifier::unify_parameters(TypeRef from, TypeRef to) {
  if (from->parameters.size() != to->parameters.size()) return false;
  for (std::size_t i = 0; i < from->parameters.size(); ++i) {
    if (!unify(from->parameters[i], to->parameters[i])) return false;
  }
  return true;
}

Unifier::Substitution Unifier::bind(TypeRef type, TypeRef variable) {
  if (type == variable) return {true, true};
  if (const TypeRef known = find(variable); known != nullptr) {
    if (type->kind == known->kind && same_type(type, known)) return {true, true};
    if (!unify(type, known)) return {false, true};
    const TypeRef general = most_general(type, known);
    if (!occurs(variable, general)) add(variable, general);
    return {true, true};
  }
  if (occurs(variable, type)) return {false, false};
  add(variable, type);
  return {true, false};
}

bool Unifier::occurs(TypeRef variable, TypeRef within) const {
  if (variable == within) return true;
  if (within->kind == TypeKind::kParameter) {
    const TypeRef known = find(within);
    return known != nullptr && occurs(variable, known);
  }
  return std::ranges::any_of(within->parameters, [&](TypeRef parameter) { return occurs(variable, parameter); });
}

TypeRef Unifier::substitute(TypeRef type, bool free_to_dyn) {
  if (type->kind == TypeKind::kParameter) {
    const TypeRef known = find(type);
    if (known != nullptr) return substitute(known, free_to_dyn);
    return free_to_dyn ? &types::kDyn : type;
  }
  bool changed = false;
  std::vector<TypeRef> parameters;
  for (std::size_t i = 0; i < type->parameters.size(); ++i) {
    const TypeRef parameter = type->parameters[i];
    const TypeRef replaced = substitute(parameter, free_to_dyn);
    if (replaced != parameter && !changed) {
      changed = true;
      parameters.assign(type->parameters.begin(), type->parameters.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (changed) parameters.push_back(replaced);
  }
  if (!changed) return type;
  return pool_.make({type->kind, type->name, std::move(parameters), type->max_size});
}

TypeRef Unifier::most_general(TypeRef a, TypeRef b) {
  // Where null may stand for a value of a type, the type says more than null does.
  if (a->kind == TypeKind::kNull) return b;
  if (b->kind == TypeKind::kNull) return a;
  return equal_or_less_specific(a, b) ? a : b;
}

}  // namespace berth::cel
