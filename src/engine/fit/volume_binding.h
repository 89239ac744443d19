// VolumeBinding: the node must match what each of the pod's volumes says about nodes: the node affinity of bound
// volumes, the topologies where missing ones can be made. The dialect turned all of that into node selectors.
//
// Source: core/v1 PersistentVolume.nodeAffinity, storage/v1 StorageClass.allowedTopologies; kube-scheduler's plugins
// VolumeBinding and VolumeZone. O(requirements of the selectors).
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_volume_binding(const Question& question, NodeId node);

}  // namespace berth::engine
