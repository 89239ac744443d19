// First domain: where the first of pods that follow each other goes (required affinity to themselves), if they have
// claims: the domain where all of them find a node.
//
// The rest has to follow the first one, so a first pod in the wrong NVLink clique strands them for as long as it runs.
// Such pods often want a device of which a node has one (the channel of a ComputeDomain), so nodes are counted. It is a
// wish, not a rule, and one of placement policies alone: profiles without one place as kube-scheduler does.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/fit/question.h"
#include "engine/search/buckets.h"
#include "engine/world/bitmap.h"

namespace berth::engine {

// The ranks of the domains to begin in, given those that would take the pod, where the masks allow them: the smallest
// domains with a node for each pod of the shape that waits, or else the largest. Nothing where the question does not
// arise, which is told without looking at nodes. O(nodes).
[[nodiscard]] std::optional<Bitmap> first_domains(const Question& question, const Bitmap& feasible,
                                                  std::span<const Mask> masks);

// The same for a list of nodes: those to choose from.
[[nodiscard]] std::vector<NodeId> in_first_domains(const Question& question, std::vector<NodeId> feasible);

}  // namespace berth::engine
