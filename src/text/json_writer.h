// JsonWriter: JSON text, compact or indented by two spaces. Strings are escaped as Go's encoder does without HTML
// escaping: control characters, the quote, the backslash, U+2028 and U+2029; bytes that are not UTF-8 become U+FFFD.
#pragma once

#include <string>
#include <vector>

#include "text/writer.h"

namespace berth::text {

enum class JsonStyle : std::uint8_t { kCompact, kPretty };

class JsonWriter final : public Writer {
 public:
  // Appends to `out`, which outlives the writer.
  explicit JsonWriter(std::string& out, JsonStyle style = JsonStyle::kCompact) : out_(&out), style_(style) {}

  void begin_object() override { open('{'); }
  void end_object() override { close('}'); }
  void begin_array() override { open('['); }
  void end_array() override { close(']'); }
  void key(std::string_view name) override;
  void null() override;
  void boolean(bool value) override;
  void number(std::string_view text) override;
  void string(std::string_view text) override;

 private:
  void open(char bracket);
  void close(char bracket);
  void before_value();
  void line_break();

  std::string* out_;
  JsonStyle style_;
  bool after_key_ = false;
  std::vector<bool> filled_;  // per open bracket: something was written in it
};

// The quoted and escaped form, appended.
void append_json_string(std::string& out, std::string_view text);

// Without a trailing line break.
[[nodiscard]] std::string to_json(const Value& value, JsonStyle style = JsonStyle::kCompact);

}  // namespace berth::text
