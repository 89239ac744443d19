// VolumeBinder: what happens to waiting claims when their pod gets a node. Within one step the engine cannot know that
// a pod before has taken a volume, or chosen the node of a claim that both use, so whoever carries out decisions asks
// here first.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "api/objects.h"
#include "engine/decision.h"
#include "sim/cluster.h"

namespace berth::sim {

// Binds the pod's claims that wait for their first consumer to the volumes that the node reaches; of claims whose class
// provisions the node becomes the selected one (annotation volume.kubernetes.io/selected-node), as kube-scheduler marks
// them. Returns for how many claims it did either; none, and nothing changes, if the node cannot serve the pod any
// more: it stays pending and has to be decided on again. The cluster was loaded, and its objects are still the same.
// O(claims and volumes) for pods with claims.
[[nodiscard]] std::optional<std::size_t> bind_volumes(Cluster& cluster, const api::Pod& pod, std::string_view node);

// The same for all placements of a step, in order. True for each decision that is not carried out because an earlier
// one took its volume or chose another node for its claim: what is decided for a workload is carried out whole or not
// at all, evictions included. What was bound or chosen on the way stays so, and the next step knows. Of a bare pod only
// the placement is refused; its evictions are the caller's to judge.
[[nodiscard]] std::vector<bool> refused_for_volumes(Cluster& cluster, const engine::StepResult& result);

}  // namespace berth::sim
