// Statuses of Volcano's objects, as its own scheduler and queue controller would write them and its tools read them.
//
// PodGroup: phase Running once minMember pods are scheduled or done, Completed when all of these are done, Unknown
// while some run and the group has fallen below its minimum, Inqueue while it waits for room, Pending while its queue
// does not let it in. Conditions Unschedulable and Scheduled. Queue: what is allocated, and its PodGroups by phase.
// Source: Volcano's pkg/scheduler/framework/job_updater.go and session.go of 2026-08 (behaviour).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/objects.h"
#include "dialects/workloads/standing.h"
#include "engine/names.h"

namespace berth::dialects::volcano {

struct MemberCounts {
  std::int32_t running = 0;  // by the pods' own phase
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  std::int32_t known = 0;                                         // all that exist
  std::map<std::string, std::int32_t, std::less<>> by_role = {};  // those that did not fail
};

// `members.running` is not looked at: who holds a place runs.
void write_status(const workloads::Standing& standing, MemberCounts members, api::Time now,
                  api::volcano::PodGroup& group);

// Of every queue, after its groups have theirs.
void write_queue_statuses(const workloads::Standings& standings, const engine::Names& names, api::ObjectSet& objects);

}  // namespace berth::dialects::volcano
