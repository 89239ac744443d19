// Claims of pods that were just placed: their allocations and reservations as the scheduler would write them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/core.h"
#include "dialects/dra/published_devices.h"
#include "sim/cluster.h"

namespace berth::sim {

// Borrows the cluster, whose slices and claims stay the same while it is in use.
class AllocationWriter {
 public:
  explicit AllocationWriter(Cluster& cluster) : cluster_(cluster) {}

  // Writes status.allocation and status.reservedFor of the pod's claims, from what the engine decided, and returns
  // these claims. The pod must be among the objects as of the last load. O(claims of the pod), the first time O(slices
  // + claims + groups).
  std::vector<const api::ResourceClaim*> write(const api::Pod& pod);

 private:
  void index();
  [[nodiscard]] api::ClaimConsumer consumer_of(const api::Pod& pod, const api::ResourceClaim& claim) const;

  Cluster& cluster_;
  std::optional<dialects::dra::PublishedDevices> published_;
  boost::unordered_flat_map<std::string, api::ResourceClaim*> claims_;   // by "namespace/name"
  boost::unordered_flat_map<std::string, const api::PodGroup*> groups_;  // the same
};

}  // namespace berth::sim
