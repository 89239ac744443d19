// The words that sentences and facts of a reason share: amounts as they are asked and found, nodes by cause, taints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/reason/reason.h"
#include "report/reasons.h"

namespace berth::report {

// Nodes that the cause excluded first.
[[nodiscard]] std::uint32_t count(const engine::Reason& reason, engine::NodeCause cause);
[[nodiscard]] bool has(const engine::Reason& reason, engine::NodeCause cause);

// True where amounts are what keeps the pod off some node; else the numbers would only distract.
[[nodiscard]] bool is_about_amounts(const engine::Reason& reason);

// "8 GPUs", rounded up.
[[nodiscard]] std::string asked(const engine::Reason& reason, const Surroundings& around);
// Adds the resource's own name where the unit hides it: "8 GPUs (nvidia.com/gpu)".
[[nodiscard]] std::string asked_in_full(const engine::Reason& reason, const Surroundings& around);
// The amount in the unit of asked(), rounded down, without the unit's name.
[[nodiscard]] std::string there_is(const engine::Reason& reason, const Surroundings& around, engine::Amount amount);

// "gpu-1, gpu-2 and 3 more", or "5 nodes" where the names are not known.
[[nodiscard]] std::string nodes_text(const engine::Reason& reason, const Surroundings& around, engine::NodeCause cause,
                                     std::size_t limit = 4);

// "maintenance:NoSchedule".
[[nodiscard]] std::string taint_text(const engine::Taint& taint, const engine::Names& names);
// "maintenance:NoSchedule and gpu=true:NoExecute": the taints that keep the pod off, or the record's own.
[[nodiscard]] std::string taints_text(const engine::Reason& reason, const Surroundings& around);

// The causes that excluded nodes, largest first, in words: "5 too little free, 2 cordoned and 1 tainted".
[[nodiscard]] std::vector<std::string> cause_counts(const engine::Reason& reason);

// "does not exist in the input", or that it could not be read.
[[nodiscard]] std::string_view absence(bool refused);
// "ResourceClaim x does not exist in the input", or that it could not be read. `what` stands behind the name.
[[nodiscard]] std::string absent_text(const Surroundings& around, std::string_view kind, std::string_view name,
                                      std::string_view what = "");

// What alternatives a pod names may be very many: cut at a word, with "...".
[[nodiscard]] std::string shortened(std::string text);

}  // namespace berth::report
