// What a reason says of a workload, in names and numbers: its members, its queue, what is reserved, its place in the
// queue and when it could start.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/hold_reason.h"
#include "engine/ids.h"
#include "engine/quota/ledger.h"
#include "engine/quota/queue_tree.h"

namespace berth::engine {

struct WorkloadFacts {
  NameId name;

  // Members. To be whole it needs `required` more of its `wanting` members that exist and want a node; `fitting` of
  // those would find one now, each for itself after the others. Fewer wanting than required: the rest was not made yet.
  std::int32_t required = 0;
  std::int32_t wanting = 0;
  std::int32_t fitting = 0;
  std::int32_t placed = 0;
  struct OfGroup {
    NameId name;  // none: the workload has one group
    std::int32_t required = 0;
    std::int32_t wanting = 0;
    std::int32_t fitting = 0;
  };
  std::vector<OfGroup> groups;  // leaves that lack members
  bool search_limit = false;    // the search gave up: it may fit all the same

  // For QueueDenied the queue that is the cause and how it is; for QuotaExceeded, and NeverFits by quota, the limit.
  NameId queue;  // its own
  NameId cause_queue;
  QueueState queue_state = QueueState::kUsable;
  std::optional<QuotaBlock> quota;

  // For TopologyNoFit: the level, what the best domain offers of what is needed there (in pods), and of the resource
  // that decides.
  LabelKeyId level;
  LabelValueId best_domain;
  std::int64_t offers = 0;
  std::int64_t needs = 0;
  NameId group;  // whose rule it is

  // Where those of the same domain run that it has to join; the level is none where it is free to choose.
  LabelKeyId bound_level;
  LabelValueId bound_domain;

  // For Reserved: for whom and why, and from when on it is used.
  NameId reserved_for;
  HoldReason reserved_because = HoldReason::kLostMembers;
  std::optional<std::int64_t> reserved_from;

  std::uint32_t position = 0;  // in its queue, from 1; 0: in none
  std::uint32_t queue_length = 0;

  // The earliest start.
  enum class StartBasis : std::uint8_t {
    kUnknown,      // too few run times are declared
    kNever,        // not on this cluster and quota
    kRunTimes,     // when those in the way end, if nobody else takes their room
    kReservation,  // the same, and the room is kept for it
    kYoungerEnd,   // no date: when those end that came after it; what is free there is kept for it
  } start_basis = StartBasis::kUnknown;
  std::int64_t earliest_start = 0;  // seconds since 1970
};

}  // namespace berth::engine
