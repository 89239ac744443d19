// Queues as the engine is told of them: nodes of one tree, under a root that is the hardware. ClusterQueues under
// Cohorts, Volcano Queues and KAI Queues are subtrees of it.
//
// Per resource (see quota/ledger.h for the arithmetic):
//   guarantee        what the queue may always have, and take back from who borrowed it (Kueue nominalQuota, Volcano
//                    deserved, KAI quota). None: no claim to any of it, and no measure of what is borrowed
//   lending_limit    how much of the guarantee others may use while it is idle; the rest is kept free for the queue
//                    (Kueue lendingLimit; Volcano guarantee = deserved - lending_limit)
//   borrowing_limit  how much above the guarantee the queue may use (Kueue borrowingLimit)
//   cap              the most it may use (Volcano capability, KAI limit)
//   weight           its part of what nobody has a guarantee for
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/amount.h"
#include "engine/ids.h"

namespace berth::engine {

struct QuotaInput {
  ResourceId resource;
  std::optional<Amount> guarantee;
  std::optional<Amount> lending_limit;
  std::optional<Amount> borrowing_limit;
  std::optional<Amount> cap;
  std::int64_t weight = 1;
  auto operator<=>(const QuotaInput&) const = default;
};

// Who of a queue's workloads is next (cycle/workload_queue.h).
enum class OrderPolicy : std::uint8_t {
  kPriority,  // higher priority, then older
  kAge,       // older, whatever the priority
};

// Which of a queue's children is next (quota/fairness.h).
enum class FairnessPolicy : std::uint8_t {
  kNone,        // the child whose head comes first by priority and age
  kDrf,         // lowest dominant share of the hardware, by weight
  kProportion,  // lowest dominant share of what water-filling by weight gives it
  kCapacity,    // lowest dominant share of its guarantee
};

// Whom a workload may evict in its own queue, and in others where its queue takes back its guarantee.
enum class EvictionRight : std::uint8_t { kNever, kLowerPriority, kLowerOrNewerEqual, kAny };

struct QueueInput {
  NameId name;
  NameId parent;                   // none: the root
  std::vector<QuotaInput> quotas;  // ascending by resource, each once
  // Its caps hold beside what another queue of the workload decides: no order, no fairness, no part of the hardware.
  bool counts_aside = false;
  // A resource that no quota names: may it be used? Kueue says no, Volcano and KAI yes.
  bool only_named_resources = false;
  // Its guarantees come on top of those of its children (a Kueue Cohort) instead of containing them.
  bool adds_to_children = false;
  std::int64_t weight = 1;
  std::int32_t priority = 0;  // children with a higher one first
  OrderPolicy order = OrderPolicy::kPriority;
  bool strict = false;         // whoever waits in front blocks the rest of the queue (StrictFIFO)
  bool shares_growth = false;  // of those that grow, who holds the least dominant share comes first (Volcano's drf)
  bool reserves = true;        // the first blocked workload gets a dated hold where run times are declared
  FairnessPolicy fairness = FairnessPolicy::kNone;         // among its children
  EvictionRight preempts = EvictionRight::kLowerPriority;  // within the queue
  EvictionRight reclaims = EvictionRight::kAny;            // from queues above their guarantee
  bool reclaimable = true;                                 // others may take back what it borrowed
  bool open = true;                                        // closed: nothing new starts and nothing grows
  Time created = 0;
  auto operator<=>(const QueueInput&) const = default;
};

}  // namespace berth::engine
