// Reasons of workloads and queues in words. One function per class; report/reasons.h chooses among them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/reason/reason.h"
#include "report/reasons.h"

namespace berth::report {

// "needs 6 members at once, 2 find a node now; 2 GPUs free".
[[nodiscard]] std::string gang_incomplete(const engine::Reason& reason, const Surroundings& around);
// "queue team-a may have 1 GPU more, it needs 2: its cap is reached".
[[nodiscard]] std::string quota_exceeded(const engine::Reason& reason, const Surroundings& around);
[[nodiscard]] std::string queue_denied(const engine::Reason& reason, const Surroundings& around);
[[nodiscard]] std::string reserved(const engine::Reason& reason, const Surroundings& around);
// No domain of a level can hold the group.
[[nodiscard]] std::string no_domain(const engine::Reason& reason, const Surroundings& around);
// NeverFits of a whole workload, by quota or by the sum of the cluster. Empty: one member alone says more.
[[nodiscard]] std::string workload_never_fits(const engine::Reason& reason, const Surroundings& around);

// Members, place in the queue, earliest start; nothing for bare pods.
[[nodiscard]] std::vector<Fact> workload_facts(const engine::Reason& reason, const Surroundings& around);

// "QuotaExceeded" limits and start bases by their stable names in JSON.
[[nodiscard]] std::string_view name_of(engine::QuotaBlock::Limit limit);
[[nodiscard]] std::string_view name_of(engine::QueueState state);
[[nodiscard]] std::string_view name_of(engine::WorkloadFacts::StartBasis basis);
[[nodiscard]] std::string_view name_of(engine::HoldReason why);

// Seconds since 1970 as "2027-01-15T08:00:00Z".
[[nodiscard]] std::string time_text(std::int64_t seconds);

}  // namespace berth::report
