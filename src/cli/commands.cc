#include "cli/commands.h"

#include <array>

namespace berth::cli {

std::span<const Command> commands() {
  static constexpr std::array kCommands = {
      Command{"plan", "what would run where, and why the rest would not", run_plan},
      Command{"explain", "why one pod or workload runs or does not", run_explain},
      Command{"allocate", "which devices claims get on a node, or why none", run_allocate},
      Command{"case", "run case files and check their expected ends", run_case},
      Command{"sim", "replay traces and studies on virtual time", run_sim},
      Command{"cel", "evaluate an expression, or run lines of the CEL suite", run_cel},
  };
  return kCommands;
}

}  // namespace berth::cli
