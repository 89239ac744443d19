// Assignability of types with variables, and what the variables turn out to be.
//
// The rules are those of the CEL specification's checker: a variable takes the first type it meets and widens to the
// more general of two that agree; dyn agrees with everything.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "cel/type.h"

namespace berth::cel {

class Unifier {
 public:
  explicit Unifier(TypePool& pool) : pool_(pool) {}

  // A type variable that nothing else has.
  TypeRef fresh();
  // Whether `from` may stand where `to` is wanted; binds variables if so, changes nothing if not.
  bool assignable(TypeRef from, TypeRef to);
  bool assignable(std::span<const TypeRef> from, std::span<const TypeRef> to);
  // The type with bound variables replaced; free ones become dyn if `free_to_dyn`.
  TypeRef substitute(TypeRef type, bool free_to_dyn);
  // Of two types that agree the one that allows more.
  static TypeRef most_general(TypeRef a, TypeRef b);

 private:
  [[nodiscard]] TypeRef find(TypeRef variable) const;
  bool unify(TypeRef from, TypeRef to);
  bool unify_parameters(TypeRef from, TypeRef to);
  struct Substitution {
    bool valid = false;
    bool bound = false;
  };
  Substitution bind(TypeRef type, TypeRef variable);
  [[nodiscard]] bool occurs(TypeRef variable, TypeRef within) const;

  struct Binding {
    TypeRef variable;
    TypeRef type;
    std::uint32_t hidden;  // the binding that this one hides, plus one; 0: none
  };
  void add(TypeRef variable, TypeRef type);
  void roll_back(std::size_t mark);

  TypePool& pool_;
  std::vector<Binding> bindings_;  // in the order they were made, so that a failed attempt can be taken back
  boost::unordered_flat_map<TypeRef, std::uint32_t> latest_;  // by variable: position in bindings_ plus one
};

}  // namespace berth::cel
