// Changes, as a cluster sees them over time.
#include <algorithm>

#include "support/generate.h"
#include "support/pick.h"

namespace berth::support {
namespace {

std::string change_node(Random& random, api::Node& node, const WorldRules& rules) {
  const std::string& name = node.metadata.name;
  switch (random.below(5)) {
    case 0:
      node.unschedulable = !node.unschedulable;
      return (node.unschedulable ? "cordon " : "uncordon ") + name;
    case 1:
      if (node.taints.empty()) {
        node.taints.push_back({"team", pick(random, {"a", "b"}),
                               pick(random, {api::TaintEffect::kNoSchedule, api::TaintEffect::kPreferNoSchedule})});
        return "taint " + name;
      }
      node.taints.pop_back();
      return "untaint " + name;
    case 2:
      node.metadata.labels[pick(random, {kZoneKey, "rack", "disk", "gen"})] = pick(random, {"z1", "ssd", "2"});
      return "label " + name;
    case 3:
      node.metadata.labels.erase(pick(random, {kZoneKey, "rack", "disk", "gen", kHostKey}));
      return "unlabel " + name;
    default:
      node = random_node(random, name, rules);
      return "replace " + name;
  }
}

std::string change_pods(Random& random, reference::Objects& world, std::size_t serial, const WorldRules& rules) {
  if (world.pods.empty() || random.chance(1, 2)) {
    api::Pod pod = random_pod(random, numbered("q", serial), rules);
    pod.status = {};
    world.pods.push_back(std::move(pod));
    return numbered("create pod q", serial);
  }
  const std::size_t index = random.below(world.pods.size());
  api::Pod& pod = world.pods[index];
  const std::string name = pod.metadata.name;
  switch (random.below(5)) {
    case 0:
      pod.status.phase = api::PodPhase::kSucceeded;
      return "finish " + name;
    case 1:
      pod.metadata.labels["app"] = pick(random, {"web", "db", "job"});
      return "label pod " + name;
    case 2:
      pod.metadata.deletion_timestamp = 9;
      return "terminate " + name;
    case 3:
      pod.spec.scheduling_gates.clear();
      return "ungate " + name;
    default:
      world.pods.erase(world.pods.begin() + static_cast<std::ptrdiff_t>(index));
      return "delete pod " + name;
  }
}

}  // namespace

std::string change_world(Random& random, reference::Objects& world, std::size_t serial, const WorldRules& rules) {
  if (random.chance(1, 2)) return change_pods(random, world, serial, rules);
  if (random.chance(1, 20) && !world.budgets.empty()) {
    world.budgets.front().disruptions_allowed = static_cast<std::int32_t>(random.below(3));
    return "change budget " + world.budgets.front().metadata.name;
  }
  if (random.chance(1, 20) && !world.namespaces.empty()) {
    world.namespaces.front().metadata.labels["stage"] = "test";
    return "label namespace " + world.namespaces.front().metadata.name;
  }
  if (world.nodes.empty() || random.chance(1, 5)) {
    world.nodes.push_back(random_node(random, numbered("o", serial), rules));
    return numbered("add node o", serial);
  }
  const std::size_t index = random.below(world.nodes.size());
  if (!random.chance(1, 6)) return change_node(random, world.nodes[index], rules);
  const std::string name = world.nodes[index].metadata.name;
  world.nodes.erase(world.nodes.begin() + static_cast<std::ptrdiff_t>(index));
  // Its pods are deleted with it.
  std::erase_if(world.pods, [&](const api::Pod& pod) { return pod.spec.node_name == name; });
  return "remove node " + name;
}

}  // namespace berth::support
