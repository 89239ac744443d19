// WorkloadCycle: decides for workloads, in turn with the bare pods.
//
//   cycle.begin_pass(now);
//   for each bare pod in order: cycle.run_until(pod, decisions), then the pod itself
//   cycle.run_until(none, decisions); cycle.end_pass();
//
// A workload is tried whole: queue, quota, place, in one transaction. If it fits nowhere, others may go for it
// (reclaim.h); if not, it is parked, and it may reserve (reservations.h).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engine/cycle/eviction_order.h"
#include "engine/cycle/reservations.h"
#include "engine/cycle/workload_queue.h"
#include "engine/decision.h"
#include "engine/gang/placement.h"

namespace berth::engine {

class PolicyKeeper;

class WorkloadCycle {
 public:
  WorkloadCycle(World& world, Search& search, PolicyKeeper& keeper);

  // Workloads or queues changed: who wants what is found out again.
  void update(bool between_passes = false);
  // Nobody wants anything and nothing is reserved: passes need not ask.
  [[nodiscard]] bool idle() const { return queue_.empty() && reservations_.last().empty(); }

  void begin_pass(Time now);
  // Decides for every workload that comes before the pod; for all that are left if it is none.
  void run_until(PodId pod, std::vector<Decision>& decisions);
  // Gives back what is reserved. True if another pass could decide more.
  bool end_pass();

  // The room that a bare pod may use although it is reserved is free while this is alive.
  [[nodiscard]] Reservations::Passing pass_for(PodId pod);
  [[nodiscard]] bool reserves() const { return !reservations_.all().empty(); }

  // Workloads that were tried in this step and still want something.
  [[nodiscard]] std::vector<WorkloadId> take_failed() { return std::exchange(failed_, {}); }

  [[nodiscard]] const WorkloadQueue& queue() const { return queue_; }
  [[nodiscard]] JointPlacement& placement() { return placement_; }
  [[nodiscard]] Reservations& reservations() { return reservations_; }
  [[nodiscard]] const Fairness& fairness() const { return fairness_; }

 private:
  [[nodiscard]] bool attempt(WorkloadId id, std::vector<Decision>& decisions);
  void carry_out(WorkloadId id, const std::vector<std::pair<PodId, NodeId>>& victims, std::vector<Decision>& decisions);
  void failed(WorkloadId id);
  void reserve(WorkloadId id);
  bool keep(std::optional<Reservation> hold);
  [[nodiscard]] bool is_hopeless(const Workload& workload) const;
  [[nodiscard]] bool may_start(const Workload& workload, Turn turn) const;
  void prepare_fairness();
  [[nodiscard]] std::optional<Time> ends(const Workload& workload) const;
  [[nodiscard]] Passer passer_of(const Workload& workload) const;
  [[nodiscard]] bool has_a_node(const Workload& workload) const;

  World& world_;
  Search& search_;
  PolicyKeeper& keeper_;
  Fairness fairness_;
  WorkloadQueue queue_;
  JointPlacement placement_;
  Reservations reservations_;
  EvictionOrder eviction_order_;
  Time now_ = 0;
  std::vector<WorkloadId> failed_;
  std::vector<bool> asked_to_reserve_;  // by queue, in this pass
};

}  // namespace berth::engine
