// A reason as JSON: the record with its numbers, and the sentence. Fields: docs/output.md, "reason".
#pragma once

#include "engine/reason/reason.h"
#include "report/reasons.h"
#include "text/writer.h"

namespace berth::report {

// Writes one object.
void write_reason(text::Writer& writer, const engine::Reason& reason, const Surroundings& around);

// "8", "2.5", "64Gi": an amount as a Kubernetes quantity. Exact: bytes as a number of bytes, cards and CPUs with up to
// three decimals.
[[nodiscard]] std::string quantity_text(const Surroundings& around, engine::ResourceId resource, engine::Amount amount);

}  // namespace berth::report
