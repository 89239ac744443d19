#include "cel/literal.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/digits.h"
#include "cel/utf8.h"

namespace berth::cel {

namespace {

Result<std::uint64_t> parse_magnitude(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (code != std::errc() || end != text.data() + text.size()) {
    return fail(ErrorCode::kOverflow, "invalid integer literal: it does not fit 64 bits");
  }
  return value;
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Reads `count` digits of the base after position i; advances i past them.
Result<char32_t> read_code(std::string_view text, std::size_t& i, int count, int base) {
  char32_t code = 0;
  for (int n = 0; n < count; ++n, ++i) {
    const int digit = i < text.size() ? hex_digit(text[i]) : -1;
    if (digit < 0 || digit >= base) return fail(ErrorCode::kSyntax, "invalid escape sequence: a digit is missing");
    code = code * static_cast<char32_t>(base) + static_cast<char32_t>(digit);
  }
  return code;
}

Result<void> append_code(std::string& out, char32_t code, bool octet) {
  if (octet) {
    if (code > 0xFF) return fail(ErrorCode::kSyntax, "invalid escape sequence: an octet is at most \\377");
    out += static_cast<char>(code);
    return {};
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
    return fail(ErrorCode::kSyntax, "invalid escape sequence: not a Unicode code point");
  }
  utf8::append(out, code);
  return {};
}

// The escape whose backslash is at i - 1; i is at the character after it and moves behind the escape.
Result<void> unescape(std::string_view text, std::size_t& i, bool bytes, std::string& out) {
  if (i >= text.size()) return fail(ErrorCode::kSyntax, "invalid escape sequence at the end of a literal");
  const char c = text[i++];
  static constexpr std::string_view kNames = "abfnrtv\\'\"`?";
  static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"`?";
  if (const std::size_t named = kNames.find(c); named != std::string_view::npos) {
    out += kMeanings[named];
    return {};
  }
  switch (c) {
    case 'x':
    case 'X': {
      BERTH_TRY(const char32_t code, read_code(text, i, 2, 16));
      return append_code(out, code, bytes);
    }
    case 'u':
    case 'U': {
      if (bytes) return fail(ErrorCode::kSyntax, "invalid escape sequence: \\u and \\U have no meaning in bytes");
      BERTH_TRY(const char32_t code, read_code(text, i, c == 'u' ? 4 : 8, 16));
      return append_code(out, code, false);
    }
    case '0':
    case '1':
    case '2':
    case '3': {
      --i;
      BERTH_TRY(const char32_t code, read_code(text, i, 3, 8));
      return append_code(out, code, bytes);
    }
    default:
      return fail(ErrorCode::kSyntax, std::string("invalid escape sequence: \\") + c);
  }
}

}  // namespace

Result<std::int64_t> parse_int_literal(std::string_view text, bool negative) {
  BERTH_TRY(const std::uint64_t magnitude, parse_magnitude(text));
  constexpr auto kLimit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude > kLimit + (negative ? 1 : 0)) {
    return fail(ErrorCode::kOverflow, "invalid int literal: it does not fit 64 bits");
  }
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

Result<std::uint64_t> parse_uint_literal(std::string_view text) {
  text.remove_suffix(1);
  return parse_magnitude(text);
}

Result<double> parse_double_literal(std::string_view text, bool negative) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc::result_out_of_range) {
    // Too small is zero, too large is an error, and from_chars does not say which it is.
    value = std::strtod(std::string(text).c_str(), nullptr);
    if (std::isinf(value))
      return fail(ErrorCode::kOverflow, "invalid double literal: it is larger than a double can be");
  } else if (code != std::errc() || end != text.data() + text.size()) {
    return fail(ErrorCode::kSyntax, "invalid double literal");
  }
  return negative ? -value : value;
}

Result<std::string> parse_quoted_literal(std::string_view token, bool bytes) {
  bool raw = false;
  while (!token.empty() && token.front() != '"' && token.front() != '\'') {
    raw = raw || token.front() == 'r' || token.front() == 'R';
    token.remove_prefix(1);
  }
  const std::size_t quotes = token.size() >= 6 && token[1] == token[0] && token[2] == token[0] ? 3 : 1;
  const std::string_view body = token.substr(quotes, token.size() - 2 * quotes);
  std::string out;
  out.reserve(body.size());
  std::size_t i = 0;
  while (i < body.size()) {
    const char c = body[i++];
    if (c == '\\' && !raw) {
      BERTH_TRY_VOID(unescape(body, i, bytes, out));
    } else if (c == '\r') {
      // Line ends of a source file are one character to CEL.
      if (i < body.size() && body[i] == '\n') ++i;
      out += '\n';
    } else {
      out += c;
    }
  }
  if (!utf8::is_valid(body)) return fail(ErrorCode::kSyntax, "the literal is not valid UTF-8");
  return out;
}

}  // namespace berth::cel
