// The text of an expression, and remarks that point into it.
//
// Offsets are bytes from the start of the text; lines and columns are 1-based, columns count code points, as the
// specification's tools print them. Rendering an issue shows the line and a caret under its column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cel {

struct Position {
  std::int32_t line = 1;
  std::int32_t column = 1;
  bool operator==(const Position&) const = default;
};

class Source {
 public:
  explicit Source(std::string text, std::string name = "<input>");

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  // O(log lines + length of the line).
  [[nodiscard]] Position position(std::uint32_t offset) const;
  // The text of a 1-based line without its line end; empty when there is no such line.
  [[nodiscard]] std::string_view line(std::int32_t number) const;

 private:
  std::string text_;
  std::string name_;
  std::vector<std::uint32_t> line_starts_;
};

// One thing that is wrong with an expression.
struct Issue {
  std::uint32_t offset = 0;
  Position position;
  std::string message;
};

// "ERROR: <input>:1:5: message\n | a + \n | ....^", one block per issue, joined by line ends.
[[nodiscard]] std::string render_issues(const Source& source, const std::vector<Issue>& issues);

}  // namespace berth::cel
