// YamlWriter: block-style YAML that kubectl reads back as the same values. Two spaces of indentation, list dashes on
// the level of their key, as kubectl prints; strings are quoted only where they would be read as something else.
#pragma once

#include <string>
#include <vector>

#include "text/writer.h"

namespace berth::text {

class YamlWriter final : public Writer {
 public:
  // Appends to `out`, which outlives the writer. Each top-level value ends with a line break.
  explicit YamlWriter(std::string& out) : out_(&out) {}

  void begin_object() override { open(Level::kObject); }
  void end_object() override { close("{}"); }
  void begin_array() override { open(Level::kArray); }
  void end_array() override { close("[]"); }
  void key(std::string_view name) override;
  void null() override { scalar("null"); }
  void boolean(bool value) override { scalar(value ? "true" : "false"); }
  // Negative zero needs a point: -0 is the integer 0 to YAML.
  void number(std::string_view text) override { scalar(text == "-0" ? "-0.0" : text); }
  void string(std::string_view text) override;

 private:
  struct Level {
    enum Type : std::uint8_t { kObject, kArray } type = kObject;
    std::size_t indent = 0;
    bool filled = false;
  };
  // Where the next text goes: at the start of a line, behind "key:", or behind "- ".
  enum class At : std::uint8_t { kLine, kKey, kDash };

  void open(Level::Type type);
  void close(std::string_view empty);
  void scalar(std::string_view text);
  // Starts an element of the innermost level; its first one ends the line of the key it belongs to.
  void element();
  void append_scalar_text(std::string_view text);

  std::string* out_;
  std::vector<Level> levels_;
  At at_ = At::kLine;
};

[[nodiscard]] std::string to_yaml(const Value& value);

}  // namespace berth::text
