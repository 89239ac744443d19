// Cuts a YAML stream into documents without parsing it: at lines that start with `---` or `...`, which YAML lets no
// scalar contain. Directives (`%YAML`) stay with the document they precede. A byte order mark at the start of a
// document, as it comes from files that were joined, is dropped.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::text {

struct YamlChunk {
  std::string_view text;
  std::int32_t line = 1;  // of its first character
};

class YamlDocuments {
 public:
  explicit YamlDocuments(std::string_view text, std::int32_t first_line = 1) : rest_(text), line_(first_line) {}

  // The next document with its marker, or none at the end. Chunks without content are delivered too. Linear in all.
  [[nodiscard]] std::optional<YamlChunk> next();

 private:
  std::string_view rest_;
  std::int32_t line_;
};

}  // namespace berth::text
