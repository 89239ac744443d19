// mutant("Name"): is the filter, score or rule of that name switched off?
//
// `make mutants` builds with BERTH_MUTANTS and runs the tests once per name found in the sources, with the environment
// variable BERTH_MUTANT set to it: some test must fail, or nothing tests the rule. In every other build the answer is
// the constant false and costs nothing.
//
//   if (!mutant("Filter.NodePorts") && ports_conflict(...)) return NodeCause::kHostPort;
#pragma once

#include <string_view>

namespace berth {

#ifdef BERTH_MUTANTS
[[nodiscard]] bool mutant(std::string_view name);
#else
[[nodiscard]] constexpr bool mutant(std::string_view /*name*/) { return false; }
#endif

}  // namespace berth
