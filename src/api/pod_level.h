// Pod-level resources (KEP-2837): what the API server fills in when a pod is created.
#pragma once

#include "api/core.h"

namespace berth::api {

// What the containers of the pod ask for together: the sum of those that run side by side, or the largest moment of the
// init containers where that is more (KEP-753). Amounts that overflow are left out; the object is refused for them
// elsewhere.
[[nodiscard]] ResourceList container_requests(const PodSpec& spec);

// A pod that says anything at pod level has a request there for cpu and memory: its own, else what its containers ask
// for together, else its limit. For huge pages the limit comes before the containers, which have limits equal to their
// requests. Pods without pod-level resources stay as they are.
void default_pod_level_requests(PodSpec& spec);

}  // namespace berth::api
