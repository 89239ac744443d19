// Claims of pods that were just placed: their allocations and reservations as the scheduler would write them.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/core.h"
#include "controllers/fresh_names.h"
#include "dialects/dra/published_devices.h"
#include "sim/cluster.h"

namespace berth::sim {

// Borrows the cluster, whose slices and claims stay the same while it is in use. Claims for extended resources that
// devices serve are made here; they are among the objects when the writer is gone.
class AllocationWriter {
 public:
  // `now`: when allocations with binding conditions are made, which is written there; none: nobody waits for them.
  explicit AllocationWriter(Cluster& cluster, std::optional<api::Time> now = std::nullopt)
      : cluster_(cluster), now_(now) {}
  ~AllocationWriter();
  AllocationWriter(const AllocationWriter&) = delete;
  AllocationWriter& operator=(const AllocationWriter&) = delete;

  // Writes status.allocation and status.reservedFor of the pod's claims, from what the engine decided, and returns
  // these claims. The claim for the pod's extended resources is named in the pod's status. The pod must be among the
  // objects as of the last load; if it holds no place any more, nothing is written. O(claims of the pod), the first
  // time O(slices + claims + groups).
  std::vector<const api::ResourceClaim*> write(api::Pod& pod);

 private:
  void index();
  [[nodiscard]] api::ClaimConsumer consumer_of(const api::Pod& pod, const api::ResourceClaim& claim) const;
  // The pod's new claim for extended resources, or null if devices serve none.
  const api::ResourceClaim* write_extended(api::Pod& pod, std::string_view node);

  [[nodiscard]] api::AllocationResult result_of(const engine::devices::Grant& grant, const api::ResourceClaim& claim,
                                                std::string_view node) const;

  Cluster& cluster_;
  std::optional<api::Time> now_;
  std::optional<dialects::dra::PublishedDevices> published_;
  boost::unordered_flat_map<std::string, api::ResourceClaim*> claims_;   // by "namespace/name"
  boost::unordered_flat_map<std::string, const api::PodGroup*> groups_;  // the same
  controllers::FreshNames names_;
  std::deque<api::ResourceClaim> made_;
};

}  // namespace berth::sim
