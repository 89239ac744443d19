// The standard library of CEL: operators, conversions, texts, containers, times, optional values.
#pragma once

#include "cel/environment.h"

namespace berth::cel {

// Everything the language definition has, with its macros. Ordering also compares numbers of different types.
void add_standard(EnvironmentBuilder& builder);
// optional.of, optional.none, optional.ofNonZeroValue, hasValue, value, or, orValue, unwrap, optMap, optFlatMap and the
// optional forms of indexing.
void add_optionals(EnvironmentBuilder& builder);
// duration.getMilliseconds() as all of the duration, as cel-go and so the API server has it; the specification, and
// add_standard, have the part within the second.
void add_total_milliseconds(EnvironmentBuilder& builder);
// cel.bind.
void add_bindings(EnvironmentBuilder& builder);
// The macros over two variables and what they expand to.
void add_two_variable_comprehensions(EnvironmentBuilder& builder);

// Parts of add_standard.
void add_arithmetic(EnvironmentBuilder& builder);
void add_comparisons(EnvironmentBuilder& builder);
void add_conversions(EnvironmentBuilder& builder);
void add_texts(EnvironmentBuilder& builder);
void add_containers(EnvironmentBuilder& builder);
void add_times(EnvironmentBuilder& builder);

// Short forms for tables of overloads.
[[nodiscard]] inline Overload global(std::string_view id, std::vector<TypeRef> parameters, TypeRef result,
                                     Implementation implementation, Prepare prepare = nullptr) {
  return {id, false, std::move(parameters), result, implementation, prepare, false};
}
[[nodiscard]] inline Overload member(std::string_view id, std::vector<TypeRef> parameters, TypeRef result,
                                     Implementation implementation, Prepare prepare = nullptr) {
  return {id, true, std::move(parameters), result, implementation, prepare, false};
}

}  // namespace berth::cel
