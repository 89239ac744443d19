#include "cel/type.h"

namespace berth::cel {

namespace types {
const Type kDyn{TypeKind::kDyn, "dyn", {}};
const Type kError{TypeKind::kError, "*error*", {}};
const Type kNull{TypeKind::kNull, "null_type", {}};
const Type kBool{TypeKind::kBool, "bool", {}};
const Type kInt{TypeKind::kInt, "int", {}};
const Type kUint{TypeKind::kUint, "uint", {}};
const Type kDouble{TypeKind::kDouble, "double", {}};
const Type kString{TypeKind::kString, "string", {}};
const Type kBytes{TypeKind::kBytes, "bytes", {}};
const Type kDuration{TypeKind::kDuration, "google.protobuf.Duration", {}};
const Type kTimestamp{TypeKind::kTimestamp, "google.protobuf.Timestamp", {}};
const Type kAny{TypeKind::kAny, "google.protobuf.Any", {}};
const Type kList{TypeKind::kList, "list", {}};
const Type kMap{TypeKind::kMap, "map", {}};
const Type kType{TypeKind::kType, "type", {}};
const Type kParameterA{TypeKind::kParameter, "A", {}};
const Type kParameterB{TypeKind::kParameter, "B", {}};
const Type kListA{TypeKind::kList, "list", {&kParameterA}};
const Type kMapAB{TypeKind::kMap, "map", {&kParameterA, &kParameterB}};
const Type kTypeA{TypeKind::kType, "type", {&kParameterA}};
const Type kOptionalA{TypeKind::kOpaque, kOptionalTypeName, {&kParameterA}};
const Type kOptionalB{TypeKind::kOpaque, kOptionalTypeName, {&kParameterB}};
const Type kListDyn{TypeKind::kList, "list", {&kDyn}};
const Type kMapDynDyn{TypeKind::kMap, "map", {&kDyn, &kDyn}};
const Type kListString{TypeKind::kList, "list", {&kString}};
const Type kListInt{TypeKind::kList, "list", {&kInt}};
const Type kMapStringDyn{TypeKind::kMap, "map", {&kString, &kDyn}};
}  // namespace types

std::string_view TypePool::keep(std::string_view name) { return names_.emplace_back(name); }

TypeRef TypePool::make(Type type) { return &types_.emplace_back(std::move(type)); }
TypeRef TypePool::list(TypeRef element) { return make({TypeKind::kList, "list", {element}}); }
TypeRef TypePool::map(TypeRef key, TypeRef value) { return make({TypeKind::kMap, "map", {key, value}}); }
TypeRef TypePool::type_of(TypeRef instance) { return make({TypeKind::kType, "type", {instance}}); }
TypeRef TypePool::optional(TypeRef element) { return make({TypeKind::kOpaque, kOptionalTypeName, {element}}); }
TypeRef TypePool::opaque(std::string_view name, std::span<const TypeRef> parameters) {
  return make({TypeKind::kOpaque, keep(name), {parameters.begin(), parameters.end()}});
}
TypeRef TypePool::structure(std::string_view name) { return make({TypeKind::kStruct, keep(name), {}}); }
TypeRef TypePool::wrapper(TypeRef primitive) { return make({TypeKind::kWrapper, primitive->name, {primitive}}); }
TypeRef TypePool::parameter(std::string_view name) { return make({TypeKind::kParameter, keep(name), {}}); }
TypeRef TypePool::sized(TypeRef type, std::int64_t max_size) {
  Type copy = *type;
  copy.max_size = max_size;
  return make(std::move(copy));
}

bool same_type(TypeRef a, TypeRef b) {
  if (a == b) return true;
  // Variables of the checker all have one name: only the same variable is the same type.
  if (a->kind == TypeKind::kParameter) return false;
  if (a->kind != b->kind || a->name != b->name || a->parameters.size() != b->parameters.size()) return false;
  for (std::size_t i = 0; i < a->parameters.size(); ++i) {
    if (!same_type(a->parameters[i], b->parameters[i])) return false;
  }
  return true;
}

std::string to_string(TypeRef type) {
  switch (type->kind) {
    case TypeKind::kAny:
      return "any";
    case TypeKind::kNull:
      return "null";
    case TypeKind::kError:
      return "!error!";
    case TypeKind::kWrapper:
      return "wrapper(" + to_string(type->parameters.front()) + ")";
    case TypeKind::kDyn:
    case TypeKind::kBool:
    case TypeKind::kInt:
    case TypeKind::kUint:
    case TypeKind::kDouble:
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kDuration:
    case TypeKind::kTimestamp:
    case TypeKind::kList:
    case TypeKind::kMap:
    case TypeKind::kType:
    case TypeKind::kStruct:
    case TypeKind::kOpaque:
    case TypeKind::kParameter:
      break;
  }
  std::string out(type->name);
  if (type->parameters.empty()) return out;
  out += '(';
  for (std::size_t i = 0; i < type->parameters.size(); ++i) {
    if (i > 0) out += ", ";
    out += to_string(type->parameters[i]);
  }
  return out + ")";
}

}  // namespace berth::cel
