// The declarations that expressions are compiled against. Built once, then immutable and safe to share; a child
// environment adds to its parent's declarations without copying them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "cel/declarations.h"
#include "cel/macro.h"
#include "cel/parser.h"

namespace berth::cel {

class Environment {
 public:
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  [[nodiscard]] const Function* find_function(std::string_view name) const;
  [[nodiscard]] const Variable* find_variable(std::string_view name) const;
  [[nodiscard]] const StructType* find_struct(std::string_view name) const;
  // The type that a name denotes as a value, "int", "google.protobuf.Timestamp"; null if none.
  [[nodiscard]] TypeRef find_type(std::string_view name) const;

  // Calls `try_name` with what a name may mean in the container, most specific first, until it returns true. In
  // container a.b the name x may be a.b.x, a.x and x; ".x" is x alone.
  template <class TryName>
  bool resolve(std::string_view name, TryName&& try_name) const {
    if (name.starts_with('.')) return try_name(name.substr(1));
    std::string_view container = container_;
    while (!container.empty()) {
      std::string candidate(container);
      candidate += '.';
      candidate += name;
      if (try_name(std::string_view(candidate))) return true;
      const std::size_t dot = container.rfind('.');
      container = dot == std::string_view::npos ? std::string_view() : container.substr(0, dot);
    }
    return try_name(name);
  }

  // Whether a.b can be more than a field of a variable: some declared name has dots and starts with a, or there is a
  // container. A quick no for the common case.
  [[nodiscard]] bool may_qualify(std::string_view first) const;

  [[nodiscard]] const std::string& container() const { return container_; }
  [[nodiscard]] const ParseOptions& parse_options() const { return parse_options_; }
  [[nodiscard]] bool homogeneous_literals() const { return homogeneous_literals_; }
  // A map literal may have keys of all types but bytes, and one key twice, of which the last counts; the language has
  // neither, cel-go both.
  [[nodiscard]] bool any_map_keys() const { return any_map_keys_; }
  [[nodiscard]] bool validate_literals() const { return validate_literals_; }
  // Number of variable slots of an activation.
  [[nodiscard]] std::uint32_t variable_count() const { return variable_count_; }
  // All functions, variables and fields by name, for suggestions. O(declarations).
  [[nodiscard]] std::vector<std::string_view> names() const;

 private:
  friend class EnvironmentBuilder;
  Environment() = default;

  std::shared_ptr<const Environment> parent_;
  TypePool pool_;
  std::deque<std::string> names_;
  boost::unordered_flat_map<std::string_view, std::unique_ptr<Function>> functions_;
  boost::unordered_flat_map<std::string_view, std::unique_ptr<Variable>> variables_;
  boost::unordered_flat_map<std::string_view, std::unique_ptr<StructType>> structs_;
  boost::unordered_flat_map<std::string_view, TypeRef> types_;
  boost::unordered_flat_set<std::string_view> dotted_;  // first parts of declared names that have dots
  std::string container_;
  ParseOptions parse_options_;
  bool homogeneous_literals_ = false;
  bool any_map_keys_ = false;
  bool validate_literals_ = false;
  std::uint32_t variable_count_ = 0;
};

class EnvironmentBuilder {
 public:
  EnvironmentBuilder();
  explicit EnvironmentBuilder(std::shared_ptr<const Environment> parent);

  // Types made here live as long as the environment.
  [[nodiscard]] TypePool& types() { return environment_->pool_; }

  // Adds an overload to a function, which is made if there is none of that name. An overload whose id the function
  // has already replaces that one.
  void add_overload(std::string_view function, Overload overload);
  void add_overloads(std::string_view function, std::vector<Overload> overloads);
  // Returns the variable's slot.
  std::uint32_t add_variable(std::string_view name, TypeRef type);
  void add_struct(StructType type);
  // Makes the type's name usable as a value.
  void add_type_name(std::string_view name, TypeRef type);
  void add_macros(std::span<const Macro> macros);
  void set_container(std::string container);
  // Mixed types in one list or map literal become errors of the checker, but for the arguments of format().
  void set_homogeneous_literals(bool on);
  void set_any_map_keys(bool on);
  // Literals that duration(), timestamp(), matches(), find() and findAll() cannot read become errors of the checker.
  void set_literal_validation(bool on);

  [[nodiscard]] std::shared_ptr<const Environment> build();

 private:
  std::string_view keep(std::string_view name);
  std::shared_ptr<Environment> environment_;
};

}  // namespace berth::cel
