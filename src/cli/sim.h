// The studies behind `berth sim NAME`. A new study: declare it here, list it in sim.cc, write it in its own file.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"

namespace berth::cli {

int run_sim_openb(std::span<const std::string> arguments, Console& console);
int run_sim_mig(std::span<const std::string> arguments, Console& console);
int run_sim_mixed(std::span<const std::string> arguments, Console& console);
int run_sim_consolidation(std::span<const std::string> arguments, Console& console);
int run_sim_deadlock(std::span<const std::string> arguments, Console& console);
int run_sim_philly(std::span<const std::string> arguments, Console& console);

}  // namespace berth::cli
