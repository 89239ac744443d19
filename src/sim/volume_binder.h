// VolumeBinder: what happens to waiting claims when their pod gets a node. Within one step the engine cannot know that
// a pod before has taken a volume, so whoever carries out decisions asks here first.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "api/objects.h"
#include "sim/cluster.h"

namespace berth::sim {

// Binds the pod's claims that wait for their first consumer to the volumes that the node reaches; claims whose class
// provisions stay as they are. Returns how many were bound; none, and nothing is bound, if the node cannot serve the
// pod any more: it stays pending and has to be decided on again. The cluster was loaded, and its objects are still the
// same. O(claims and volumes) for pods with claims.
[[nodiscard]] std::optional<std::size_t> bind_volumes(Cluster& cluster, const api::Pod& pod, std::string_view node);

}  // namespace berth::sim
