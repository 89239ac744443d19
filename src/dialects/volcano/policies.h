// Policies: what volcano-scheduler.conf selects, in terms of the one engine. Without a conf Berth's own choice: who has
// a higher priority may evict, guarantees are taken back, queues share by what they deserve where that is written down,
// else by dominant share and weight, and idle room goes to whoever can use it. (Volcano's own default, proportion,
// starts nobody beyond a computed share: two queues whose gangs need more than half each would both wait for ever.)
#pragma once

#include <cstdint>
#include <optional>

#include "api/objects.h"
#include "api/volcano_conf.h"
#include "engine/queue_input.h"

namespace berth::dialects::volcano {

struct Policies {
  engine::FairnessPolicy fairness = engine::FairnessPolicy::kNone;
  engine::OrderPolicy order = engine::OrderPolicy::kPriority;
  engine::EvictionRight preempts = engine::EvictionRight::kLowerPriority;
  engine::EvictionRight reclaims = engine::EvictionRight::kAny;
  bool uses_deserved = false;  // capacity: spec.deserved is the guarantee; else it is not read
  bool shares_growth = false;  // drf: room above the minimums goes to who holds least
  // sla: how long a group may wait that says nothing of it; none: as long as it has to.
  std::optional<std::int64_t> waiting_seconds;
  bool deadlines = true;             // what groups say of it counts
  bool node_groups = true;           // queue affinity to node groups counts (plugin nodegroup)
  bool network_topology = true;      // plugin network-topology-aware
  bool revocable_stay_back = false;  // tdm: who may be revoked evicts nobody
};

// `conf` none: Berth's own. Whether queues say what they deserve decides then.
[[nodiscard]] Policies policies_of(const std::optional<api::volcano::SchedulerConf>& conf,
                                   const api::ObjectSet& objects);

}  // namespace berth::dialects::volcano
