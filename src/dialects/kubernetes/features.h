// Features that nodes declare and pods need: what not every kubelet of a cluster can do yet.
//
// Source: KEP-5328; the list of features in k8s.io/component-helpers of Kubernetes 1.37. Of those that it names only
// three are asked when a pod is scheduled, the others when one is resized; the third, options of bind mounts, is behind
// a gate that is off, and mounts are not read (docs/differences.md).
#pragma once

#include <vector>

#include "api/core.h"
#include "engine/ids.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

// Ascending.
[[nodiscard]] std::vector<engine::NameId> needed_features(const api::PodSpec& spec, engine::Names& names);

// Ascending; what no pod can need is left out, so that nodes which differ in nothing else are alike.
[[nodiscard]] std::vector<engine::NameId> declared_features(const api::Node& node, engine::Names& names);

}  // namespace berth::dialects::kubernetes
