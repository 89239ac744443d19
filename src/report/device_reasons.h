// The sentences of NoDevice, DeviceBusy and SelectorError: which request of a claim cannot be met, and why.
#pragma once

#include <string>
#include <vector>

#include "report/reasons.h"

namespace berth::report {

[[nodiscard]] std::string device_sentence(const engine::Reason& reason, const Surroundings& around);

// Who has the devices, and where a selector failed.
[[nodiscard]] std::vector<Fact> device_facts(const engine::Reason& reason, const Surroundings& around);

}  // namespace berth::report
