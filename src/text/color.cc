#include "text/color.h"

#include <unistd.h>

#include <cstdlib>

#include "text/utf8.h"

namespace berth::text {
namespace {

std::string_view code(Color color) {
  switch (color) {
    case Color::kNone:
      return "";
    case Color::kRed:
      return "31";
    case Color::kGreen:
      return "32";
    case Color::kYellow:
      return "33";
    case Color::kBlue:
      return "34";
    case Color::kBold:
      return "1";
    case Color::kDim:
      return "2";
  }
  return "";
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

ColorMode color_mode_of(int descriptor) {
  const bool wanted = environment("NO_COLOR").empty() && environment("TERM") != "dumb" && ::isatty(descriptor) == 1;
  return wanted ? ColorMode::kAlways : ColorMode::kNever;
}

std::string paint(std::string_view text, Color color, ColorMode mode) {
  if (mode == ColorMode::kNever || color == Color::kNone || text.empty()) return visible(text);
  std::string painted = "\x1b[";
  painted += code(color);
  painted += 'm';
  painted += visible(text);
  painted += "\x1b[0m";
  return painted;
}

}  // namespace berth::text
