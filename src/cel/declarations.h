// What an expression may use: functions with their overloads, variables, types with fields.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/type.h"
#include "cel/value.h"

namespace berth::cel {

class EvalContext;

// Arguments of one call. `prepared` is what the overload's prepare() made of the constant ones when the program was
// planned (a compiled pattern), or null.
struct Arguments {
  std::span<const Value> values;
  const void* prepared = nullptr;

  Value operator[](std::size_t index) const { return values[index]; }
  [[nodiscard]] std::size_t size() const { return values.size(); }
};

// Computes a call. No argument is an error; each has the type that the overload declares (dyn: any). Returns
// context.fail(...) where there is no value. Depends on its arguments alone.
using Implementation = Value (*)(EvalContext& context, const Arguments& arguments);

// Looks at the arguments that are constants (null where one is not) and makes what the implementation can reuse. Null:
// nothing to prepare, or an error that the implementation will find again.
using Prepare = std::shared_ptr<const void> (*)(std::span<const Value* const> constants);

struct Overload {
  std::string_view id;  // unique, as upstream names it: costs and errors refer to it
  bool member = false;  // target.f(...): the target is the first parameter
  std::vector<TypeRef> parameters;
  TypeRef result = nullptr;
  Implementation implementation = nullptr;
  Prepare prepare = nullptr;
  bool generic = false;  // some parameter mentions a type parameter; set by the environment
};

struct Function {
  std::string_view name;
  std::vector<Overload> overloads;
};

struct Variable {
  std::string_view name;
  TypeRef type = nullptr;
  std::uint32_t slot = 0;  // index into the activation
};

struct Field {
  std::string_view name;
  TypeRef type = nullptr;
};

// A type with fields. The index of a field is the slot that Object::field() gets.
struct StructType {
  TypeRef type = nullptr;
  std::vector<Field> fields;
};

}  // namespace berth::cel
