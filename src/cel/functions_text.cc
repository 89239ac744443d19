// Texts: size, contains, startsWith, endsWith, matches.
#include "cel/eval_context.h"
#include "cel/operations.h"
#include "cel/regex.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

Value text_size(EvalContext& context, ArgumentsRef a) {
  const auto size = size_of(a[0]);
  return size ? Value::integer(*size) : context.no_such_overload();
}
Value contains(EvalContext&, ArgumentsRef a) {
  return Value::boolean(a[0].as_text().find(a[1].as_text()) != std::string_view::npos);
}
Value starts_with(EvalContext&, ArgumentsRef a) { return Value::boolean(a[0].as_text().starts_with(a[1].as_text())); }
Value ends_with(EvalContext&, ArgumentsRef a) { return Value::boolean(a[0].as_text().ends_with(a[1].as_text())); }

Value matches(EvalContext& context, ArgumentsRef a) {
  return with_pattern(context, a,
                      [&](const re2::RE2& pattern) { return Value::boolean(matches_part(pattern, a[0].as_text())); });
}

}  // namespace

void add_texts(EnvironmentBuilder& builder) {
  const TypeRef i = &types::kInt, b = &types::kBool, s = &types::kString, y = &types::kBytes;
  builder.add_overloads("size", {global("size_string", {s}, i, text_size), member("string_size", {s}, i, text_size),
                                 global("size_bytes", {y}, i, text_size), member("bytes_size", {y}, i, text_size)});
  builder.add_overload("contains", member("contains_string", {s, s}, b, contains));
  builder.add_overload("startsWith", member("starts_with_string", {s, s}, b, starts_with));
  builder.add_overload("endsWith", member("ends_with_string", {s, s}, b, ends_with));
  builder.add_overloads("matches", {global("matches", {s, s}, b, matches, prepare_pattern),
                                    member("matches_string", {s, s}, b, matches, prepare_pattern)});
}

}  // namespace berth::cel
