// What a YAML scalar means, exactly as kubectl reads it: sigs.k8s.io/yaml over go-yaml v2, which is YAML 1.1 with
// y, yes, on, true (three spellings each) as booleans, 0777 and 0o777 as octal, 0x and 0b, underscores between digits,
// and no base 60. Timestamps stay strings. Integers beyond 64 bits become floats, written with all their digits. Quoted
// scalars are strings always.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace berth::text {

enum class YamlType : std::uint8_t { kString, kNull, kTrue, kFalse, kInteger, kUnsigned, kFloat, kNotFinite };

struct YamlScalar {
  YamlType type = YamlType::kString;
  std::string number;  // JSON text, for kInteger, kUnsigned (above int64) and kFloat
  double real = 0;     // for kFloat
};

// A plain scalar without a tag.
[[nodiscard]] YamlScalar resolve_yaml_scalar(std::string_view text);

// True if the text, written plain, would be read as this very string: what a YAML writer need not quote.
[[nodiscard]] bool yaml_reads_as_string(std::string_view text);

}  // namespace berth::text
