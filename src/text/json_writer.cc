#include "text/json_writer.h"

#include <array>

#include "text/utf8.h"

namespace berth::text {
namespace {

// What stands for a byte inside quotes, or empty for a byte that stands for itself.
std::string_view short_escape(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    default:
      return {};
  }
}

constexpr bool is_plain(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && (c & 0x80) == 0;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at;
    while (end < text.size() && is_plain(text[end])) ++end;
    out.append(text, at, end - at);
    at = end;
    if (at == text.size()) break;
    const char c = text[at];
    if (const std::string_view escape = short_escape(c); !escape.empty()) {
      out += escape;
      ++at;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4U];
      out += kHex[static_cast<unsigned char>(c) & 0xFU];
      ++at;
    } else {
      const std::size_t length = utf8_sequence(text.substr(at));
      const std::string_view sequence = text.substr(at, length);
      if (length == 0) {
        out += "\\ufffd";
      } else if (sequence == "\u2028" || sequence == "\u2029") {
        out += sequence == "\u2028" ? "\\u2028" : "\\u2029";
      } else {
        out += sequence;
      }
      at += length == 0 ? 1 : length;
    }
  }
  out += '"';
}

void JsonWriter::line_break() {
  if (style_ == JsonStyle::kCompact) return;
  *out_ += '\n';
  out_->append(filled_.size() * 2, ' ');
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (filled_.empty()) return;
  if (filled_.back()) *out_ += ',';
  filled_.back() = true;
  line_break();
}

void JsonWriter::open(char bracket) {
  before_value();
  *out_ += bracket;
  filled_.push_back(false);
}

void JsonWriter::close(char bracket) {
  const bool filled = filled_.back();
  filled_.pop_back();
  if (filled) line_break();
  *out_ += bracket;
}

void JsonWriter::key(std::string_view name) {
  before_value();
  append_json_string(*out_, name);
  *out_ += style_ == JsonStyle::kPretty ? ": " : ":";
  after_key_ = true;
}

void JsonWriter::null() {
  before_value();
  *out_ += "null";
}

void JsonWriter::boolean(bool value) {
  before_value();
  *out_ += value ? "true" : "false";
}

void JsonWriter::number(std::string_view text) {
  before_value();
  *out_ += text;
}

void JsonWriter::string(std::string_view text) {
  before_value();
  append_json_string(*out_, text);
}

std::string to_json(const Value& value, JsonStyle style) {
  std::string out;
  JsonWriter(out, style).value(value);
  return out;
}

}  // namespace berth::text
