#include "cel/operations.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "base/digits.h"
#include "cel/containers.h"
#include "cel/utf8.h"

namespace berth::cel {

namespace {

// The position that a number means in a list; nothing if it is no whole number.
std::optional<std::int64_t> list_position(Value key) {
  switch (key.kind()) {
    case Kind::kInt:
      return key.as_int();
    case Kind::kUint:
      if (key.as_uint() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return -1;
      return static_cast<std::int64_t>(key.as_uint());
    case Kind::kDouble: {
      const double value = key.as_double();
      if (value != std::floor(value) || std::fabs(value) > 9007199254740992.0) return std::nullopt;
      return static_cast<std::int64_t>(value);
    }
    default:
      return std::nullopt;
  }
}

bool iequals(std::string_view a, std::string_view lower) {
  if (a.size() != lower.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char c = a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] - 'A' + 'a') : a[i];
    if (c != lower[i]) return false;
  }
  return true;
}

Value missing_key(Value key, EvalContext& context) {
  return context.fail("no such key: " +
                      (key.is(Kind::kString) ? std::string(key.as_text()) : to_string(key, context.arena())));
}

}  // namespace

Value index_value(Value container, Value key, EvalContext& context) {
  if (container.is(Kind::kMap)) {
    if (!is_map_key(key) && !key.is(Kind::kDouble)) return context.no_such_overload();
    const auto found = container.as_map().find(key, context.arena());
    return found ? *found : missing_key(key, context);
  }
  if (container.is(Kind::kList)) {
    const auto position = list_position(key);
    if (!position) return context.fail("unsupported index type in list: an index is a whole number");
    const List& list = container.as_list();
    if (*position < 0 || static_cast<std::size_t>(*position) >= list.size()) {
      return context.fail(fmt::format("index out of bounds: {}", *position));
    }
    return list.at(static_cast<std::size_t>(*position), context.arena());
  }
  return context.no_such_overload();
}

std::optional<Value> find_value(Value container, Value key, EvalContext& context) {
  if (container.is(Kind::kMap)) {
    if (!is_map_key(key) && !key.is(Kind::kDouble)) return context.no_such_overload();
    return container.as_map().find(key, context.arena());
  }
  if (container.is(Kind::kList)) {
    const auto position = list_position(key);
    if (!position) return context.fail("unsupported index type in list: an index is a whole number");
    const List& list = container.as_list();
    if (*position < 0 || static_cast<std::size_t>(*position) >= list.size()) return std::nullopt;
    return list.at(static_cast<std::size_t>(*position), context.arena());
  }
  return context.no_such_overload();
}

Value contains_value(Value element, Value container, EvalContext& context) {
  if (container.is(Kind::kList)) {
    const List& list = container.as_list();
    const std::size_t size = list.size();
    for (std::size_t i = 0; i < size; ++i) {
      if (!context.arena().spend()) break;
      if (equal(list.at(i, context.arena()), element, context.arena())) return Value::boolean(true);
    }
    return Value::boolean(false);
  }
  if (container.is(Kind::kMap)) return Value::boolean(container.as_map().has(element, context.arena()));
  return context.no_such_overload();
}

std::optional<std::int64_t> size_of(Value value) {
  switch (value.kind()) {
    case Kind::kString:
      return static_cast<std::int64_t>(utf8::count(value.as_text()));
    case Kind::kBytes:
      return static_cast<std::int64_t>(value.as_text().size());
    case Kind::kList:
      return static_cast<std::int64_t>(value.as_list().size());
    case Kind::kMap:
      return static_cast<std::int64_t>(value.as_map().size());
    default:
      return std::nullopt;
  }
}

bool is_zero_value(Value value) {
  switch (value.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kUint:
      return value.as_uint() == 0;
    case Kind::kDouble:
      return value.as_double() == 0;
    case Kind::kString:
    case Kind::kBytes:
      return value.as_text().empty();
    case Kind::kDuration:
      return value.as_instant() == Instant{};
    case Kind::kTimestamp:
      return value.as_instant() == Instant{-62'135'596'800, 0};
    case Kind::kList:
      return value.as_list().size() == 0;
    case Kind::kMap:
      return value.as_map().size() == 0;
    case Kind::kOptional:
      return value.as_optional() == nullptr;
    case Kind::kObject:
      return value.as_object().is_zero();
    case Kind::kType:
    case Kind::kError:
      return false;
  }
  return false;
}

Value concatenate(Kind kind, std::string_view a, std::string_view b, EvalContext& context) {
  const std::size_t size = a.size() + b.size();
  if (size > std::numeric_limits<std::uint32_t>::max() || !context.reserve(size)) return context.cancelled();
  std::string_view joined;
  if (size > 0) {
    auto* data = static_cast<char*>(context.arena().allocate(size, 1));
    a.copy(data, a.size());
    b.copy(data + a.size(), b.size());
    joined = {data, size};
  }
  return kind == Kind::kString ? Value::string(joined) : Value::bytes(joined);
}

Value make_string(std::string_view text, EvalContext& context) {
  if (!context.reserve(text.size())) return context.cancelled();
  return Value::string(context.arena().copy(text));
}

Value make_optional(Value content, EvalContext& context) {
  return Value::optional(context.arena().make<Value>(content));
}

std::string format_double(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  char buffer[64];
  const auto scientific = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  const std::string_view text(buffer, static_cast<std::size_t>(scientific.ptr - buffer));
  int exponent = 0;
  const std::size_t mark = text.find('e');
  const char* digits = text.data() + mark + 1 + (text[mark + 1] == '+' ? 1 : 0);
  std::from_chars(digits, text.data() + text.size(), exponent);
  // As upstream prints (%g of Go): with an exponent below -4 and from 6 on.
  if (exponent >= -4 && exponent < 6) {
    const auto fixed = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
    return std::string(buffer, fixed.ptr);
  }
  return std::string(text);
}

namespace {

// One may stand between two digits, and behind 0x.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
      continue;
    }
    const auto digit = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
    const bool after = i > 0 && (digit(text[i - 1]) || ((text[i - 1] == 'x' || text[i - 1] == 'X') && i > 1));
    if (!after || i + 1 == text.size() || !digit(text[i + 1])) return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<double> parse_double(std::string_view written) {
  const auto plain = without_underscores(written);
  if (!plain) return std::nullopt;
  const std::string_view text = *plain;
  std::string_view magnitude = text;
  bool negative = false;
  if (magnitude.starts_with('-') || magnitude.starts_with('+')) {
    negative = magnitude.front() == '-';
    magnitude.remove_prefix(1);
  }
  if (iequals(magnitude, "inf") || iequals(magnitude, "infinity")) {
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  if (iequals(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (magnitude.empty() || (magnitude.front() != '.' && !is_digit(magnitude.front()))) return std::nullopt;
  auto format = std::chars_format::general;
  if (magnitude.starts_with("0x") || magnitude.starts_with("0X")) {
    if (magnitude.find_first_of("pP") == std::string_view::npos) return std::nullopt;
    format = std::chars_format::hex;
    magnitude.remove_prefix(2);
  }
  double value = 0;
  const auto [end, code] = std::from_chars(magnitude.data(), magnitude.data() + magnitude.size(), value, format);
  if (end != magnitude.data() + magnitude.size()) return std::nullopt;
  if (code == std::errc::result_out_of_range) {
    // Too small rounds to zero; too large is not a double.
    value = std::strtod(std::string(text).c_str(), nullptr);
    if (std::isinf(value)) return std::nullopt;
    return value;
  }
  if (code != std::errc()) return std::nullopt;
  return negative ? -value : value;
}

}  // namespace berth::cel
