// What a case file needs of API families that this version does not speak. Such a file is not run: it can neither pass
// nor fail.
#pragma once

#include <string>
#include <vector>

#include "sim/case/case_file.h"

namespace berth::sim {

// In the order of the file, each once: families ("kueue"), and of KAI, which is spoken in part (shares of cards, queues
// that limit nothing), the kinds that are not read ("scheduling.run.ai/v2alpha2 PodGroup") and what its actions would
// have to do ("kai's evictions"). Empty: the file can be run. O(file).
[[nodiscard]] std::vector<std::string> not_spoken(const CaseFile& file);

}  // namespace berth::sim
