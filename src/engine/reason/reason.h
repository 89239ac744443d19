// Why a pod does not run: a code and the numbers that were compared. Text is made elsewhere (src/report), from this
// record. Classes: docs of the case format; one class per pod, exact and checkable by transaction:
//   NeverFits     fails on the emptied cluster, cordons and taints as they are lifted too
//   NodeExcluded  fits once taints and cordons are lifted, not before
//   Busy          would run on the emptied cluster, rules among pods aside; what runs now is in the way
//   Fragmented    Busy, and the cluster's free amounts are enough in sum
//   TopologyNoFit a spread or affinity rule leaves no domain, or no domain can hold the group
//   Reserved      it fits, in room that is kept for somebody else
// Of workloads (reason/explain_workload.h):
//   QueueDenied    a queue of it is missing, closed or broken
//   QuotaExceeded  its queues have not enough left
//   GangIncomplete some members fit now, not the required number; or too few exist
// The remaining classes belong to devices and to scaling.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/devices/ids.h"
#include "engine/ids.h"
#include "engine/input.h"
#include "engine/reason/workload_facts.h"

namespace berth::engine {

enum class ReasonClass : std::uint8_t {
  kNone,  // it runs, or was never asked
  kNeverFits,
  kBusy,
  kFragmented,
  kGangIncomplete,
  kQuotaExceeded,
  kQueueDenied,
  kTopologyNoFit,
  kNodeExcluded,
  kNoDevice,
  kDeviceBusy,
  kSelectorError,
  kReserved,
  kScaleLimit,
  kNotReady,  // held by a gate or a missing claim; counted apart, not one of the thirteen
};

// The first thing that excludes a node, in the order in which filters run. A record's counts partition all nodes.
enum class NodeCause : std::uint8_t {
  kFits,
  kNotReady,       // the node itself is not Ready
  kUnschedulable,  // cordoned
  kNodeName,
  kTaint,
  kNodeAffinity,  // nodeSelector or required node affinity
  kHostPort,
  kTooLarge,      // the request exceeds the node's allocatable: never here
  kInsufficient,  // the request exceeds what is free now
  kTooManyPods,
  kCardProduct,     // cards of another product only
  kCardFragmented,  // enough in sum over the node's cards, not in one card (or not enough whole ones)
  kVolumeRestriction,
  kVolumeBinding,
  kFeature,  // it does not declare that it can do what the pod needs
  kTopologySpread,
  kPodAffinity,
  kPodAntiAffinity,
  kExistingAntiAffinity,
  kClaimElsewhere,  // a claim has its devices already, and they cannot be used from here
  kNoDevice,        // no devices that class and selectors accept, or too few, whatever is in use
  kDeviceBusy,      // they are here, in use
  kDeviceSelector,  // as kNoDevice, and a selector failed on a device of this node
  kDevicePool,      // the slices of a pool are incomplete or contradict each other
  kInvalidClaim,    // the claim asks for what no node can give: a class that is missing, too many devices
  kDeviceSearch,    // the search for devices gave up: whether they are here is not known
  kReserved,        // it fits, but not beside pods of its priority or a higher one that were promised the node
};
inline constexpr std::size_t kNodeCauseCount = 27;

struct Holder {
  PodId pod;
  Amount amount = 0;
};

// One smallest change that was verified, by transaction, to make the pod run. Filled by later work; the place is kept
// here.
struct Change {
  enum class Kind : std::uint8_t { kUncordon, kTolerate, kEvict, kAddNode, kLowerRequest } kind = Kind::kUncordon;
  NodeId node;
  PodId pod;
  ResourceId resource;
  Amount amount = 0;
};

// Who has a device that the pod would need.
struct DeviceHolder {
  NameId device;             // of the node's pool
  PodId pod;                 // a pod that uses the claim, or took the card by count; none: nobody known
  NameId claim;              // "namespace/name"; none: taken by count
  ResourceId card_resource;  // the resource that counts the card, if it was taken by count
};

// For NoDevice, DeviceBusy and SelectorError: the request that decides, and what the best node has for it.
struct DeviceShortage {
  ClaimSpecId claim;  // Names::devices().claims; none: nothing of this applies
  std::uint32_t request = 0;
  std::uint32_t alternative = 0;
  std::int64_t needed = 0;            // devices of one node; allocationMode All: at least 1
  std::int64_t matching = 0;          // that class and selectors accept on `node`, whatever is in use
  std::int64_t in_use = 0;            // of those: in use, or kept from use by others that share their counters
  std::int64_t tainted = 0;           // of those: with a taint that the request does not tolerate
  NameId taint;                       // the key of one such taint
  NodeId node;                        // the one with most matching; none: no node has devices
  std::vector<DeviceHolder> holders;  // of the node's devices that match, at most 8
  std::uint32_t more_holders = 0;     // that are left out
  // Where the request asks for a share: the first capacity it names, so much of it, the most that is left of it on one
  // matching device of the node, and what that device has in all. None: no share.
  devices::CapacityId capacity;
  devices::Quantity capacity_asked = 0;
  devices::Quantity capacity_left = 0;
  devices::Quantity capacity_total = 0;
  // NoDevice of a pod that asks for an extended resource which no node offers and no class serves: the resource, and
  // the classes whose devices it counts elsewhere. `claim` is none then; `node` is one that has `matching` such
  // devices.
  ResourceId resource;
  std::vector<NameId> classes;
  // A selector that failed on a device, and where; none: no selector failed.
  devices::SelectorId selector;
  devices::SelectorErrorId error;
  NodeId error_node;
  std::uint32_t error_nodes = 0;  // nodes with such devices
};

// A node that would take the pod if what keeps it closed were lifted: kNotReady, kUnschedulable or kTaint.
struct ClosedNode {
  NodeId node;
  NodeCause cause = NodeCause::kTaint;
};

struct Reason {
  ReasonClass reason_class = ReasonClass::kNone;
  Hold hold;  // for kNotReady

