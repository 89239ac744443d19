// Hints: what in a pod's claims is probably misspelt, since no device publishes it: attributes, capacities, domains and
// drivers in selectors, attributes in constraints; each with what is published instead.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialects/dra/published.h"
#include "engine/reason/reason.h"
#include "sim/cluster.h"

namespace berth::sim {

class DeviceHints {
 public:
  explicit DeviceHints(const Cluster& cluster) : cluster_(cluster) {}

  // For a pod that waits for this reason, as sentences; none where devices are not what it lacks. The first call costs
  // O(devices).
  [[nodiscard]] std::vector<std::string> about(engine::PodId pod, const engine::Reason& reason);

 private:
  const Cluster& cluster_;
  std::optional<dialects::dra::Published> published_;
};

}  // namespace berth::sim
