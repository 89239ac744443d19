#include "cel/standard.h"

namespace berth::cel {

void add_standard(EnvironmentBuilder& builder) {
  builder.add_macros(standard_macros());
  add_arithmetic(builder);
  add_comparisons(builder);
  add_conversions(builder);
  add_texts(builder);
  add_containers(builder);
  add_times(builder);
  for (const TypeRef type : {&types::kBool, &types::kInt, &types::kUint, &types::kDouble, &types::kString,
                             &types::kBytes, &types::kNull, &types::kDuration, &types::kTimestamp}) {
    builder.add_type_name(type->name, type);
  }
  builder.add_type_name("list", &types::kListDyn);
  builder.add_type_name("map", &types::kMapDynDyn);
  builder.add_type_name("type", &types::kType);
}

void add_bindings(EnvironmentBuilder& builder) { builder.add_macros(binding_macros()); }

}  // namespace berth::cel
