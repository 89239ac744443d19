#include "text/yaml_writer.h"

#include "text/json_writer.h"
#include "text/yaml_scalar.h"

namespace berth::text {
namespace {

// A JSON string in which the characters that YAML does not allow raw (DEL, C1 controls, byte order marks and the like)
// are escapes too; that makes it a double-quoted YAML string.
std::string quoted(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  std::string out;
  const auto escape = [&](unsigned code_point) {
    constexpr std::string_view kHex = "0123456789abcdef";
    out += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kHex[code_point >> shift & 0xFU];
  };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = [&](std::size_t offset) {
      return i + offset < json.size() ? static_cast<unsigned char>(json[i + offset]) : 0U;
    };
    if (byte(0) == 0x7F) {
      escape(0x7F);
    } else if (byte(0) == 0xC2 && byte(1) < 0xA0) {
      escape(byte(1));
      i += 1;
    } else if (byte(0) == 0xEF && ((byte(1) == 0xBB && byte(2) == 0xBF) || (byte(1) == 0xBF && byte(2) >= 0xBE))) {
      escape(0xF000U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU));
      i += 2;
    } else {
      out += json[i];
    }
  }
  return out;
}

}  // namespace

void YamlWriter::append_scalar_text(std::string_view text) {
  if (yaml_reads_as_string(text)) {
    *out_ += text;
  } else {
    *out_ += quoted(text);
  }
}

void YamlWriter::element() {
  if (levels_.empty()) return;
  Level& level = levels_.back();
  // The first element of a mapping in a list stands on the line of the dash.
  if (at_ == At::kDash && !level.filled) {
    level.filled = true;
    at_ = At::kLine;
    return;
  }
  if (at_ == At::kKey) *out_ += '\n';
  level.filled = true;
  at_ = At::kLine;
  out_->append(level.indent, ' ');
}

void YamlWriter::open(Level::Type type) {
  std::size_t indent = 0;
  if (!levels_.empty()) {
    const Level parent = levels_.back();
    if (parent.type == Level::kArray) {
      element();
      *out_ += "- ";
      at_ = At::kDash;
      indent = parent.indent + 2;
    } else {
      indent = type == Level::kArray ? parent.indent : parent.indent + 2;
    }
  }
  levels_.push_back({type, indent, false});
}

void YamlWriter::close(std::string_view empty) {
  const bool filled = levels_.back().filled;
  levels_.pop_back();
  if (filled) return;
  if (at_ == At::kKey) *out_ += ' ';
  *out_ += empty;
  *out_ += '\n';
  at_ = At::kLine;
}

void YamlWriter::key(std::string_view name) {
  element();
  append_scalar_text(name);
  *out_ += ':';
  at_ = At::kKey;
}

void YamlWriter::scalar(std::string_view text) {
  if (!levels_.empty() && levels_.back().type == Level::kArray) {
    element();
    *out_ += "- ";
  } else if (at_ == At::kKey) {
    *out_ += ' ';
  }
  *out_ += text;
  *out_ += '\n';
  at_ = At::kLine;
}

void YamlWriter::string(std::string_view text) {
  if (yaml_reads_as_string(text)) {
    scalar(text);
    return;
  }
  scalar(quoted(text));
}

std::string to_yaml(const Value& value) {
  std::string out;
  YamlWriter(out).value(value);
  return out;
}

}  // namespace berth::text
