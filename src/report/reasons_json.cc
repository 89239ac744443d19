#include "report/reasons_json.h"

#include <string>

#include "report/amounts.h"
#include "report/wakes.h"
#include "report/workload_reasons.h"

namespace berth::report {
namespace {

std::string_view name_of(engine::HoldCause cause) {
  using engine::HoldCause;
  switch (cause) {
    case HoldCause::kNone:
      return "None";
    case HoldCause::kSchedulingGate:
      return "SchedulingGate";
    case HoldCause::kMissingVolumeClaim:
      return "MissingVolumeClaim";
    case HoldCause::kMissingStorageClass:
      return "MissingStorageClass";
    case HoldCause::kUnboundImmediateClaim:
      return "UnboundImmediateClaim";
    case HoldCause::kLostVolumeClaim:
      return "LostVolumeClaim";
    case HoldCause::kMissingResourceClaim:
      return "MissingResourceClaim";
    case HoldCause::kMissingClaimTemplate:
      return "MissingClaimTemplate";
    case HoldCause::kMissingWorkload:
      return "MissingWorkload";
    case HoldCause::kBadShare:
      return "BadShare";
    case HoldCause::kForeignClaim:
      return "ForeignClaim";
    case HoldCause::kTooManyDevices:
      return "TooManyDevices";
    case HoldCause::kMissingGroup:
      return "MissingGroup";
    case HoldCause::kUnknownProfile:
      return "UnknownProfile";
  }
  return "";
}

std::string_view name_of(engine::Reason::Preemption preemption) {
  using Preemption = engine::Reason::Preemption;
  switch (preemption) {
    case Preemption::kNotTried:
      return "NotTried";
    case Preemption::kNoVictims:
      return "NoVictims";
    case Preemption::kNever:
      return "Never";
    case Preemption::kWouldNotHelp:
      return "WouldNotHelp";
    case Preemption::kVictimsLeaving:
      return "VictimsLeaving";
  }
  return "";
}

std::string_view name_of(engine::Change::Kind kind) {
  using Kind = engine::Change::Kind;
  switch (kind) {
    case Kind::kUncordon:
      return "Uncordon";
    case Kind::kTolerate:
      return "Tolerate";
    case Kind::kEvict:
      return "Evict";
    case Kind::kAddNode:
      return "AddNode";
    case Kind::kLowerRequest:
      return "LowerRequest";
  }
  return "";
}

void write_amounts(text::Writer& writer, const engine::Reason& reason, const Surroundings& around) {
  const auto quantity = [&](std::string_view key, engine::Amount amount) {
    writer.member(key, reason.card_memory ? std::to_string(amount) : quantity_text(around, reason.resource, amount));
  };
  writer.member("resource", around.names().resources.text(reason.resource));
  const bool numa = !around.is_card(reason.resource);
  if (reason.card_memory) writer.member("of", numa ? "CPUs of one NUMA node" : "memory of one card, in bytes");
  quantity("needed", reason.needed);
  quantity("bestFound", reason.best_found);
  if (!reason.best_node.is_none()) writer.member("bestNode", around.node_name(reason.best_node));
  quantity("missing", reason.missing);
  quantity("sumFree", reason.sum_free);
}

void write_would_do(text::Writer& writer, const engine::Reason& reason, const Surroundings& around) {
  writer.key("wouldDo");
  writer.begin_array();
  for (const auto& [node, cause] : reason.would_do) {
    writer.begin_object();
    writer.member("node", around.node_name(node));
    writer.member("cause", report::name_of(cause));
    writer.end_object();
  }
  writer.end_array();
  std::int64_t all = 0;
  for (const std::uint32_t count : reason.would_do_counts) all += count;
  writer.member("wouldDoCount", all);
}

void write_quota(text::Writer& writer, const engine::Reason& reason, const Surroundings& around) {
  const engine::QuotaBlock& quota = *reason.workload.quota;
  const auto quantity = [&](std::string_view key, engine::Amount amount) {
    writer.member(key, quantity_text(around, quota.resource, amount));
  };
  writer.key("quota");
  writer.begin_object();
  writer.member("limit", report::name_of(quota.limit));
  writer.member("resource", around.names().resources.text(quota.resource));
  quantity("needed", quota.needed);
  quantity("headroom", quota.headroom);
  if (quota.potential != engine::Ledger::kUnlimited) quantity("potential", quota.potential);
  writer.end_object();
}

void write_workload(text::Writer& writer, const engine::Reason& reason, const Surroundings& around) {
  const engine::WorkloadFacts& facts = reason.workload;
  const auto name = [&](std::string_view key, engine::NameId id) {
    if (!id.is_none()) writer.member(key, around.names().names.text(id));
  };
  writer.key("workload");
  writer.begin_object();
  name("name", facts.name);
  writer.member("required", static_cast<std::int64_t>(facts.required));
  writer.member("waiting", static_cast<std::int64_t>(facts.wanting));
  writer.member("fitting", static_cast<std::int64_t>(facts.fitting));
  writer.member("placed", static_cast<std::int64_t>(facts.placed));
  writer.key("groups");
  writer.begin_array();
  for (const engine::WorkloadFacts::OfGroup& group : facts.groups) {
    writer.begin_object();
    name("name", group.name);
    writer.member("required", static_cast<std::int64_t>(group.required));
    writer.member("waiting", static_cast<std::int64_t>(group.wanting));
    writer.member("fitting", static_cast<std::int64_t>(group.fitting));
    writer.end_object();
  }
  writer.end_array();
  if (facts.search_limit) writer.flag("searchLimit", true);
  name("queue", facts.queue);
  name("causeQueue", facts.cause_queue);
  if (facts.queue_state != engine::QueueState::kUsable) writer.member("queueState", report::name_of(facts.queue_state));
  if (facts.quota) write_quota(writer, reason, around);
  if (!facts.level.is_none()) {
    writer.member("level", around.names().label_keys.text(facts.level));
    if (!facts.best_domain.is_none()) writer.member("bestDomain", around.names().text(facts.best_domain));
    writer.member("offers", facts.offers);
    writer.member("needs", facts.needs);
  }
  if (!facts.bound_level.is_none()) {
    writer.member("boundLevel", around.names().label_keys.text(facts.bound_level));
    writer.member("boundDomain", around.names().text(facts.bound_domain));
  }
  name("reservedFor", facts.reserved_for);
  if (!facts.reserved_for.is_none()) writer.member("reservedBecause", report::name_of(facts.reserved_because));
  if (facts.reserved_from) writer.member("reservedFrom", time_text(*facts.reserved_from));
  if (facts.position > 0) {
    writer.member("position", static_cast<std::int64_t>(facts.position));
    writer.member("queueLength", static_cast<std::int64_t>(facts.queue_length));
  }
  writer.member("startBasis", report::name_of(facts.start_basis));
  if (facts.earliest_start > 0) writer.member("earliestStart", time_text(facts.earliest_start));
  // Room that is kept is there by then at the latest; without it others may come first.
  if (facts.start_basis == engine::WorkloadFacts::StartBasis::kReservation)
    writer.member("latestStart", time_text(facts.earliest_start));
  writer.end_object();
}

void write_changes(text::Writer& writer, const engine::Reason& reason, const Surroundings& around) {
  writer.key("changes");
  writer.begin_array();
  for (const engine::Change& change : reason.changes) {
    writer.begin_object();
    writer.member("kind", name_of(change.kind));
    if (!change.node.is_none()) writer.member("node", around.node_name(change.node));
    if (!change.pod.is_none()) writer.member("pod", around.pod_name(change.pod));
    if (!change.resource.is_none()) {
      writer.member("resource", around.names().resources.text(change.resource));
      writer.member("amount", quantity_text(around, change.resource, change.amount));
    }
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace

std::string quantity_text(const Surroundings& around, engine::ResourceId resource, engine::Amount amount) {
  if (resource == engine::kCpu || around.is_card(resource))
    return number_text(around.names(), resource, true, amount, Rounding::kDown);
  return std::to_string(amount);
}

void write_reason(text::Writer& writer, const engine::Reason& reason, const Surroundings& around) {
  writer.begin_object();
  writer.member("class", name_of(reason.reason_class));
  writer.member("message", sentence(reason, around));
  if (reason.hold.cause != engine::HoldCause::kNone) {
    writer.key("hold");
    writer.begin_object();
    writer.member("cause", name_of(reason.hold.cause));
    if (!reason.hold.subject.is_none()) writer.member("name", around.names().names.text(reason.hold.subject));
    writer.end_object();
  }
  if (!reason.resource.is_none()) write_amounts(writer, reason, around);
  if (!reason.would_do.empty()) write_would_do(writer, reason, around);
  if (reason.excluded_are_full) writer.flag("excludedAreFull", true);
  if (!reason.topology_key.is_none()) writer.member("topologyKey", around.names().label_keys.text(reason.topology_key));
  writer.key("nodes");
  writer.begin_object();
  writer.member("total", static_cast<std::int64_t>(reason.total_nodes));
  for (std::size_t i = 0; i < engine::kNodeCauseCount; ++i)
    if (reason.nodes[i] > 0)
      writer.member(name_of(static_cast<engine::NodeCause>(i)), static_cast<std::int64_t>(reason.nodes[i]));
  writer.end_object();
  writer.key("holders");
  writer.begin_array();
  for (const engine::Holder& holder : reason.holders) {
    writer.begin_object();
    writer.member("pod", around.pod_name(holder.pod));
    writer.member("node", around.pod_node_name(holder.pod));
    writer.member("amount", reason.card_memory ? std::to_string(holder.amount)
                                               : quantity_text(around, reason.resource, holder.amount));
    const HolderState state = around.holder_state(holder.pod);
    if (state == HolderState::kLeaving) writer.flag("leaving", true);
    if (state == HolderState::kPlanned) writer.flag("planned", true);
    writer.end_object();
  }
  writer.end_array();
  writer.key("notCauses");
  writer.begin_array();
  for (std::size_t i = 0; i < engine::kNodeCauseCount; ++i)
    if ((reason.not_causes >> i & 1U) != 0) writer.string(name_of(static_cast<engine::NodeCause>(i)));
  writer.end_array();
  writer.member("preemption", name_of(reason.preemption));
  writer.key("wakes");
  writer.begin_array();
  for (const Wake wake : wakes_of(reason)) writer.string(name_of(wake));
  writer.end_array();
  write_changes(writer, reason, around);
  if (!reason.workload.name.is_none() || !reason.workload.reserved_for.is_none())
    write_workload(writer, reason, around);
  writer.end_object();
}

}  // namespace berth::report
