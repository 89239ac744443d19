// Conversions between types, type() and dyn().
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "cel/eval_context.h"
#include "cel/operations.h"
#include "cel/standard.h"
#include "cel/time.h"
#include "cel/utf8.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

Value same(EvalContext&, ArgumentsRef a) { return a[0]; }
Value does_not_fit(EvalContext& context) { return context.fail("range error: the value does not fit the type"); }
Value unreadable(EvalContext& context, std::string_view type) {
  return context.fail(fmt::format("type conversion error: the string is not a {}", type));
}

Value uint_to_int(EvalContext& context, ArgumentsRef a) {
  if (a[0].as_uint() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return does_not_fit(context);
  }
  return Value::integer(static_cast<std::int64_t>(a[0].as_uint()));
}
Value double_to_int(EvalContext& context, ArgumentsRef a) {
  const double value = a[0].as_double();
  // The bounds themselves are refused, as a double cannot tell them from their neighbours.
  if (!(value > -9223372036854775808.0 && value < 9223372036854775808.0)) return does_not_fit(context);
  return Value::integer(static_cast<std::int64_t>(value));
}
Value string_to_int(EvalContext& context, ArgumentsRef a) {
  std::string_view text = a[0].as_text();
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool signs = a[0].as_text().starts_with('+') && text.starts_with('-');
  if (code != std::errc() || end != text.data() + text.size() || signs) return unreadable(context, "int");
  return Value::integer(value);
}
Value timestamp_to_int(EvalContext&, ArgumentsRef a) { return Value::integer(a[0].as_instant().seconds); }
Value duration_to_int(EvalContext&, ArgumentsRef a) {
  return Value::integer(static_cast<std::int64_t>(nanos_of(a[0].as_instant())));
}

Value int_to_uint(EvalContext& context, ArgumentsRef a) {
  if (a[0].as_int() < 0) return does_not_fit(context);
  return Value::unsigned_integer(static_cast<std::uint64_t>(a[0].as_int()));
}
Value double_to_uint(EvalContext& context, ArgumentsRef a) {
  const double value = a[0].as_double();
  if (!(value >= 0 && value < 18446744073709551616.0)) return does_not_fit(context);
  return Value::unsigned_integer(static_cast<std::uint64_t>(value));
}
Value string_to_uint(EvalContext& context, ArgumentsRef a) {
  const std::string_view text = a[0].as_text();
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return unreadable(context, "uint");
  return Value::unsigned_integer(value);
}

Value int_to_double(EvalContext&, ArgumentsRef a) { return Value::real(static_cast<double>(a[0].as_int())); }
Value uint_to_double(EvalContext&, ArgumentsRef a) { return Value::real(static_cast<double>(a[0].as_uint())); }
Value string_to_double(EvalContext& context, ArgumentsRef a) {
  const auto value = parse_double(a[0].as_text());
  return value ? Value::real(*value) : unreadable(context, "double");
}

Value string_to_bool(EvalContext& context, ArgumentsRef a) {
  const std::string_view text = a[0].as_text();
  for (const std::string_view yes : {"true", "True", "TRUE", "t", "T", "1"}) {
    if (text == yes) return Value::boolean(true);
  }
  for (const std::string_view no : {"false", "False", "FALSE", "f", "F", "0"}) {
    if (text == no) return Value::boolean(false);
  }
  return unreadable(context, "bool");
}

Value string_to_bytes(EvalContext&, ArgumentsRef a) { return Value::bytes(a[0].as_text()); }
Value bytes_to_string(EvalContext& context, ArgumentsRef a) {
  if (!utf8::is_valid(a[0].as_text())) return context.fail("invalid UTF-8 in bytes, cannot convert to string");
  return Value::string(a[0].as_text());
}
Value bool_to_string(EvalContext&, ArgumentsRef a) { return Value::string(a[0].as_bool() ? "true" : "false"); }
Value int_to_string(EvalContext& context, ArgumentsRef a) {
  return make_string(fmt::format_int(a[0].as_int()).c_str(), context);
}
Value uint_to_string(EvalContext& context, ArgumentsRef a) {
  return make_string(fmt::format_int(a[0].as_uint()).c_str(), context);
}
Value double_to_string(EvalContext& context, ArgumentsRef a) {
  return make_string(format_double(a[0].as_double()), context);
}
Value duration_to_string(EvalContext& context, ArgumentsRef a) {
  return make_string(format_duration(a[0].as_instant()), context);
}
Value timestamp_to_string(EvalContext& context, ArgumentsRef a) {
  return make_string(format_timestamp(a[0].as_instant(), a[0].zone()), context);
}

