// Resource terms: the resources that a score looks at, with what the pending pod asks of each. Made once per shape, so
// that scoring a node is arithmetic alone.
//
// Source: kube-scheduler's resource_allocation (non-zero defaults of 100m CPU and 200Mi memory). O(resources).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/world/world.h"

namespace berth::engine {

struct ResourceTerm {
  enum class Source : std::uint8_t {
    kRequested,   // what the node's pods request
    kNonzeroCpu,  // the same, pods that ask nothing counted with a default
    kNonzeroMemory,
  };
  ResourceId resource;
  std::int64_t weight = 1;
  Amount request = 0;
  Source source = Source::kRequested;

  // What the node's pods hold of it, in the sense of `source`.
  [[nodiscard]] Amount held(const World& world, NodeId node) const {
    switch (source) {
      case Source::kRequested:
        return world.requested(node, resource);
      case Source::kNonzeroCpu:
        return world.node(node).nonzero_cpu;
      case Source::kNonzeroMemory:
        return world.node(node).nonzero_memory;
    }
    return 0;
  }
};

// For NodeResourcesFit: CPU and memory with defaults for containers that ask nothing. Extended resources that the pod
// does not ask for are left out.
[[nodiscard]] std::vector<ResourceTerm> fit_terms(const Shape& shape);

// For NodeResourcesBalancedAllocation: plain requests. Empty if the pod asks for none of the resources: then the score
// is skipped.
[[nodiscard]] std::vector<ResourceTerm> balanced_terms(const Shape& shape);

}  // namespace berth::engine
