// Rebuilt: an engine made anew from the objects of a cluster has to decide what the one decides that followed their
// changes. Neither has anything else to go by: who waited, was promised a node or holds one is in the objects. Only
// which cards and shares a running pod holds is in no object, so the new engine is told what the old one knows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/scheduler_config.h"
#include "dialects/kubernetes/translator.h"
#include "engine/decision.h"
#include "engine/engine.h"
#include "engine/names.h"
#include "sim/cluster.h"

namespace berth::sim {

class Rebuilt {
 public:
  // Reads the objects, of which the cluster's engine has heard and on which it has not decided yet. O(objects).
  Rebuilt(const Cluster& cluster, const api::SchedulerConfiguration& configuration, std::uint64_t seed,
          engine::Time now, const api::FeatureGates& gates);

  // The first thing that the two do otherwise, in words, given what the cluster's engine decided now: who is placed
  // where and with which cards and devices, who is evicted for whom, who loses the node that was promised to it. In
  // which order is not compared: the old engine does not try again who failed and whom nothing that happened since may
  // help. Nothing if they agree. A step.
  [[nodiscard]] std::optional<std::string> decides_otherwise(const Cluster& cluster, const engine::StepResult& result);

  // The same of the class of the reason of each waiting pod, where both had nothing to decide. O(pods x nodes).
  [[nodiscard]] std::optional<std::string> explains_otherwise(const Cluster& cluster);

 private:
  engine::Time now_;
  engine::Names names_;
  dialects::kubernetes::Translator translator_;
  std::optional<engine::Engine> engine_;
};

}  // namespace berth::sim
