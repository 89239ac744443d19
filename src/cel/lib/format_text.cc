#include "cel/lib/format_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cel/operations.h"
#include "cel/time.h"

namespace berth::cel {

namespace {

constexpr int kMaxPrecision = 1000;

std::optional<std::string> special(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return std::nullopt;
}

// The shortest digits that read back, with zeros instead of an exponent.
std::string fixed(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::scientific);
  const std::string_view text(buffer, static_cast<std::size_t>(end.ptr - buffer));
  const std::size_t mark = text.find('e');
  int exponent = 0;  // behind a sign, which from_chars does not read as +
  std::from_chars(text.data() + mark + 2, text.data() + text.size(), exponent);
  if (text[mark + 1] == '-') exponent = -exponent;
  std::string digits(text.substr(0, mark));
  std::erase(digits, '.');
  const int whole = exponent + 1;  // digits in front of the point
  const auto size = static_cast<int>(digits.size());
  if (whole <= 0) {
    digits = "0." + std::string(static_cast<std::size_t>(-whole), '0') + digits;
  } else if (whole >= size) {
    digits.append(static_cast<std::size_t>(whole - size), '0');
  } else {
    digits.insert(static_cast<std::size_t>(whole), ".");
  }
  if (value == 0) digits = "0";
  return std::signbit(value) ? "-" + digits : digits;
}

}  // namespace

Value Formatter::run(std::string_view format, const List& arguments) {
  std::size_t used = 0;
  while (!format.empty() && error_.empty()) {
    const std::size_t plain = std::min(format.find('%'), format.size());
    out_ += format.substr(0, plain);
    format.remove_prefix(plain);
    if (format.empty()) break;
    format.remove_prefix(1);
    if (format.starts_with('%')) {
      out_ += '%';
      format.remove_prefix(1);
      continue;
    }
    const int precision = read_precision(format);
    if (format.empty()) {
      error_ = error_.empty() ? "unexpected end of the format string" : error_;
    } else if (!error_.empty()) {
      break;
    } else if (used >= arguments.size()) {
      error_ = fmt::format("index {} out of range", used);
    } else {
      clause(format.front(), precision, arguments.at(used++, context_.arena()));
      format.remove_prefix(1);
    }
    if (!context_.reserve(out_.size())) return context_.cancelled();
  }
  if (!error_.empty()) return context_.fail("error during formatting: " + error_);
  return make_string(out_, context_);
}

// ".3" in front of a clause; -1: none.
int Formatter::read_precision(std::string_view& format) {
  if (!format.starts_with('.')) return -1;
  format.remove_prefix(1);
  int precision = 0;
  const auto [end, code] = std::from_chars(format.data(), format.data() + format.size(), precision);
  if (code != std::errc() || precision > kMaxPrecision || end == format.data()) {
    error_ = "the precision is not a number up to 1000";
    return -1;
  }
  format.remove_prefix(static_cast<std::size_t>(end - format.data()));
  return precision;
}

void Formatter::clause(char verb, int precision, Value value) {
  switch (verb) {
    case 's':
      string(value, 0);
      break;
    case 'd':
      decimal(value);
      break;
    case 'f':
    case 'e':
      real(verb, precision < 0 ? kDefaultPrecision : precision, value);
      break;
    case 'b':
      binary(value);
      break;
    case 'o':
      octal(value);
      break;
    case 'x':
    case 'X':
      hexadecimal(value, verb == 'X');
      break;
    default:
      error_ = fmt::format("unrecognized formatting clause '{}'", verb);
  }
}

void Formatter::wrong(std::string_view clause, Value value) {
  error_ = fmt::format("{}, was given {}", clause, type_of(value)->name);
}

void Formatter::decimal(Value value) {
  if (value.is(Kind::kInt)) {
    out_ += fmt::format("{}", value.as_int());
  } else if (value.is(Kind::kUint)) {
    out_ += fmt::format("{}", value.as_uint());
  } else if (value.is(Kind::kDouble)) {
    out_ += special(value.as_double()).value_or(fixed(value.as_double()));
  } else {
    wrong("decimal clause can only be used on numbers", value);
  }
}

