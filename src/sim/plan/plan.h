// Plan: what the scheduler would do with a snapshot, in terms of objects: who would go where, who would have to leave,
// who would wait and why. Pure data, so that text and JSON are two views of one answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dialects/workloads/ecosystem.h"
#include "dialects/workloads/standing.h"
#include "engine/reason/reason.h"
#include "sim/cluster.h"
#include "sim/plan/defragmentation.h"
#include "sim/plan/inventory.h"
#include "sim/plan/outcome.h"

namespace berth::sim {

// Pods of one owner that wait for one reason in the same words.
struct Waiting {
  engine::PodId example;
  std::string namespace_;
  std::string owner;
  std::vector<std::string> names;
  engine::Reason reason;
  std::string sentence;
  std::vector<std::string> hints;  // what of its claims is probably misspelt
};

struct NodeCounts {
  std::int64_t total = 0;
  std::int64_t cordoned = 0;
  std::int64_t not_ready = 0;
  std::int64_t tainted = 0;  // NoSchedule or NoExecute
};

// Pods of the input by phase; pods with a node count as running until they have finished.
struct PodCounts {
  std::int64_t total = 0;
  std::int64_t running = 0;
  std::int64_t pending = 0;
  std::int64_t succeeded = 0;
  std::int64_t failed = 0;
  std::int64_t leaving = 0;   // being deleted, and never had a node
  std::int64_t left_out = 0;  // on nodes that are not in the input
};

// What runs and is in no queue, by the scheduler that its pods name.
struct ForeignAccount {
  std::string scheduler;
  std::int64_t pods = 0;
  std::vector<engine::ResourceAmount> holds;  // ascending by resource, without pods
};

// resource.k8s.io objects of the input.
struct DeviceObjectCounts {
  std::int64_t slices = 0;
  std::int64_t devices = 0;  // in the slices
  std::int64_t classes = 0;
  std::int64_t claims = 0;
  std::int64_t allocated_claims = 0;
};

struct Plan {
  NodeCounts nodes;
  PodCounts pods;
  DeviceObjectCounts device_objects;
  std::vector<CardRow> cards_before;  // what runs now
  std::vector<CardRow> cards_after;   // with the plan carried out
  Stranded stranded;                  // free after the plan, usable by no pending pod
  std::vector<Placement> placements;  // in the order of the engine
  std::vector<Eviction> evictions;
  std::vector<Waiting> waiting;    // one of the thirteen classes
  std::vector<Waiting> not_ready;  // held by a gate or a missing object
  dialects::workloads::Standings standings;
  std::vector<dialects::workloads::ObjectCondition> conditions;  // as they would be written
  std::vector<ForeignAccount> foreign;                           // where there are queues
  std::optional<Defragmentation> defragmentation;                // where it was asked for
  std::vector<std::string> warnings;  // what is about to happen and probably not meant, as sentences
  std::vector<std::string> weaker;    // conclusions that the input is too partial for, as sentences

  [[nodiscard]] std::int64_t waiting_pods() const;
  [[nodiscard]] std::int64_t not_ready_pods() const;
};

// Loads the cluster, decides until nothing is left to decide, explains. The cluster is left as decide() leaves it. With
// `most_moves` a defragmentation of at most so many moves follows.
[[nodiscard]] Plan make_plan(Cluster& cluster, engine::Time now, std::optional<std::size_t> most_moves = {});

}  // namespace berth::sim
