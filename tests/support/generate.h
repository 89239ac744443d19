// Generators of small worlds that use every scheduling rule, singly and in combination, ugly values among them. The
// same seed makes the same world on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "api/scheduler_config.h"
#include "base/random.h"
#include "reference/objects.h"

namespace berth::support {

struct WorldSize {
  std::int64_t most_nodes = 6;
  std::int64_t most_running = 10;
  std::int64_t most_pending = 5;
};

// Which rules may appear. Everything by default; a study of one rule leaves the others out. A random world leaves some
// of them out by chance, so that pods are not refused for three reasons at once all the time.
struct WorldRules {
  bool tight = true;  // nodes that a few pods fill
  bool taints = true;
  bool node_affinity = true;
  bool host_ports = true;
  bool odd_requests = true;  // init containers, sidecars, overhead, pod-level and in-place resized ones
  bool spread = true;
  bool pod_affinity = true;
  bool volumes = true;
  bool images = true;
  bool shared_cards = true;
  bool cards_only = false;  // every node has cards to share, and pods want little else
  bool priorities = true;
  bool gates = true;
  bool features = true;
};

// Nodes, namespaces, services, volumes, budgets, running and pending pods. Names are in order of creation.
[[nodiscard]] WorldRules some_rules(Random& random, const WorldRules& rules);
[[nodiscard]] reference::Objects random_world(Random& random, const WorldSize& size = {}, const WorldRules& rules = {});

// A world whose pending pods are copies of few templates, as controllers make them.
[[nodiscard]] reference::Objects random_world_of_replicas(Random& random, std::int64_t templates, std::int64_t replicas,
                                                          const WorldSize& size = {}, const WorldRules& rules = {});

// The pieces, for streams of changes.
[[nodiscard]] api::Node random_node(Random& random, std::string name, const WorldRules& rules);
[[nodiscard]] api::Pod random_pod(Random& random, std::string name, const WorldRules& rules);

// A profile: upstream's, or one with other strategies, weights, arguments and fewer plugins.
[[nodiscard]] api::SchedulerProfile random_profile(Random& random);
// Lets the profile score with RoomValue.
void value_rooms(Random& random, api::SchedulerProfile& profile);

// One change as a cluster sees it: a node or pod comes, changes or goes, a taint, a label, a cordon, a budget. Names
// that come are numbered with `serial`. Says in a few words what it did.
std::string change_world(Random& random, reference::Objects& world, std::size_t serial, const WorldRules& rules = {});

// A few lines per object, for the message of a test that failed.
[[nodiscard]] std::string describe(const reference::Objects& world);
[[nodiscard]] std::string describe(const api::SchedulerProfile& profile);

}  // namespace berth::support