  // The resource that decides, in its own unit. best_found is the most that any admissible node has (free, or
  // allocatable for NeverFits) on best_node; missing = needed - best_found when positive. For Fragmented `sum_free`
  // says what the admissible nodes have together. For NodeExcluded these are the nodes that would do.
  ResourceId resource;
  Amount needed = 0;
  Amount best_found = 0;
  NodeId best_node;
  Amount missing = 0;
  Amount sum_free = 0;
  bool card_memory = false;  // the amounts are bytes of one card's memory, not cards

  std::array<std::uint32_t, kNodeCauseCount> nodes{};  // count per first cause; sums to all nodes
  std::uint32_t total_nodes = 0;

  // For NodeExcluded: the nodes that would do, at most 8 of a cause, by name, and how many there are by cause; the
  // taint (or cordon) that excludes most of them; and whether they have no room either as things are, so that they
  // would do empty. For TopologyNoFit: the topology key.
  std::vector<ClosedNode> would_do;
  std::array<std::uint32_t, kNodeCauseCount> would_do_counts{};
  Taint taint;
  bool excluded_are_full = false;
  LabelKeyId topology_key;

  std::vector<Holder> holders;  // who holds the missing resource on the best nodes, largest first, at most 8

  // What was checked and is not the cause: bit per NodeCause that excluded no node.
  std::uint32_t not_causes = 0;

  // Preemption was considered: 0 not, 1 no lower-priority pod would help, 2 policy Never.
  enum class Preemption : std::uint8_t {
    kNotTried,
    kNoVictims,
    kNever,
    kWouldNotHelp,
    kVictimsLeaving,  // those evicted for it are still on the node it was promised
  } preemption = Preemption::kNotTried;

  std::vector<Change> changes;

  WorkloadFacts workload;  // its name is none for bare pods
  DeviceShortage device_shortage;
};

}  // namespace berth::engine
