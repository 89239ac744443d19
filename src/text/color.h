// Colour on terminals, and only where the caller says so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace berth::text {

enum class Color : std::uint8_t { kNone, kRed, kGreen, kYellow, kBlue, kBold, kDim };
enum class ColorMode : std::uint8_t { kNever, kAlways };

// kAlways if the file descriptor is a terminal, NO_COLOR is unset or empty, and TERM is not "dumb".
[[nodiscard]] ColorMode color_mode_of(int descriptor);

// The text between the escape sequences of the colour; without them for kNever, kNone and empty texts. Escape sequences
// in the text itself are made visible: only those of this function reach a terminal.
[[nodiscard]] std::string paint(std::string_view text, Color color, ColorMode mode);

}  // namespace berth::text
