// Layout for a terminal: paragraphs wrapped at a width, lists cut short, names that collapse. Tables are text/table.h.
// Widths are terminal columns; colour sequences take none (text/utf8.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/table.h"

namespace berth::report {

inline constexpr std::size_t kColumns = 80;

// The text as lines of at most `columns`, broken at spaces; the first starts with `first`, the others with as many
// spaces as `first` is wide. A word longer than a line is cut. Ends with a newline. `first` is the program's own and
// may be painted; in the text, which may be a user's, control characters are made visible.
[[nodiscard]] std::string paragraph(std::string_view first, std::string_view text, std::size_t columns = kColumns);

// The same for a text of several colours: the parts follow each other without a space between them.
[[nodiscard]] std::string paragraph(std::string_view first, std::span<const text::Cell> parts, text::ColorMode mode);

// "a, b and c"; from the limit on "a, b and 7 more".
[[nodiscard]] std::string enumerate(std::span<const std::string> items, std::size_t limit);

// "1 node", "3 nodes"; the plural ends in s unless it is given.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural = "");

// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);

// Names that differ in one number only as one: {"train-0", "train-1", "train-2", "train-5"} is "train-[0-2,5]". What
// does not collapse stays as it is. Natural order: train-2 comes before train-10; only the first `in_order` results are
// sorted, where no more are shown.
[[nodiscard]] std::vector<std::string> collapse(std::vector<std::string> names,
                                                std::size_t in_order = static_cast<std::size_t>(-1));

// Many names in a line: collapsed where that is short, otherwise the first ones and how many more.
[[nodiscard]] std::string name_list(std::vector<std::string> names, std::size_t limit);

// The order in which people count: digits compare as numbers.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace berth::report
