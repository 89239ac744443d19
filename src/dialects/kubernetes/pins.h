// Pins: pods that ask for the node of one host name, by nodeSelector or required affinity, as charts and operators do.
//
// The label kubernetes.io/hostname is one like others, so that a search would ask it of every node, for each of
// thousands of pods that have each their own. To such a term the names of the nodes that have the label are added,
// which says the same of the nodes that there are; a search then looks at these alone (engine/world/shape.h). When
// nodes change, pods are translated anew.
#pragma once

#include <vector>

#include "dialects/kubernetes/context.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

void add_names_of_hosts(std::vector<engine::NodeSelector>& selectors, const Context& context, engine::Names& names);

}  // namespace berth::dialects::kubernetes
