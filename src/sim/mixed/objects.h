// The cluster and what is asked for as Kubernetes objects: nodes, ResourceSlices as NVIDIA's driver publishes cards
// that may be cut or shared, a DeviceClass and a ResourceClaimTemplate for each of asks(), and a pod of each.
#pragma once

#include <string>

#include "api/objects.h"
#include "sim/mixed/cards.h"

namespace berth::sim::mixed {

[[nodiscard]] std::string node_name(const Layout& layout, int node);
// The device that a piece of an ask is, in the pool that is named after its node.
[[nodiscard]] std::string device_name(const Layout& layout, const Ask& ask, const Piece& piece);

// Pods are named after their asks, in the namespace "lab".
[[nodiscard]] api::ObjectSet objects_of(const Layout& layout);

}  // namespace berth::sim::mixed
