// Joint placement: the pods of a workload that would make it whole, placed together in one transaction, or none of
// them.
//
// Groups with a topology rule come first and the largest of them first; then the pods that fewest nodes can take. A
// first try takes the best node for each pod and the tightest domain that could hold each group. If that fails although
// no counting bound says no, a search with backtracking over domains and nodes follows. Its no is exact; it counts its
// steps and says so when it gives up (kSearchLimit).
//
// Bounds (kinds.h): for each kind of pods and domain the number that fits must reach what is asked, for slices slice by
// slice; for all kinds together their number and the sum of each resource must. Pods of one kind are in one order.
//
// Source of the rules: KEP-4671 (gang), KEP-5732 (topology), Kueue's topology-aware scheduling (slices, best fit).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/gang/core.h"
#include "engine/gang/slices.h"
#include "engine/quota/fairness.h"
#include "engine/search/search.h"
#include "engine/topology/domain_tree.h"
#include "engine/topology/room.h"

namespace berth::engine {

struct PlacedPod {
  PodId pod;
  Choice choice;
};

enum class PlacementOutcome : std::uint8_t {
  kPlaced,
  kTooFewMembers,  // the members that exist and want a node cannot make it whole
  kQuota,          // no core is within the quota of every queue
  kNoRoom,
  kSearchLimit,  // neither found nor excluded within the limit
};

struct PlacementOptions {
  bool any_domain = false;                            // topology rules are not asked
  bool lifted = false;                                // cordons, taints and unreadiness are not asked
  bool unpromised = false;                            // rooms promised to others are not asked
  const Fairness* fairness = nullptr;                 // with it, quotas are asked
  std::span<const ResourceAmount> held_to_come = {};  // sums that holds keep for pods to come: to_come.h
  bool evicting = false;           // others go for it: what it would keep for pods to come needs no room
  const Bitmap* within = nullptr;  // by rank: only these nodes; null: all
  std::size_t step_limit = 20000;  // of the search with backtracking
  std::size_t core_limit = 512;
};

// What the pods of a core are charged together, ascending by resource.
[[nodiscard]] std::vector<ResourceAmount> charge_of(const World& world, const Core& core);
// What keeps the core out of the workload's queues, or nothing.
[[nodiscard]] std::optional<QuotaBlock> quota_block(const World& world, const Fairness& fairness,
                                                    const Workload& workload, const Core& core, bool evicting = false,
                                                    std::span<const ResourceAmount> held_to_come = {});

class JointPlacement {
 public:
  JointPlacement(World& world, Search& search)
      : world_(world), search_(search), trees_(world), rooms_(world), lifted_rooms_(world, true) {}

  // Places what the workload lacks to be whole. Placed: the pods are in the world, in the caller's transaction, and
  // placed() names them in order. Else the world is as it was. The world must be fresh.
  [[nodiscard]] PlacementOutcome place_core(const Workload& workload, const PlacementOptions& options = {});
  // More of a workload that is whole, where its rules allow it: what a group of it lacks that lost members, else the
  // next member or slice, or the next group that has to come at once (growth_of), in order, that fits. `only_damaged`:
  // the former alone.
  [[nodiscard]] PlacementOutcome grow(const Workload& workload, const PlacementOptions& options = {},
                                      bool only_damaged = false);
  // These pods and no others.
  [[nodiscard]] PlacementOutcome place(const Workload& workload, const Core& core, const PlacementOptions& options);

  // Lets go of what was kept for search parts that are gone.
  void forget(std::span<const SearchId> searches) {
    rooms_.forget(searches);
    lifted_rooms_.forget(searches);
  }

  [[nodiscard]] const std::vector<PlacedPod>& placed() const { return placed_; }
  [[nodiscard]] DomainTrees& trees() { return trees_; }
  [[nodiscard]] Rooms& rooms(bool lifted = false) { return lifted ? lifted_rooms_ : rooms_; }

 private:
  [[nodiscard]] PlacementOutcome grow_by_group(const Workload& workload, const Wanting& wanting, std::uint32_t group,
                                               const PlacementOptions& options);
  [[nodiscard]] PlacementOutcome grow_leaf(const Workload& workload, const Wanting& wanting, std::uint32_t leaf,
                                           const PlacementOptions& options);

  World& world_;
  Search& search_;
  DomainTrees trees_;
  Rooms rooms_;
  Rooms lifted_rooms_;
  std::vector<PlacedPod> placed_;
};

}  // namespace berth::engine
