#include "support/generate.h"

#include <algorithm>

#include "support/builders.h"
#include "support/pick.h"

namespace berth::support {
namespace {

void add_namespaces_and_services(Random& random, reference::Objects& world) {
  // "ghost" has pods and no object.
  for (const char* name : {"default", "team-a"}) {
    api::Namespace space;
    space.metadata.name = name;
    if (random.chance(1, 2)) space.metadata.labels["stage"] = "prod";
    world.namespaces.push_back(space);
  }
  for (const char* app : {"web", "db"}) {
    if (!random.chance(1, 3)) continue;
    api::Service service;
    service.metadata.name = app;
    service.metadata.namespace_ = "default";
    service.selector["app"] = app;
    world.services.push_back(service);
  }
}

api::StorageClass storage_class(std::string name, api::VolumeBindingMode mode) {
  api::StorageClass result;
  result.metadata.name = std::move(name);
  result.provisioner = "disk.example";
  result.volume_binding_mode = mode;
  return result;
}

// Claims c0..c5 of every kind: bound, waiting, unbound, for one pod only; c5 is missing.
void add_volumes(Random& random, reference::Objects& world) {
  world.storage_classes.push_back(storage_class("late", api::VolumeBindingMode::kWaitForFirstConsumer));
  world.storage_classes.push_back(storage_class("now", api::VolumeBindingMode::kImmediate));
  world.storage_classes.push_back(storage_class("local", api::VolumeBindingMode::kWaitForFirstConsumer));
  world.storage_classes.back().provisioner = "kubernetes.io/no-provisioner";
  if (random.chance(1, 2)) {
    world.storage_classes.front().allowed_topologies = {
        node_term(kZoneKey, api::SelectorOperator::kIn, {numbered("z", random.below(3)), "z9"})};
  }
  for (std::uint64_t i = 0; i < 7; ++i) {
    api::PersistentVolume volume;
    volume.metadata.name = numbered("v", i);
    volume.storage_class_name = i == 0 || i > 3 ? "late" : "local";
    volume.phase = i == 0 ? "Bound" : "Available";
    volume.capacity["storage"] = api::Quantity::from_units(pick(random, {10, 20, 30, 60}));
    volume.access_modes = {api::AccessMode::kReadWriteOnce};
    if (random.chance(2, 3)) {
      volume.node_affinity.emplace().terms.push_back(
          node_term(kZoneKey, api::SelectorOperator::kIn, {numbered("z", random.below(3))}));
    } else if (random.chance(1, 2)) {
      volume.metadata.labels[kZoneKey] = pick(random, {"z0", "z1__z2", "z0__z1"});
    }
    world.volumes.push_back(volume);
  }
  for (std::uint64_t i = 0; i < 5; ++i) {
    for (const char* space : {"default", "team-a"}) {
      api::PersistentVolumeClaim claim;
      claim.metadata.name = numbered("c", i);
      claim.metadata.namespace_ = space;
      claim.access_modes = {i == 4 ? api::AccessMode::kReadWriteOncePod : api::AccessMode::kReadWriteOnce};
      claim.requests["storage"] = api::Quantity::from_units(pick(random, {5, 15, 25}));
      claim.storage_class_name = i == 1 || i == 4 ? "late" : i == 2 ? "local" : "now";
      if (i == 0 && claim.metadata.namespace_ == "default") {
        claim.storage_class_name = "late";
        claim.volume_name = "v0";
        claim.phase = "Bound";
        claim.metadata.annotations["pv.kubernetes.io/bind-completed"] = "yes";
        world.volumes.front().claim_namespace = "default";
        world.volumes.front().claim_name = "c0";
      }
      world.claims.push_back(claim);
    }
  }
}

// What the driver of the class "late" can still make in each zone.
void add_storage_room(Random& random, reference::Objects& world) {
  api::CsiDriver driver;
  driver.metadata.name = "disk.example";
  driver.storage_capacity = random.chance(4, 5);
  world.csi_drivers.push_back(driver);
  for (std::uint64_t i = 0; i < 4; ++i) {
    api::CsiStorageCapacity room;
    room.metadata.name = numbered("room", 4 - i);
    room.metadata.namespace_ = "default";
    room.storage_class_name = random.chance(9, 10) ? "late" : "now";
    if (!random.chance(1, 20)) room.node_topology.emplace();
    if (room.node_topology && random.chance(4, 5)) {
      room.node_topology->match_labels[kZoneKey] = numbered("z", random.below(3));
    } else if (room.node_topology && random.chance(1, 2)) {
      room.node_topology->match_expressions.push_back({kZoneKey, api::SelectorOperator::kNotIn, {"z0"}});
    }
    if (!random.chance(1, 10)) room.capacity = api::Quantity::from_units(pick(random, {4, 10, 20, 40, 100}));
    if (random.chance(1, 4)) room.maximum_volume_size = api::Quantity::from_units(pick(random, {10, 30}));
    world.csi_storage_capacities.push_back(room);
  }
}

void add_budgets(Random& random, reference::Objects& world) {
  for (const char* app : {"db", "web"}) {
    if (!random.chance(1, 4)) continue;
    api::PodDisruptionBudget budget;
    budget.metadata.name = app;
    budget.metadata.namespace_ = random.chance(2, 3) ? "default" : "team-a";
    budget.selector = selector("app", app);
    budget.disruptions_allowed = static_cast<std::int32_t>(random.below(3));
    world.budgets.push_back(budget);
  }
}

void add_controllers(Random& random, reference::Objects& world, api::Pod& pod) {
  if (!random.chance(1, 10)) return;
  api::ReplicaSet set;
  set.metadata.name = numbered("set", world.replica_sets.size());
  set.metadata.namespace_ = pod.metadata.namespace_;
  if (pod.metadata.labels.contains("app")) set.selector.match_labels["app"] = pod.metadata.labels.at("app");
  pod.metadata.owner_references.push_back({"apps/v1", "ReplicaSet", set.metadata.name, "", true});
  world.replica_sets.push_back(set);
}

}  // namespace

WorldRules some_rules(Random& random, const WorldRules& rules) {
  WorldRules some = rules;
  some.tight = rules.tight && random.chance(1, 2);
  for (bool WorldRules::* rule :
       {&WorldRules::taints, &WorldRules::node_affinity, &WorldRules::host_ports, &WorldRules::odd_requests,
        &WorldRules::spread, &WorldRules::pod_affinity, &WorldRules::volumes, &WorldRules::images,
        &WorldRules::shared_cards, &WorldRules::priorities, &WorldRules::gates, &WorldRules::features}) {
    some.*rule = rules.*rule && random.chance(4, 5);
  }
  some.cards_only = rules.cards_only || (some.shared_cards && random.chance(1, 6));
  if (some.cards_only) some.tight = false;
  return some;
}

reference::Objects random_world(Random& random, const WorldSize& size, const WorldRules& allowed) {
  const WorldRules rules = some_rules(random, allowed);
  reference::Objects world;
  add_namespaces_and_services(random, world);
  if (rules.volumes) add_volumes(random, world);
  if (rules.volumes && random.chance(1, 20)) add_storage_room(random, world);
  if (rules.priorities) add_budgets(random, world);
  const std::int64_t nodes =
      random.between(random.chance(1, 8) ? 1 : std::min<std::int64_t>(3, size.most_nodes), size.most_nodes);
  for (std::int64_t i = 0; i < nodes; ++i) {
    world.nodes.push_back(random_node(random, numbered("n", static_cast<std::uint64_t>(i)), rules));
  }
  const std::int64_t running = random.between(0, size.most_running);
  const std::int64_t pending = random.between(1, size.most_pending);
  for (std::int64_t i = 0; i < running + pending; ++i) {
    api::Pod pod = random_pod(random, numbered("p", static_cast<std::uint64_t>(i)), rules);
    add_controllers(random, world, pod);
    if (i < running) {
      pod.spec.scheduling_gates.clear();
      pod.spec.node_name = pick(random, world.nodes).metadata.name;
      if (random.chance(1, 40)) pod.spec.node_name = "gone";
      pod.status.phase = random.chance(1, 20) ? api::PodPhase::kSucceeded : api::PodPhase::kRunning;
      if (random.chance(5, 6)) pod.status.start_time = static_cast<api::Time>(random.below(5));
      if (random.chance(1, 12)) pod.metadata.deletion_timestamp = 9;
      if (pod.metadata.deletion_timestamp && random.chance(1, 2)) {
        pod.status.conditions.push_back({"DisruptionTarget",
                                         random.chance(5, 6) ? "True" : "False",
                                         random.chance(5, 6) ? "PreemptionByScheduler" : "EvictionByEvictionAPI",
                                         "",
                                         {}});
      }
    } else {
      pod.status = {};
      if (random.chance(2, 5)) {
        pod.status.nominated_node_name = pick(random, world.nodes).metadata.name;
        // Else it loses the promise when it is tried in vain. Without a draw, as below.
        if (world.pods.size() % 2 == 0) {
          pod.spec.preemption_policy = api::PreemptionPolicy::kNever;
          pod.spec.priority = 1'000'000;
        }
      }
    }
    world.pods.push_back(std::move(pod));
  }
  // Without a draw, so that the worlds stay those for which the generator is known to touch every rule.
  for (std::size_t i = 0; i < world.budgets.size(); ++i) {
    if (!world.pods.empty() && (world.pods.size() + i) % 3 == 0)
      world.budgets[i].disrupted_pods = {world.pods[(world.pods.size() + i) / 2 % world.pods.size()].metadata.name};
  }
  return world;
}

reference::Objects random_world_of_replicas(Random& random, std::int64_t templates, std::int64_t replicas,
                                            const WorldSize& size, const WorldRules& rules) {
  reference::Objects world = random_world(random, size, rules);
  for (std::int64_t i = 0; i < templates; ++i) {
    api::Pod pod = random_pod(random, "", some_rules(random, rules));
    pod.status = {};
    const std::int64_t count = random.between(1, replicas);
    for (std::int64_t replica = 0; replica < count; ++replica) {
      pod.metadata.name =
          numbered(numbered("t", static_cast<std::uint64_t>(i)) + "-", static_cast<std::uint64_t>(replica));
      // Sometimes one after the other, sometimes all at once.
      if (random.chance(1, 2)) pod.metadata.creation_timestamp = static_cast<api::Time>(random.below(4));
      world.pods.push_back(pod);
    }
  }
  return world;
}

}  // namespace berth::support
