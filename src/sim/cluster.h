// Cluster: objects and the engine that schedules them, kept in step. What `plan`, `explain` and `case` share.
//
//   Cluster cluster(std::move(objects), configuration, {.seed = 7});
//   cluster.load(now);                       // events applied, nothing decided
//   StepResult result = cluster.step(now);   // decisions; the objects are the caller's to change
//
// The objects are the only memory: restart() forgets everything else and reads them again.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "api/feature_gates.h"
#include "api/objects.h"
#include "api/scheduler_config.h"
#include "dialects/kubernetes/translator.h"
#include "engine/engine.h"
#include "engine/names.h"

namespace berth::sim {

struct ClusterOptions {
  std::uint64_t seed = 0;
  bool excerpt = true;  // the objects may be a part of a cluster; see dialects::kubernetes::TranslatorOptions
  // Which features of the API exist; the objects were read with the same.
  api::KubernetesVersion version = api::kNewestKubernetes;
  api::FeatureGates gates;
};

class Cluster {
 public:
  Cluster(api::ObjectSet objects, api::SchedulerConfiguration configuration, ClusterOptions options = {});
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // Free to change between steps; pointers into it are valid until then.
  [[nodiscard]] api::ObjectSet& objects() { return objects_; }
  [[nodiscard]] const api::ObjectSet& objects() const { return objects_; }

  // Tells the engine what changed.
  void load(engine::Time now);
  // load(), then one step of the engine.
  [[nodiscard]] engine::StepResult step(engine::Time now);
  // A new engine with new names. What the old one knew and the objects do not say is gone.
  void restart();

  // Valid after the first load().
  [[nodiscard]] engine::Engine& engine() const { return *state_->engine; }
  [[nodiscard]] const engine::Names& names() const { return state_->names; }
  [[nodiscard]] const dialects::kubernetes::Translator& translator() const { return state_->translator; }

  [[nodiscard]] const api::Pod* pod(engine::PodId id) const;
  [[nodiscard]] std::string_view node_name(engine::NodeId id) const;

  // Writes into the statuses of group objects and queues how they stand.
  void write_statuses(const dialects::workloads::Standings& standings) {
    state_->translator.workloads().write_statuses(standings, objects_);
  }
  // Clears the nodes that pods were promised and that the step took back. O(pods) if there are any.
  void write_withdrawals(const engine::StepResult& result);
  void write_preemption(engine::NameId workload, engine::Time now) {
    state_->translator.workloads().write_preemption(workload, now, objects_);
  }

 private:
  struct State {
    State(const api::SchedulerConfiguration& configuration, const dialects::kubernetes::TranslatorOptions& options)
        : translator(configuration, names, options) {}
    engine::Names names;
    dialects::kubernetes::Translator translator;
    std::unique_ptr<engine::Engine> engine;
  };

  api::ObjectSet objects_;
  api::SchedulerConfiguration configuration_;
  ClusterOptions options_;
  std::unique_ptr<State> state_;
};

}  // namespace berth::sim
