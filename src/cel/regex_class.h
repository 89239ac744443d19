// Classes of characters by name, \p{Greek} or \P{Letter}, as Go's regexp (1.26) reads them and RE2 does not: names in
// any case and with spaces and dashes, long names of categories, ASCII, Assigned, LC and Cn, and a C that has what is
// not assigned. Scripts of several words are none in Go, whose keys for them it does not find itself.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace berth::cel {

struct RegexClass {
  std::string text;        // for RE2
  std::size_t length = 0;  // of what it was written from
};

// The class that `rest` begins with, \p or \P; `in_brackets`: it is a member of another class. Nothing if RE2 cannot
// say it, or if it is none.
[[nodiscard]] std::optional<RegexClass> parse_regex_class(std::string_view rest, bool in_brackets);

}  // namespace berth::cel