Value string_to_timestamp(EvalContext& context, ArgumentsRef a) {
  const auto read = parse_timestamp(a[0].as_text());
  return read ? Value::timestamp(read->moment, read->zone)
              : unreadable(context, "timestamp in the years 1 to 9999 (RFC 3339)");
}
Value int_to_timestamp(EvalContext& context, ArgumentsRef a) {
  const Instant moment{a[0].as_int(), 0};
  return is_valid_timestamp(moment) ? Value::timestamp(moment) : does_not_fit(context);
}
Value string_to_duration(EvalContext& context, ArgumentsRef a) {
  const auto length = parse_duration(a[0].as_text());
  return length ? Value::duration(*length) : unreadable(context, "duration within range, such as 1h30m or 1.5s");
}

Value type_of_value(EvalContext&, ArgumentsRef a) { return Value::type(type_of(a[0])); }

}  // namespace

void add_conversions(EnvironmentBuilder& builder) {
  const TypeRef i = &types::kInt, u = &types::kUint, d = &types::kDouble, s = &types::kString, y = &types::kBytes,
                b = &types::kBool, t = &types::kTimestamp, l = &types::kDuration;
  builder.add_overloads(
      "int",
      {global("int64_to_int64", {i}, i, same), global("uint64_to_int64", {u}, i, uint_to_int),
       global("double_to_int64", {d}, i, double_to_int), global("string_to_int64", {s}, i, string_to_int),
       global("timestamp_to_int64", {t}, i, timestamp_to_int), global("duration_to_int64", {l}, i, duration_to_int)});
  builder.add_overloads(
      "uint", {global("uint64_to_uint64", {u}, u, same), global("int64_to_uint64", {i}, u, int_to_uint),
               global("double_to_uint64", {d}, u, double_to_uint), global("string_to_uint64", {s}, u, string_to_uint)});
  builder.add_overloads(
      "double",
      {global("double_to_double", {d}, d, same), global("int64_to_double", {i}, d, int_to_double),
       global("uint64_to_double", {u}, d, uint_to_double), global("string_to_double", {s}, d, string_to_double)});
  builder.add_overloads("bool",
                        {global("bool_to_bool", {b}, b, same), global("string_to_bool", {s}, b, string_to_bool)});
  builder.add_overloads("bytes",
                        {global("bytes_to_bytes", {y}, y, same), global("string_to_bytes", {s}, y, string_to_bytes)});
  builder.add_overloads(
      "string",
      {global("string_to_string", {s}, s, same), global("bool_to_string", {b}, s, bool_to_string),
       global("bytes_to_string", {y}, s, bytes_to_string), global("double_to_string", {d}, s, double_to_string),
       global("duration_to_string", {l}, s, duration_to_string), global("int64_to_string", {i}, s, int_to_string),
       global("timestamp_to_string", {t}, s, timestamp_to_string), global("uint64_to_string", {u}, s, uint_to_string)});
  builder.add_overloads("timestamp", {global("timestamp_to_timestamp", {t}, t, same),
                                      global("string_to_timestamp", {s}, t, string_to_timestamp),
                                      global("int64_to_timestamp", {i}, t, int_to_timestamp)});
  builder.add_overloads("duration", {global("duration_to_duration", {l}, l, same),
                                     global("string_to_duration", {s}, l, string_to_duration)});
  builder.add_overload("dyn", global("to_dyn", {&types::kParameterA}, &types::kDyn, same));
  builder.add_overload("type", global("type", {&types::kParameterA}, &types::kTypeA, type_of_value));
}

}  // namespace berth::cel
