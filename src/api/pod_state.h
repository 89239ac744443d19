// What a pod's status says in sum, in the words that all controllers and the scheduler share.
#pragma once

#include "api/core.h"

namespace berth::api {

// It has ended and holds nothing: Succeeded or Failed.
[[nodiscard]] bool is_finished(const Pod& pod);
// It has a node and has not ended.
[[nodiscard]] bool is_on_a_node(const Pod& pod);
// Neither finished nor being deleted: what most controllers count.
[[nodiscard]] bool is_active(const Pod& pod);
// It runs and is Ready. A pod without conditions that has a node, as in a manifest, is taken to run there.
[[nodiscard]] bool is_ready(const Pod& pod);

}  // namespace berth::api
