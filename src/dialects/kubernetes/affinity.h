// A pod's affinity to nodes and to other pods, in engine terms.
#pragma once

#include <string>

#include "api/core.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

// nodeSelector, required node affinity and what the profile adds; preferred terms of both. Terms of weight 0, and terms
// that can match no node, say nothing and are left out.
void add_node_affinity(engine::ShapeInput& shape, const api::Pod& pod, const api::NodeAffinity* added,
                       engine::Names& names);

// Required and preferred terms, attracting and repelling (preferred repelling ones have negative weights), with
// matchLabelKeys and mismatchLabelKeys merged from the pod's labels and the default namespace filled in.
void add_pod_affinity(engine::ShapeInput& shape, const api::Pod& pod, engine::Names& names);

// The pods of a ComputeDomain are in one NVLink clique: the pod gets the domain as a label and wants to be in a clique
// with such pods. The first is free to choose among nodes that are in one.
void keep_in_one_clique(engine::ShapeInput& shape, const api::Pod& pod, const std::string& domain,
                        engine::Names& names);

}  // namespace berth::dialects::kubernetes
