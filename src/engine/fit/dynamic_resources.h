// DynamicResources: the pod's claims can be satisfied on the node, together. Allocated claims that the pod names have
// to be usable from there; the others have to find their devices among those that the node can use and nobody has.
//
// Source: kube-scheduler's DynamicResources plugin (KEP-4381). What upstream reports as an error of the whole attempt
// (a selector that fails on some device, an invalid pool) excludes the node alone here; docs/differences.md says why.
// Cost: a search over the claims' requests and the node's devices (devices/allocator.h), which has a limit of its own.
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

// Whether, without the cause; what an index asks again and again.
[[nodiscard]] bool has_devices(const Question& question, NodeId node);

[[nodiscard]] Verdict check_dynamic_resources(const Question& question, NodeId node);

}  // namespace berth::engine
