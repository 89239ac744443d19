// The operators as functions of values, for the evaluator's own nodes and for the libraries.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cel/eval_context.h"

namespace berth::cel {

// list[index], map[key]; a missing one is an error.
[[nodiscard]] Value index_value(Value container, Value key, EvalContext& context);
// The same, nothing if the key or index is missing and the operation makes sense.
[[nodiscard]] std::optional<Value> find_value(Value container, Value key, EvalContext& context);
// element in list, key in map.
[[nodiscard]] Value contains_value(Value element, Value container, EvalContext& context);
// size(): code points of a string, octets, elements, entries.
[[nodiscard]] std::optional<std::int64_t> size_of(Value value);
// Whether it is what its type starts with: "", 0, [], null, ...
[[nodiscard]] bool is_zero_value(Value value);

// Texts joined in the arena.
[[nodiscard]] Value concatenate(Kind kind, std::string_view a, std::string_view b, EvalContext& context);
[[nodiscard]] Value make_string(std::string_view text, EvalContext& context);
[[nodiscard]] Value make_optional(Value content, EvalContext& context);

// A double as string() writes it: shortest digits that read back, 1e+06 from a million on.
[[nodiscard]] std::string format_double(double value);
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

}  // namespace berth::cel
