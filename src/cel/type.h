// Types of CEL, as the checker sees them and as values carry them at run time.
//
// Primitive types are constants; composed types live in a TypePool, which owns them and must outlive their users. Two
// types are the same if their structure is (same_type), never only if their addresses are.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cel {

enum class TypeKind : std::uint8_t {
  kDyn,
  kError,  // what an expression that was already complained about has
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kDuration,
  kTimestamp,
  kAny,  // dynamic, but not known to be a list or map: cannot be iterated
  kList,
  kMap,
  kType,
  kStruct,     // named type with fields, from the host
  kOpaque,     // named type with parameters and without fields
  kParameter,  // type parameter of an overload, or a variable of the unifier
  kWrapper,    // a primitive or null
};

struct Type {
  TypeKind kind = TypeKind::kDyn;
  std::string_view name;  // as type() prints it; for a parameter its name
  std::vector<const Type*> parameters;
  // Largest number of elements or code points that the host promises; negative: not known. Not part of identity.
  std::int64_t max_size = -1;
};

using TypeRef = const Type*;

namespace types {
extern const Type kDyn, kError, kNull, kBool, kInt, kUint, kDouble, kString, kBytes, kDuration, kTimestamp, kAny;
extern const Type kList, kMap, kType;  // without parameters: what type([]) is
extern const Type kParameterA, kParameterB, kListA, kMapAB, kTypeA, kOptionalA, kOptionalB;
extern const Type kListDyn, kMapDynDyn, kListString, kListInt, kMapStringDyn;
}  // namespace types

inline constexpr std::string_view kOptionalTypeName = "optional_type";

class TypePool {
 public:
  TypePool() = default;
  TypePool(const TypePool&) = delete;
  TypePool& operator=(const TypePool&) = delete;
  TypePool(TypePool&&) = default;
  TypePool& operator=(TypePool&&) = default;

  TypeRef list(TypeRef element);
  TypeRef map(TypeRef key, TypeRef value);
  TypeRef type_of(TypeRef instance);
  TypeRef optional(TypeRef element);
  TypeRef opaque(std::string_view name, std::span<const TypeRef> parameters = {});
  TypeRef structure(std::string_view name);
  TypeRef wrapper(TypeRef primitive);
  TypeRef parameter(std::string_view name);
  // The same type with a promise about its size.
  TypeRef sized(TypeRef type, std::int64_t max_size);
  TypeRef make(Type type);

 private:
  std::string_view keep(std::string_view name);

  std::deque<Type> types_;
  std::deque<std::string> names_;
};

[[nodiscard]] bool same_type(TypeRef a, TypeRef b);
[[nodiscard]] inline bool is_dyn(TypeRef type) { return type->kind == TypeKind::kDyn || type->kind == TypeKind::kAny; }
[[nodiscard]] inline bool is_dyn_or_error(TypeRef type) { return is_dyn(type) || type->kind == TypeKind::kError; }
[[nodiscard]] inline bool is_optional(TypeRef type) {
  return type->kind == TypeKind::kOpaque && type->name == kOptionalTypeName;
}
// "map(string, list(int))", as error messages and the conformance suite spell types.
[[nodiscard]] std::string to_string(TypeRef type);

}  // namespace berth::cel
