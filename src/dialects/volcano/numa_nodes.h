// NUMA nodes (plugin numaaware): whole CPUs of a pod that has to have them in one NUMA node, by Numatopology objects.
//
// A pod asks with the annotation volcano.sh/numa-topology-policy, and is heard if it is of Volcano's scheduler and of
// QoS class Guaranteed. It may go to nodes whose CPU manager is static and whose topology manager has the same policy,
// as the kubelet of any other would refuse it. With single-numa-node and restricted its whole CPUs together come from
// one NUMA node; with restricted, where none has so many, from as few as could have them, in equal parts. With
// best-effort the policy of the node is all that counts.
//
// In the engine NUMA nodes are handed out as shares of cards are: the resource kNumaNode, the CPUs as its memory. What
// an object lists as allocatable is free for pods to come; pods on the node that Volcano placed (they have the
// annotation volcano.sh/topology-decision) are not counted again.
// Source: Volcano's plugin of this name; there each container is placed for itself.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/workloads/ecosystem.h"

namespace berth::dialects::volcano {

class NumaNodes {
 public:
  explicit NumaNodes(engine::Names& names) : names_(names) {}

  void read(const workloads::Scene& scene, workloads::Reading& out);
  void amend(const api::Node& node, engine::NodeInput& input) const;
  void amend(const api::Pod& pod, engine::ShapeInput& shape) const;

 private:
  struct Known {
    std::string policy;                   // of its topology manager
    std::vector<std::int64_t> free_cpus;  // by NUMA node
  };
  engine::Names& names_;
  bool active_ = false;
  std::map<std::string, Known, std::less<>> nodes_;  // those with a static CPU manager
  std::int64_t largest_ = 0;                         // CPUs of the largest NUMA node
};

}  // namespace berth::dialects::volcano
