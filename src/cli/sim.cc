#include "cli/sim.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "base/near_names.h"
#include "cli/commands.h"
#include "text/table.h"

namespace berth::cli {
namespace {

constexpr std::array kStudies = {
    Command{"openb", "the FGD study: openb's GPUs filled pod by pod to 130 percent", run_sim_openb},
    Command{"mig", "MIG partitions: first fit, best fit and the optimum", run_sim_mig},
    Command{"mixed", "partitions, shares and whole cards on A100 and H100 nodes", run_sim_mixed},
    Command{"consolidation", "moves that open whole nodes: Berth's search and the exact one", run_sim_consolidation},
    Command{"deadlock", "gangs on too few GPUs: pod by pod against whole gangs", run_sim_deadlock},
    Command{"philly", "the Philly trace: pods, partitions, borrowing with reclaim", run_sim_philly},
};

void print_help(Console& console) {
  console.out << "Replays traces and studies on virtual time.\n\nUsage: berth sim STUDY [ARGUMENTS]\n\nStudies:\n";
  text::Table table({{}, {}});
  for (const Command& study : kStudies) table.add_row({std::string(study.name), std::string(study.summary)});
  console.out << table.render({.indent = 2}) << "\nExample:\n  berth sim openb --help\n";
}

}  // namespace

int run_sim(std::span<const std::string> arguments, Console& console) {
  if (arguments.empty()) {
    print_help(console);
    return kBadInput;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    print_help(console);
    return kDone;
  }
  const auto found = std::ranges::find(kStudies, name, &Command::name);
  if (found != kStudies.end()) return found->run(arguments.subspan(1), console);
  std::vector<std::string> names;
  for (const Command& study : kStudies) names.emplace_back(study.name);
  const std::vector<std::string> near = near_names(name, names);
  complain(console, "there is no study '" + name + "'; " +
                        (near.empty() ? "`berth sim --help` lists them." : "did you mean " + near.front() + "?"));
  return kBadInput;
}

}  // namespace berth::cli
