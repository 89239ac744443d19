// Simulation: a case file's cluster on virtual time. Documents arrive, steps happen, controllers make pods, the
// scheduler decides until it has nothing left to decide, pods run and end. After every change the invariants are
// checked:
//   no card or share twice, no node above its capacity through a placement, free amounts equal what runs,
//   no eviction without the placement that needs it, decisions come to an end,
//   and an engine made anew from the objects decides and explains as this one does (incremental equals rebuilt).
// Two of these cost as much as there are pods at every step; in a large case they are left out at some, which
// unchecked() then says.
//
// Seconds are those of the case: the scheduler starts at 0. In batch mode the documents without case.test/at were made
// one second apart before 0, so their order in the file is their age.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/objects.h"
#include "api/revocable_zones.h"
#include "base/result.h"
#include "controllers/reconcile.h"
#include "sim/case/case_file.h"
#include "sim/case/never.h"
#include "sim/case/pod_record.h"
#include "sim/case/pod_records.h"
#include "sim/case/violations.h"
#include "sim/cluster.h"

namespace berth::sim {

class Rebuilt;

class Simulation {
 public:
  Simulation(const CaseFile& file, api::SchedulerConfiguration configuration, std::uint64_t seed);

  // Called after everything that changes a pod, and at the end of every second in which something happened.
  using Observer = std::function<void(std::int64_t now, const Moment& moment)>;

  // Runs until the case's end. Errors are those of its documents.
  [[nodiscard]] Result<void> run(const Observer& observer);

  [[nodiscard]] Cluster& cluster() { return cluster_; }
  [[nodiscard]] const std::deque<PodRecord>& records() const { return pods_.records(); }
  // What a pod waits for that has its place, as a sentence.
  [[nodiscard]] std::string binding_of(const PodRecord& pod);
  // Invariants that did not hold, with the second.
  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_.all(); }

  // What was not looked at everywhere, as sentences that follow "never".
  [[nodiscard]] std::vector<std::string> unchecked() const;

  // Virtual second 0 as Kubernetes time.
  static constexpr api::Time kEpoch = 1'800'000'000;

 private:
  struct Arrival {
    std::int64_t at = 0;
    std::int64_t created = 0;  // virtual second, below 0 for what was there before the start
    std::int32_t document = 0;
    api::ObjectSet objects;
  };

  [[nodiscard]] Result<void> read_documents();
  [[nodiscard]] std::int64_t next_time(std::int64_t after) const;
  void advance(std::int64_t now, const Observer& observer);
  void finish_pods(std::int64_t now);
  void arrive(std::int64_t now);
  void do_steps(std::int64_t now);
  void leave_tainted_devices(std::int64_t now);
  void leave_closed_zones(std::int64_t now);
  // Pods whose devices have become ready start; those whose devices failed, or took too long, wait for another place.
  void bind_devices(std::int64_t now);
  // The pod starts on its node, now or when its devices are ready.
  void start(PodRecord& record, api::Pod& pod, std::span<const api::ResourceClaim* const> claims, std::int64_t now);
  void apply(const CaseStep& step);
  void remove(std::string_view ref, std::int64_t now);
  void reconcile(std::int64_t now);
  // True if something changed that controllers may answer.
  [[nodiscard]] bool reconcile_once(std::int64_t now);
  // The pod is about to go, and not by its controller.
  void note_loss(const std::string& key);
  void settle(std::int64_t now, const Observer& observer);
  void carry_out(const engine::StepResult& result, std::int64_t now, const Observer& observer);
  // An engine made anew from the objects as they are, if the case's allowance reaches.
  [[nodiscard]] std::optional<Rebuilt> rebuilt(std::int64_t now);
  void compare(Rebuilt& anew, const engine::StepResult& result, std::int64_t now);

  // Newcomers get their records. A document's pod whose name is taken is refused_.
  void take_in(const std::vector<Newcomer>& newcomers);
  [[nodiscard]] Moment moment();

  const CaseFile& file_;
  api::SchedulerConfiguration configuration_;
  api::volcano::RevocableZones zones_;
  std::uint64_t seed_;
  Cluster cluster_;
  Violations violations_;
  PodRecords pods_;
  std::vector<Arrival> arrivals_;
  std::vector<controllers::PodEvent> lost_;   // since the controllers last looked
  std::optional<std::int64_t> look_again_;    // when something is due for a controller
  std::optional<Error> refused_;              // what the file says cannot be; known only when it happens
  std::optional<std::int64_t> binding_ends_;  // when the first time for devices to be ready is over
  std::int64_t rebuilt_ = 0;                  // steps at which an engine was made anew
  std::int64_t not_rebuilt_ = 0;              // and at which it was not
  std::int64_t pods_rebuilt_ = 0;             // what that cost so far
  std::int64_t explained_ = 0;                // seconds at whose end reasons were compared
  std::int64_t not_explained_ = 0;            // and at whose end they were not
  std::int64_t nodes_explained_ = 0;          // for reasons that were compared, or would have been
  std::int64_t unseen_decisions_ = 0;         // after which the observer was not called
  std::int64_t visits_ = 0;                   // objects looked at so far
};

}  // namespace berth::sim
