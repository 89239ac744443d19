// NodeDeclaredFeatures: some pods need what a kubelet says of itself that it can do.
#include <algorithm>

#include "reference/filters.h"

namespace berth::reference {

Verdict filter_node_declared_features(const Question& question, std::size_t node) {
  const api::PodSpec& pod = question.pod.spec;
  const auto& declared = question.snapshot.nodes[node].node->declared_features;
  const auto lacks = [&declared](const char* feature) {
    return std::ranges::find(declared, feature) == declared.end();
  };
  for (const auto* containers : {&pod.init_containers, &pod.containers}) {
    for (const api::Container& container : *containers) {
      if (container.restarts_all && lacks("RestartAllContainersOnContainerExits")) return {Cause::kFeature, true};
    }
  }
  if (pod.host_network && !pod.host_users && lacks("UserNamespacesHostNetworkSupport")) return {Cause::kFeature, true};
  return {};
}

}  // namespace berth::reference
