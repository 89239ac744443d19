#include "support/shrink.h"

namespace berth::support {
namespace {

using Check = std::function<bool(const reference::Objects&)>;

// Tries the change; keeps it if the check fails all the same.
bool attempt(reference::Objects& world, const Check& still_fails,
             const std::function<void(reference::Objects&)>& change) {
  reference::Objects tried = world;
  change(tried);
  if (!still_fails(tried)) return false;
  world = std::move(tried);
  return true;
}

template <class T>
bool shrink_list(reference::Objects& world, std::vector<T> reference::Objects::* list, const Check& still_fails) {
  bool smaller = false;
  for (std::size_t i = (world.*list).size(); i-- > 0;) {
    const auto erase = [&](reference::Objects& tried) {
      (tried.*list).erase((tried.*list).begin() + static_cast<std::ptrdiff_t>(i));
    };
    smaller |= attempt(world, still_fails, erase);
  }
  return smaller;
}

// Resets a part of each pod to nothing.
template <class Reset>
void simplify_pods(reference::Objects& world, const Check& still_fails, Reset reset) {
  for (std::size_t i = 0; i < world.pods.size(); ++i) {
    attempt(world, still_fails, [&](reference::Objects& tried) { reset(tried.pods[i]); });
  }
}

void simplify(reference::Objects& world, const Check& still_fails) {
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.spec.affinity.node.reset(); });
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.spec.affinity.pod.reset(); });
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.spec.affinity.pod_anti.reset(); });
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.spec.topology_spread_constraints.clear(); });
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.spec.tolerations.clear(); });
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.spec.volumes.clear(); });
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.spec.init_containers.clear(); });
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.spec.resources.reset(); });
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.metadata.annotations.clear(); });
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.status.nominated_node_name.clear(); });
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.spec.containers.front().ports.clear(); });
  simplify_pods(world, still_fails, [](api::Pod& pod) { pod.spec.containers.front().resources.requests.clear(); });
  for (std::size_t i = 0; i < world.nodes.size(); ++i) {
    attempt(world, still_fails, [&](reference::Objects& tried) { tried.nodes[i].taints.clear(); });
    attempt(world, still_fails, [&](reference::Objects& tried) { tried.nodes[i].images.clear(); });
  }
}

}  // namespace

reference::Objects shrink(reference::Objects world, const Check& still_fails) {
  for (bool smaller = true; smaller;) {
    smaller = shrink_list(world, &reference::Objects::pods, still_fails);
    smaller |= shrink_list(world, &reference::Objects::nodes, still_fails);
    smaller |= shrink_list(world, &reference::Objects::budgets, still_fails);
    smaller |= shrink_list(world, &reference::Objects::services, still_fails);
  }
  simplify(world, still_fails);
  return world;
}

}  // namespace berth::support
