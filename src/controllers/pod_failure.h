// What a failed pod means for its Job: the rules of podFailurePolicy.
// Source: KEP-3329, batch/v1 PodFailurePolicy.
#pragma once

#include "api/workloads.h"

namespace berth::controllers {

// The action of the first rule that matches the pod; kCount where none does or there is no policy. A rule on exit codes
// looks at containers that have ended with an error, one on conditions at the pod's.
[[nodiscard]] api::PodFailureRule::Action failure_action(const api::JobSpec& spec, const api::Pod& pod);

}  // namespace berth::controllers
