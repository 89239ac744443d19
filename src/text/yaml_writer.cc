#include "text/yaml_writer.h"

#include "text/json_writer.h"
#include "text/yaml_scalar.h"

namespace berth::text {

void YamlWriter::append_scalar_text(std::string_view text) {
  if (yaml_reads_as_string(text)) {
    *out_ += text;
  } else {
    append_json_string(*out_, text);  // a JSON string is a YAML string
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
  std::string quoted;
  append_json_string(quoted, text);
  scalar(quoted);
}

std::string to_yaml(const Value& value) {
  std::string out;
  YamlWriter(out).value(value);
  return out;
}

}  // namespace berth::text
