// Standings: how workloads and queues stand after a decision, as the ecosystems write it into their statuses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/meta.h"
#include "engine/amount.h"
#include "engine/ids.h"

namespace berth::dialects::workloads {

struct Standing {
  engine::NameId workload;
  engine::NameId queue;  // the first of its queues; none: in no queue
  bool whole = false;    // its minimums hold a place or succeeded
  std::int32_t minimum = 0;
  std::int32_t placed = 0;
  std::int32_t succeeded = 0;
  std::int32_t waiting = 0;  // members that want a node
  std::string reason;        // of those that wait, "GangIncomplete"; empty: nobody waits
  std::string message;       // the same as a sentence
};

struct QueueStanding {
  engine::NameId queue;
  std::vector<engine::ResourceAmount> used;  // by the queue and all below it, without zeros
  std::vector<engine::ResourceAmount> kept;  // the same of what running workloads keep for pods to come
};

struct Standings {
  api::Time now = 0;
  std::vector<Standing> workloads;    // in order of their names
  std::vector<QueueStanding> queues;  // parents first
};

}  // namespace berth::dialects::workloads
