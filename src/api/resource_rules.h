// What the API server refuses in the resources of a new container, and Berth reads all the same: a pod of a cluster was
// let in by some API server, and what it holds has to count. Whoever writes a new one is told.
//
// Source: ValidateContainerResourceRequirements of Kubernetes 1.37 (core/v1 ResourceRequirements, HugePages).
#pragma once

#include "api/core.h"
#include "api/decode_context.h"
#include "text/value.h"

namespace berth::api {

// Remarks on the container: extended resources and huge pages without an equal limit; huge pages that are not whole,
// or without cpu or memory beside them. O(resources).
void remark_on_resources(DecodeContext& context, const text::Value& container, const ResourceRequirements& resources);

}  // namespace berth::api
