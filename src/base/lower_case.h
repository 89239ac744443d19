// ASCII letters in lower case, whatever the locale; all other bytes stay.
#pragma once

#include <string>
#include <string_view>

namespace berth {

[[nodiscard]] constexpr char lowered(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

[[nodiscard]] inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& byte : out) byte = lowered(byte);
  return out;
}

}  // namespace berth
