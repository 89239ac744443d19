// The switches of `make mutants` (base/mutant.h) for filters and scores: leaves out of each profile the one that is
// switched off. In every other build the configuration comes back as it was.
#pragma once

#include "engine/config.h"

namespace berth::engine {

[[nodiscard]] Config without_mutants(Config config);

}  // namespace berth::engine
