// The entry point of each command. A new command: declare it here, list it in commands.cc, write it in its own file.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"

namespace berth::cli {

int run_plan(std::span<const std::string> arguments, Console& console);
int run_explain(std::span<const std::string> arguments, Console& console);
int run_allocate(std::span<const std::string> arguments, Console& console);
int run_case(std::span<const std::string> arguments, Console& console);
int run_sim(std::span<const std::string> arguments, Console& console);
int run_cel(std::span<const std::string> arguments, Console& console);

}  // namespace berth::cli
