// Values as CEL source text.
#include <fmt/format.h>

#include "cel/operations.h"
#include "cel/time.h"
#include "cel/value.h"

namespace berth::cel {

namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxText = std::size_t{1} << 16U;  // of lists and maps, which may hold one value many times

void append(std::string& out, Value value, Arena& arena, int depth);

bool is_cut(const std::string& out) { return out.size() > kMaxText; }

void append_quoted(std::string& out, std::string_view text, bool bytes) {
  out += bytes ? "b\"" : "\"";
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (octet < 0x20 || octet == 0x7F || (bytes && octet >= 0x80)) {
      out += fmt::format("\\x{:02x}", octet);
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_list(std::string& out, const List& list, Arena& arena, int depth) {
  out += '[';
  for (std::size_t i = 0; i < list.size() && !is_cut(out); ++i) {
    if (i > 0) out += ", ";
    append(out, list.at(i, arena), arena, depth);
  }
  out += ']';
}

void append_map(std::string& out, const Map& map, Arena& arena, int depth) {
  out += '{';
  for (std::size_t i = 0; i < map.size() && !is_cut(out); ++i) {
    if (i > 0) out += ", ";
    append(out, map.key_at(i, arena), arena, depth);
    out += ": ";
    append(out, map.value_at(i, arena), arena, depth);
  }
  out += '}';
}

void append(std::string& out, Value value, Arena& arena, int depth) {
  if (depth > kMaxDepth || is_cut(out)) {
    if (!out.ends_with("...")) out += "...";
    return;
  }
  switch (value.kind()) {
    case Kind::kNull:
      out += "null";
      break;
    case Kind::kBool:
      out += value.as_bool() ? "true" : "false";
      break;
    case Kind::kInt:
      out += fmt::format("{}", value.as_int());
      break;
    case Kind::kUint:
      out += fmt::format("{}u", value.as_uint());
      break;
    case Kind::kDouble: {
      const std::string digits = format_double(value.as_double());
      out += digits;
      if (digits.find_first_not_of("-0123456789") == std::string::npos) out += ".0";
      break;
    }
    case Kind::kString:
    case Kind::kBytes:
      append_quoted(out, value.as_text(), value.is(Kind::kBytes));
      break;
    case Kind::kDuration:
      out += fmt::format("duration(\"{}\")", format_duration(value.as_instant()));
      break;
    case Kind::kTimestamp:
      out += fmt::format("timestamp(\"{}\")", format_timestamp(value.as_instant(), value.zone()));
      break;
    case Kind::kList:
      append_list(out, value.as_list(), arena, depth + 1);
      break;
    case Kind::kMap:
      append_map(out, value.as_map(), arena, depth + 1);
      break;
    case Kind::kType:
      out += value.as_type()->name;
      break;
    case Kind::kOptional:
      if (value.as_optional() == nullptr) {
        out += "optional.none()";
      } else {
        out += "optional.of(";
        append(out, *value.as_optional(), arena, depth + 1);
        out += ')';
      }
      break;
    case Kind::kObject:
      out += value.as_object().text();
      break;
    case Kind::kError:
      out += fmt::format("error: {}", value.as_error().message);
      break;
  }
}

}  // namespace

std::string to_string(Value value, Arena& arena) {
  std::string out;
  append(out, value, arena, 0);
  return out;
}

}  // namespace berth::cel
