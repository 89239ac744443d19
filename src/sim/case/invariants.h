// Invariants of a scheduled cluster, checked against the objects and the engine's world. Each returns what is wrong as
// a sentence, or nothing.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/decision.h"
#include "sim/cluster.h"

namespace berth::sim {

// Is the eviction at this position followed, in the same result, by the placement it makes room for, on the same node,
// as part of a whole workload, or on another node that reaches its devices? Of a workload that goes whole it is enough
// if that holds of one of its pods.
[[nodiscard]] bool is_completed(const engine::StepResult& result, std::size_t eviction, const engine::World& world);

// Every eviction is followed, in the same result, by the placement it makes room for.
[[nodiscard]] std::optional<std::string> evictions_complete(const engine::StepResult& result, const Cluster& cluster);

// After load(): what the world calls free is allocatable minus what the placed pods ask, on every node and resource;
// and what each card has free is a whole card minus the shares of the pods on it. O(nodes x resources + pods).
[[nodiscard]] std::optional<std::string> ledger_is_real(const Cluster& cluster);

// Whatever workload the result places pods of is whole afterwards.
[[nodiscard]] std::optional<std::string> gangs_are_whole(const engine::StepResult& result, const Cluster& cluster);

// Of each workload that holds places, by group: is it whole?
using WholeGroups = std::map<engine::WorkloadId, std::vector<bool>>;
[[nodiscard]] WholeGroups whole_groups(const Cluster& cluster);

// What of a workload or group that was whole before is left by the evictions of the result is whole again, or nothing.
[[nodiscard]] std::optional<std::string> gangs_go_whole(const engine::StepResult& result, const Cluster& cluster,
                                                        const WholeGroups& before);

// What each queue is charged is what the pods of its workloads ask that hold a place. O(queues x resources + pods).
[[nodiscard]] std::optional<std::string> queues_are_real(const Cluster& cluster);

// No placement of the result left its node above capacity or a card above one.
[[nodiscard]] std::optional<std::string> placements_fit(const engine::StepResult& result, const Cluster& cluster);

}  // namespace berth::sim
