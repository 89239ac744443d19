// What is wrong with an expression, on a terminal.
#pragma once

#include <string>

#include "cel/parser.h"
#include "cli/command.h"

namespace berth::cli {

// The line of the place, as much of it as fits, and a caret under the place.
[[nodiscard]] std::string excerpt(const cel::Source& source, cel::Position position);

// Each issue with its line, at most five.
void complain_about(const cel::CompileFailure& failure, Console& console);

}  // namespace berth::cli
