// The version of the program, kept equal to the project's version in CMakeLists.txt by a test.
#pragma once

#include <string_view>

namespace berth::cli {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace berth::cli
