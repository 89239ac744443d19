#include "report/reasons_json.h"

#include <string>

#include "report/amounts.h"

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
    case HoldCause::kUnboundImmediateClaim:
      return "UnboundImmediateClaim";
    case HoldCause::kLostVolumeClaim:
      return "LostVolumeClaim";
    case HoldCause::kMissingResourceClaim:
      return "MissingResourceClaim";
    case HoldCause::kMissingClaimTemplate:
      return "MissingClaimTemplate";
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
    writer.member(key, quantity_text(around, reason.resource, amount));
  };
  writer.member("resource", around.names().resources.text(reason.resource));
  quantity("needed", reason.needed);
  quantity("bestFound", reason.best_found);
  if (!reason.best_node.is_none()) writer.member("bestNode", around.node_name(reason.best_node));
  quantity("missing", reason.missing);
  quantity("sumFree", reason.sum_free);
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
    writer.member("amount", quantity_text(around, reason.resource, holder.amount));
    writer.end_object();
  }
  writer.end_array();
  writer.key("notCauses");
  writer.begin_array();
  for (std::size_t i = 0; i < engine::kNodeCauseCount; ++i)
    if ((reason.not_causes >> i & 1U) != 0) writer.string(name_of(static_cast<engine::NodeCause>(i)));
  writer.end_array();
  writer.member("preemption", name_of(reason.preemption));
  write_changes(writer, reason, around);
  writer.end_object();
}

}  // namespace berth::report
