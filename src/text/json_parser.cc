#include "text/json_parser.h"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/digits.h"
#include "text/utf8.h"

namespace berth::text {
namespace {

// A bit per byte of the 16 at `at` that ends a run of plain string characters: the quote, the backslash, control
// characters, and everything above ASCII, which has to be validated.
inline std::uint32_t string_stops(const char* at) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  // Signed comparison: bytes from 0x80 are negative, so one comparison finds them and the control characters.
  const __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
  const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i slash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(low, _mm_or_si128(quote, slash))));
#else
  std::uint32_t stops = 0;
  for (unsigned i = 0; i < 16; ++i) {
    const char byte = at[i];
    if (static_cast<signed char>(byte) < 0x20 || byte == '"' || byte == '\\') stops |= 1U << i;
  }
  return stops;
#endif
}

// A bit per byte of the 16 at `at` that is not white space.
inline std::uint32_t space_stops(const char* at) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i blank =
      _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')));
  const __m128i rare =
      _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')));
  return ~static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(blank, rare))) & 0xFFFFU;
#else
  std::uint32_t stops = 0;
  for (unsigned i = 0; i < 16; ++i)
    if (at[i] != ' ' && at[i] != '\n' && at[i] != '\t' && at[i] != '\r') stops |= 1U << i;
  return stops;
#endif
}

constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Four hexadecimal digits, or -1.
int hex_unit(const char* at) {
  int unit = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_digit(at[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

}  // namespace

std::string JsonFault::message() const {
  switch (cause) {
    case Cause::kNone:
      return {};
    case Cause::kEnd:
      return "The JSON text ends in the middle of a value; the file is cut short, so export it again.";
    case Cause::kValue:
      return "The JSON text is broken: a value is expected here (a string in double quotes, a number, true, false, "
             "null, "
             "an object or an array).";
    case Cause::kKey:
      return "The JSON text is broken: a key in double quotes is expected here; remove a trailing comma or add the "
             "quotes.";
    case Cause::kColon:
      return "The JSON text is broken: ':' is expected here, between a key and its value.";
    case Cause::kComma:
      return "The JSON text is broken: ',' or the closing bracket is expected here, behind a value.";
    case Cause::kEscape:
      return "The JSON string has an unknown escape; write \\\\ for a backslash and \\uXXXX for a character.";
    case Cause::kControl:
      return "The JSON string holds a raw line break or control character; write it as \\n or \\uXXXX.";
    case Cause::kNumber:
      return "The JSON number is malformed; write it like -12, 0.5 or 1e3, without leading zeros or a plus sign.";
    case Cause::kDepth:
      return "The JSON text is nested too deeply; no Kubernetes object needs that, so look for a damaged file.";
    case Cause::kUtf8:
      return "The JSON string is not valid UTF-8; save the file as UTF-8.";
    case Cause::kDuplicate:
      return "The key \"" + name + "\" comes twice in one object; remove one of the two.";
  }
  return {};
}

bool JsonParser::fault(JsonFault::Cause cause, const char* at) {
  if (!hard_) hard_ = {at >= end_ ? JsonFault::Cause::kEnd : cause, at < end_ ? at : end_, {}};
  return false;
}

void JsonParser::skip_space() {
  if (static_cast<unsigned char>(*at_) > ' ') return;
  for (;;) {
    const std::uint32_t stops = space_stops(at_);
    if (stops != 0) {
      at_ += std::countr_zero(stops);
      return;
    }
    at_ += 16;
  }
}

bool JsonParser::check_escape(const char* at) {
  switch (at[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return true;
    case 'u':
      for (int i = 2; i < 6; ++i)
        if (hex_digit(at[i]) < 0) return fault(JsonFault::Cause::kEscape, at + i >= end_ ? end_ : at);
      return true;
    default:
      return fault(JsonFault::Cause::kEscape, at + 1 >= end_ ? end_ : at);
  }
}

bool JsonParser::scan_string(bool& escaped) {
  escaped = false;
  const char* at = at_;
  for (;;) {
    const std::uint32_t stops = string_stops(at);
    if (stops == 0) {
      at += 16;
      continue;
    }
    at += std::countr_zero(stops);
    const char stop = *at;
    if (stop == '"') {
      at_ = at + 1;
      return true;
    }
    if (stop == '\\') {
      if (!check_escape(at)) return false;
      escaped = true;
      at += 2;
    } else if (static_cast<unsigned char>(stop) >= 0x80) {
      std::size_t length = utf8_sequence({at, static_cast<std::size_t>(end_ - at)});
      if (length == 0) {
        if (!soft_) soft_ = {JsonFault::Cause::kUtf8, at, {}};
        length = 1;
      }
      at += length;
    } else {
      return fault(JsonFault::Cause::kControl, at);
    }
  }
}

std::string_view JsonParser::unescape(std::string_view raw, Arena& arena) {
  // An escape is never shorter than what it stands for.
  char* const begin = static_cast<char*>(arena.allocate(raw.size()));
  char* out = begin;
  const char* at = raw.data();
  const char* const end = at + raw.size();
  while (at < end) {
    const auto* slash = static_cast<const char*>(std::memchr(at, '\\', static_cast<std::size_t>(end - at)));
    const auto plain = static_cast<std::size_t>((slash == nullptr ? end : slash) - at);
    std::memcpy(out, at, plain);
    out += plain;
    if (slash == nullptr) break;
    at = slash + 2;
    switch (slash[1]) {
      case 'b':
        *out++ = '\b';
        break;
      case 'f':
        *out++ = '\f';
        break;
      case 'n':
        *out++ = '\n';
        break;
      case 'r':
        *out++ = '\r';
        break;
      case 't':
        *out++ = '\t';
        break;
      case 'u': {
        auto code_point = static_cast<std::uint32_t>(hex_unit(at));
        at += 4;
        if (code_point >= 0xD800 && code_point < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
          const auto low = static_cast<std::uint32_t>(hex_unit(at + 2));
          if (low >= 0xDC00 && low < 0xE000) {
            code_point = 0x10000 + ((code_point - 0xD800) << 10U) + (low - 0xDC00);
            at += 6;
          }
        }
        out += utf8_encode(code_point, out);
        break;
      }
      default:  // the quote, the slashes: themselves
        *out++ = slash[1];
        break;
    }
  }
  return {begin, static_cast<std::size_t>(out - begin)};
}

bool JsonParser::string(Arena& arena, Value& out) {
  const char* const start = at_ + 1;
  at_ = start;
  bool escaped = false;
  if (!scan_string(escaped)) return false;
  const std::string_view raw(start, static_cast<std::size_t>(at_ - start - 1));
  out = Value::string(escaped ? unescape(raw, arena) : raw, origin(start - 1));
  return true;
}

bool JsonParser::number(std::string_view& out) {
  const char* at = at_;
  if (*at == '-') ++at;
  if (!is_digit(*at)) return fault(JsonFault::Cause::kNumber, at >= end_ ? end_ : at_);
  if (*at == '0') {
    ++at;
  } else {
    while (is_digit(*at)) ++at;
  }
  if (*at == '.') {
    ++at;
    if (!is_digit(*at)) return fault(JsonFault::Cause::kNumber, at >= end_ ? end_ : at_);
    while (is_digit(*at)) ++at;
  }
  if (*at == 'e' || *at == 'E') {
    ++at;
    if (*at == '+' || *at == '-') ++at;
    if (!is_digit(*at)) return fault(JsonFault::Cause::kNumber, at >= end_ ? end_ : at_);
    while (is_digit(*at)) ++at;
  }
  if (is_digit(*at)) return fault(JsonFault::Cause::kNumber, at_);
  out = {at_, static_cast<std::size_t>(at - at_)};
  at_ = at;
  return true;
}

bool JsonParser::word(std::string_view expected) {
  // The padding makes the comparison safe; where the text ends in the word it is cut short, not misspelt.
  if (std::memcmp(at_, expected.data(), expected.size()) != 0) {
    std::size_t same = 0;
    while (at_ + same < end_ && same < expected.size() && at_[same] == expected[same]) ++same;
    return fault(JsonFault::Cause::kValue, at_ + same >= end_ ? end_ : at_);
  }
  at_ += expected.size();
  return true;
}

bool JsonParser::value(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth) {
  const char* const start = at_;
  switch (*start) {
    case '"': {
      Value out;
      if (!string(builder.arena(), out)) return false;
      builder.push(out);
      return true;
    }
    case '{':
      return object(builder, skip, depth + 1);
    case '[':
      return array(builder, skip, depth + 1);
    case 't':
      if (!word("true")) return false;
      builder.push(Value::boolean(true, origin(start)));
      return true;
    case 'f':
      if (!word("false")) return false;
      builder.push(Value::boolean(false, origin(start)));
      return true;
    case 'n':
      if (!word("null")) return false;
      builder.push(Value::null(origin(start)));
      return true;
    default: {
      if (*start != '-' && !is_digit(*start)) return fault(JsonFault::Cause::kValue, start);
      std::string_view text;
      if (!number(text)) return false;
      builder.push(Value::number(text, origin(start)));
      return true;
    }
  }
}

bool JsonParser::key(ValueBuilder& builder, Value& key) {
  if (*at_ != '"') return fault(JsonFault::Cause::kKey, at_);
  if (!string(builder.arena(), key)) return false;
  skip_space();
  if (!take(':')) return fault(JsonFault::Cause::kColon, at_);
  skip_space();
  return true;
}

bool JsonParser::separator(char close, bool& more) {
  skip_space();
  more = *at_ == ',';
  if (!more && *at_ != close) return fault(JsonFault::Cause::kComma, at_);
  ++at_;
  if (more) skip_space();
  return true;
}

Value JsonParser::finish_object(ValueBuilder& builder, std::size_t mark, const char* start) {
  if (const Value* duplicate = builder.duplicate_key(mark); duplicate != nullptr && !soft_)
    soft_ = {JsonFault::Cause::kDuplicate, begin_ + duplicate->origin().column, std::string(duplicate->text())};
  return builder.take_object(mark, origin(start));
}

bool JsonParser::object(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth) {
  if (depth > max_depth_) return fault(JsonFault::Cause::kDepth, at_);
  const char* const start = at_;
  const std::size_t mark = builder.mark();
  ++at_;
  skip_space();
  bool more = !take('}');
  while (more) {
    Value name;
    if (!key(builder, name)) return false;
    const SkipPaths::Node* child = skip == nullptr ? nullptr : skip->find(name.text());
    if (child != nullptr && child->dropped) {
      if (!skip_value(depth)) return false;
    } else {
      builder.push(name);
      if (!value(builder, child, depth)) return false;
    }
    if (!separator('}', more)) return false;
  }
  builder.push(finish_object(builder, mark, start));
  return true;
}

bool JsonParser::array(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth) {
  if (depth > max_depth_) return fault(JsonFault::Cause::kDepth, at_);
  const char* const start = at_;
  const std::size_t mark = builder.mark();
  ++at_;
  skip_space();
  bool more = !take(']');
  while (more) {
    if (!value(builder, skip, depth) || !separator(']', more)) return false;
  }
  builder.push(builder.take_array(mark, origin(start)));
  return true;
}

bool JsonParser::skip_value(std::int32_t depth) {
  bool escaped = false;
  std::string_view text;
  switch (*at_) {
    case '"':
      ++at_;
      return scan_string(escaped);
    case '{':
      return skip_object(depth + 1);
    case '[':
      return skip_array(depth + 1);
    case 't':
      return word("true");
    case 'f':
      return word("false");
    case 'n':
      return word("null");
    default:
      if (*at_ != '-' && !is_digit(*at_)) return fault(JsonFault::Cause::kValue, at_);
      return number(text);
  }
}

bool JsonParser::skip_object(std::int32_t depth) {
  if (depth > max_depth_) return fault(JsonFault::Cause::kDepth, at_);
  ++at_;
  skip_space();
  bool more = !take('}');
  bool escaped = false;
  while (more) {
    if (*at_ != '"') return fault(JsonFault::Cause::kKey, at_);
    ++at_;
    if (!scan_string(escaped)) return false;
    skip_space();
    if (!take(':')) return fault(JsonFault::Cause::kColon, at_);
    skip_space();
    if (!skip_value(depth) || !separator('}', more)) return false;
  }
  return true;
}

bool JsonParser::skip_array(std::int32_t depth) {
  if (depth > max_depth_) return fault(JsonFault::Cause::kDepth, at_);
  ++at_;
  skip_space();
  bool more = !take(']');
  while (more)
    if (!skip_value(depth) || !separator(']', more)) return false;
  return true;
}

}  // namespace berth::text
