// InterPodAffinity: required affinity, required anti-affinity, and the anti-affinity of pods that already run.
// A pod whose affinity finds no pod anywhere may be the first of its kind if it matches its own terms. O(terms).
//
// Source: core/v1 PodAffinityTerm; kube-scheduler's plugin InterPodAffinity (KEP-3633 for matchLabelKeys).
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_inter_pod_affinity(const Question& question, NodeId node);

}  // namespace berth::engine
