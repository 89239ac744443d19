// What `berth COMMAND --help` prints: one format for all commands, in 80 columns.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace berth::cli {

// Description, usage, arguments and options with their values, and the footer as it is.
[[nodiscard]] std::string help_text(const CLI::App& app);

}  // namespace berth::cli
