// What every command that reads a cluster says about its input, for people: a label in front of wrapped text.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input.h"
#include "text/color.h"

namespace berth::cli {

inline constexpr std::size_t kLabelWidth = 9;

// "Saw      " and the text, wrapped to 80 columns behind the label.
[[nodiscard]] std::string labelled(text::ColorMode color, std::string_view label, std::string_view text);

// The first six things that were left aside, and how many more there are; `where` says what shows them all. With an
// empty `where` all of them.
[[nodiscard]] std::string skipped_text(const Input& input, text::ColorMode color, std::string_view where);

// Says among the weaker conclusions that documents of the input could not be read, if so.
void note_unread(const Input& input, std::vector<std::string>& weaker);

// Which conclusions are weaker.
[[nodiscard]] std::string weaker_text(std::span<const std::string> weaker, text::ColorMode color);

}  // namespace berth::cli