void Formatter::real(char verb, int precision, Value value) {
  double number = 0;
  if (value.is(Kind::kDouble)) {
    number = value.as_double();
  } else if (value.is(Kind::kInt)) {
    number = static_cast<double>(value.as_int());
  } else if (value.is(Kind::kUint)) {
    number = static_cast<double>(value.as_uint());
  } else {
    wrong(verb == 'f' ? "fixed-point clause can only be used on doubles, integers and unsigned integers"
                      : "scientific clause can only be used on doubles, integers and unsigned integers",
          value);
    return;
  }
  if (const auto named = special(number)) {
    out_ += *named;
  } else {
    out_ += verb == 'f' ? fmt::format("{:.{}f}", number, precision) : fmt::format("{:.{}e}", number, precision);
  }
}

void Formatter::binary(Value value) {
  if (value.is(Kind::kInt)) {
    out_ += fmt::format("{:b}", value.as_int());
  } else if (value.is(Kind::kUint)) {
    out_ += fmt::format("{:b}", value.as_uint());
  } else if (value.is(Kind::kBool)) {
    out_ += value.as_bool() ? '1' : '0';
  } else {
    wrong("only integers and bools can be formatted as binary", value);
  }
}

void Formatter::octal(Value value) {
  if (value.is(Kind::kInt)) {
    out_ += fmt::format("{:o}", value.as_int());
  } else if (value.is(Kind::kUint)) {
    out_ += fmt::format("{:o}", value.as_uint());
  } else {
    wrong("octal clause can only be used on integers", value);
  }
}

void Formatter::hexadecimal(Value value, bool upper) {
  if (value.is(Kind::kInt)) {
    out_ += upper ? fmt::format("{:X}", value.as_int()) : fmt::format("{:x}", value.as_int());
  } else if (value.is(Kind::kUint)) {
    out_ += upper ? fmt::format("{:X}", value.as_uint()) : fmt::format("{:x}", value.as_uint());
  } else if (value.is(Kind::kString) || value.is(Kind::kBytes)) {
    for (const char c : value.as_text()) {
      const auto octet = static_cast<unsigned char>(c);
      out_ += upper ? fmt::format("{:02X}", octet) : fmt::format("{:02x}", octet);
    }
  } else {
    wrong("only integers, byte buffers, and strings can be formatted as hex", value);
  }
}

void Formatter::string(Value value, int depth) {
  if (depth > kMaxFormatDepth) {
    error_ = "the value is nested too deeply";
    return;
  }
  switch (value.kind()) {
    case Kind::kNull:
      out_ += "null";
      break;
    case Kind::kBool:
      out_ += value.as_bool() ? "true" : "false";
      break;
    case Kind::kInt:
    case Kind::kUint:
      decimal(value);
      break;
    case Kind::kDouble:
      out_ += special(value.as_double()).value_or(fixed(value.as_double()));
      break;
    case Kind::kString:
    case Kind::kBytes:
      out_ += value.as_text();
      break;
    case Kind::kDuration:
      out_ += format_duration(value.as_instant());
      break;
    case Kind::kTimestamp:
      out_ += format_timestamp(value.as_instant());
      break;
    case Kind::kType:
      out_ += value.as_type()->name;
      break;
    case Kind::kList:
      list(value.as_list(), depth);
      break;
    case Kind::kMap:
      map(value.as_map(), depth);
      break;
    case Kind::kOptional:
    case Kind::kObject:
    case Kind::kError:
      wrong(
          "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
          "and timestamps",
          value);
  }
}

void Formatter::list(const List& list, int depth) {
  out_ += '[';
  for (std::size_t i = 0; i < list.size() && error_.empty(); ++i) {
    if (i > 0) out_ += ", ";
    string(list.at(i, context_.arena()), depth + 1);
  }
  out_ += ']';
}

// Entries in the order of their keys' texts, so that the output does not depend on the map.
void Formatter::map(const Map& map, int depth) {
  std::vector<std::pair<std::string, Value>> entries;
  for (std::size_t i = 0; i < map.size() && error_.empty(); ++i) {
    const std::size_t mark = out_.size();
    string(map.key_at(i, context_.arena()), depth + 1);
    entries.emplace_back(out_.substr(mark), map.value_at(i, context_.arena()));
    out_.resize(mark);
  }
  std::ranges::sort(entries, {}, &std::pair<std::string, Value>::first);
  out_ += '{';
  bool first = true;
  for (const auto& [key, value] : entries) {
    if (!first) out_ += ", ";
    first = false;
    out_ += key;
    out_ += ": ";
    string(value, depth + 1);
  }
  out_ += '}';
}

}  // namespace berth::cel
