// Outcome: what the scheduler would do with a snapshot until it has nothing left to decide, in terms of objects.
// Evicted pods of a controller come back as new pending pods and are decided on too; a volume goes to one claim only.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "engine/decision.h"
#include "engine/ids.h"
#include "sim/cluster.h"
#include "sim/plan/sharing.h"

namespace berth::sim {

// What a ResourceClaim of a pod has.
struct ClaimDevices {
  std::string claim;                 // "namespace/name"
  std::vector<std::string> devices;  // "pool/device", in the order of the allocation
  // Conditions that their drivers have to make true before the pod is bound; sorted.
  std::vector<std::string> waits_for;
  bool given = false;  // allocated in the input already
};

struct Placement {
  std::string namespace_;
  std::string name;
  std::string owner;  // outermost, "Deployment/web"; "Pod/x" for a pod nobody owns
  std::string node;
  std::string asks;  // "1 GPU, 8 CPUs"
  std::int64_t score = 0;
  std::vector<engine::CardAssignment> cards;
  std::vector<ClaimDevices> claims;
  Sharing sharing = Sharing::kNone;  // filled in when all is decided: who comes later may use its devices, too
};

// A PodDisruptionBudget that an eviction breaks: more of its pods go for one pod than may.
struct BrokenBudget {
  std::string name;  // "namespace/name"
  std::int32_t allowed = 0;
  std::int32_t needed = 0;
};
// "breaks PodDisruptionBudget lab/db: 0 disruptions allowed, 1 needed".
[[nodiscard]] std::string text_of(const BrokenBudget& budget);

struct Eviction {
  std::string pod;  // "namespace/name"
  std::string owner;
  std::string node;
  std::string beneficiary;  // "namespace/name"
  std::string replacement;  // name of the pod that its controller makes instead, which may be its own; empty: none
  std::string asks;         // "1 GPU, 8 CPUs"
  std::int32_t priority = 0;
  std::vector<BrokenBudget> broken_budgets;
};

struct Outcome {
  std::vector<Placement> placements;  // in the order of the engine
  std::vector<Eviction> evictions;
  std::vector<engine::NameId> preempted;  // workloads that lose all that they hold
  bool complete = true;                   // false: it was given up while there was still something to decide
};

// Decides about the cluster, which has been loaded. It is left as after the last step: evicted pods are Failed, their
// replacements are among the objects, bound claims name their volume.
[[nodiscard]] Outcome decide(Cluster& cluster, engine::Time now);

// The pods of these placements.
[[nodiscard]] std::set<engine::PodId> planned_pods(const Cluster& cluster, const std::vector<Placement>& placements);

// "8 GPUs, 16 CPUs, 64Gi memory" of a pod; "nothing" for one that asks for nothing.
[[nodiscard]] std::string asks_text(const Cluster& cluster, engine::PodId pod);

}  // namespace berth::sim
