#include "dialects/volcano/statuses.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dialects/kubernetes/cards.h"
#include "dialects/volcano/pod_groups.h"

namespace berth::dialects::volcano {
namespace {

using api::volcano::PodGroup;
using api::volcano::PodGroupPhase;
using workloads::Standing;

// The queue keeps it out, so that it is not even waiting for room.
bool is_kept_out(const Standing& standing) {
  return standing.reason == "QueueDenied" || standing.reason == "QuotaExceeded";
}

PodGroupPhase phase_of(const Standing& standing, const MemberCounts& members, const PodGroup& group) {
  const std::int32_t done = members.succeeded + members.failed;
  const std::int32_t scheduled = members.running + done;
  if (members.running > 0 && !standing.whole) return PodGroupPhase::kUnknown;
  if (scheduled >= group.min_member && scheduled > 0)
    return scheduled == done ? PodGroupPhase::kCompleted : PodGroupPhase::kRunning;
  return is_kept_out(standing) ? PodGroupPhase::kPending : PodGroupPhase::kInqueue;
}

// As Volcano's gang plugin words it; who is kept out by its queue lacks resources there as well.
std::string_view reason_of(const MemberCounts& members, const PodGroup& group) {
  const auto lacks = [&](const auto& role) {
    const auto found = members.by_role.find(role.first);
    return (found == members.by_role.end() ? 0 : found->second) < role.second;
  };
  if (roles_count(group) && std::ranges::any_of(group.min_task_member, lacks)) return "NotEnoughPodsOfTask";
  return members.known - members.failed < group.min_member ? "NotEnoughTasks" : "NotEnoughResources";
}

void set(std::vector<api::Condition>& conditions, api::Condition wanted, api::Time now) {
  const auto found = std::ranges::find(conditions, wanted.type, &api::Condition::type);
  if (found == conditions.end()) {
    wanted.last_transition_time = now;
    conditions.push_back(std::move(wanted));
    return;
  }
  wanted.last_transition_time = found->status == wanted.status ? found->last_transition_time : now;
  *found = std::move(wanted);
}

api::Quantity quantity_of(std::string_view resource, engine::Amount amount) {
  if (resource == "cpu") return api::Quantity::from_milli(amount);
  if (kubernetes::is_card_resource(resource)) return api::Quantity::from_milli(amount);
  const bool bytes = resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  return api::Quantity::from_units(amount,
                                   bytes ? api::Quantity::Format::kBinarySi : api::Quantity::Format::kDecimalSi);
}

}  // namespace

void write_status(const Standing& standing, MemberCounts members, api::Time now, PodGroup& group) {
  // Who has a place runs, or will in a moment.
  members.running = standing.placed;
  api::volcano::PodGroupStatus& status = group.status;
  status.running = members.running;
  status.succeeded = members.succeeded;
  status.failed = members.failed;
  status.phase = phase_of(standing, members, group);
  const bool begun = members.running + members.succeeded > 0;
  if (standing.whole && begun) {
    std::erase_if(status.conditions, [](const api::Condition& each) { return each.type == "Unschedulable"; });
    set(status.conditions, {"Scheduled", "True", "tasks in gang are ready to be scheduled", "", {}}, now);
    return;
  }
  if (members.known == 0) return;
  std::erase_if(status.conditions, [](const api::Condition& each) { return each.type == "Scheduled"; });
  const std::int32_t missing = std::max(standing.minimum - standing.placed - standing.succeeded, 0);
  std::string message =
      fmt::format("{}/{} tasks in gang unschedulable: pod group is not ready", missing, members.known);
  if (!standing.message.empty()) message += ", " + standing.message;
  set(status.conditions, {"Unschedulable", "True", std::string(reason_of(members, group)), std::move(message), {}},
      now);
}

void write_queue_statuses(const workloads::Standings& standings, const engine::Names& names, api::ObjectSet& objects) {
  boost::unordered_flat_map<std::string, const workloads::QueueStanding*> by_name;
  for (const workloads::QueueStanding& standing : standings.queues)
    by_name.emplace(std::string(names.names.text(standing.queue)), &standing);
  for (auto& read : objects.volcano_queues) {
    api::volcano::Queue& queue = read.object;
    api::volcano::QueueStatus& status = queue.status;
    if (!status.state) status.state = api::volcano::QueueState::kOpen;
    status.allocated.clear();
    if (const auto found = by_name.find("volcano/" + queue.metadata.name); found != by_name.end()) {
      for (const engine::ResourceAmount& each : found->second->used) {
        const std::string_view resource = names.resources.text(each.resource);
        status.allocated.emplace(resource, quantity_of(resource, each.amount));
      }
    }
    status.pending = status.inqueue = status.running = status.unknown = status.completed = 0;
    for (const auto& group : objects.volcano_pod_groups) {
      if (group.object.queue != queue.metadata.name) continue;
      switch (group.object.status.phase.value_or(PodGroupPhase::kPending)) {
        case PodGroupPhase::kPending:
          ++status.pending;
          break;
        case PodGroupPhase::kInqueue:
          ++status.inqueue;
          break;
        case PodGroupPhase::kRunning:
          ++status.running;
          break;
        case PodGroupPhase::kUnknown:
          ++status.unknown;
          break;
        case PodGroupPhase::kCompleted:
          ++status.completed;
          break;
      }
    }
  }
}

}  // namespace berth::dialects::volcano
