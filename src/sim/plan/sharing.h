// Sharing: who has what computes for himself, who has a part of it, and what keeps the parts apart.
//
//   exclusive     a whole card
//   MIG           a part of a card with memory and faults of its own
//   MPS           a part without either; what MPS limits is a limit among friends
//   time-slicing  turns on one card; shares of cards (KAI, Volcano vGPU) are turns as well
//
// Of what device plugins count: MIG resources (mixed strategy), products that are MIG slices (single strategy), and the
// labels RESOURCE.replicas and RESOURCE.sharing-strategy of GPU feature discovery, also for a resource renamed
// RESOURCE.shared. Of claims: the device's type, whether the allocation is shared, and where several pods use one claim
// the strategy of its configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/resource.h"
#include "engine/devices/holdings.h"
#include "engine/ids.h"
#include "sim/cluster.h"

namespace berth::sim {

// Namespaces whose label of this key has the same value trust each other.
inline constexpr std::string_view kTrustLabel = "berth/trust-domain";

// The weaker the later.
enum class Sharing : std::uint8_t { kNone, kExclusive, kMig, kMps, kTimeSlicing };

[[nodiscard]] std::string_view name_of(Sharing sharing);       // "Exclusive", for JSON
[[nodiscard]] std::string_view phrase_of(Sharing sharing);     // "time-slicing"
[[nodiscard]] std::string_view isolation_of(Sharing sharing);  // "memory and faults", "none"

// Of the cluster as it is now; it must not change. O(pods).
class CardSharing {
 public:
  explicit CardSharing(const Cluster& cluster);

  // The weakest of what the pod has; kNone: nothing that computes. O(claims of the pod).
  [[nodiscard]] Sharing of(engine::PodId pod) const;
  // Namespaces that do not trust each other and share cards without isolation, as sentences. O(pods).
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  // A card or device that the pod has a part of.
  struct Part {
    std::string place;  // equal for pods that may meet there
    Sharing sharing = Sharing::kNone;
  };
  [[nodiscard]] std::vector<Part> parts_of(engine::PodId pod) const;
  void add_cards(engine::PodId pod, std::vector<Part>& parts) const;
  void add_claim(engine::PodId pod, engine::NameId claim, std::vector<Part>& parts) const;
  // That of a device that several pods use; `mig`: it is one of MIG.
  [[nodiscard]] Sharing strategy(engine::NameId claim, const engine::devices::Grant& grant,
                                 const engine::devices::DeviceAllocation& device, bool mig) const;
  [[nodiscard]] std::optional<Sharing> strategy_of_allocation(const api::AllocationResult& allocation,
                                                              const engine::devices::DeviceAllocation& device,
                                                              bool mig) const;
  [[nodiscard]] std::optional<Sharing> strategy_of_spec(const api::ResourceClaimSpec& spec,
                                                        const engine::devices::Grant& grant,
                                                        const engine::devices::DeviceAllocation& device,
                                                        bool mig) const;
  [[nodiscard]] std::string trust_of(const std::string& namespace_) const;

  const Cluster& cluster_;
  boost::unordered_flat_map<engine::NameId, std::int64_t, std::hash<engine::NameId>> users_;  // of claims
  boost::unordered_flat_map<std::string, std::string> trust_;  // namespace to its label's value
};

// Drivers of GPUs are named gpu.VENDOR.
[[nodiscard]] bool names_gpus(std::string_view driver);

}  // namespace berth::sim
