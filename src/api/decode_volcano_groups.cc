// Volcano's PodGroup, Queue, HyperNode and Command.
#include <algorithm>
#include <string>

#include "api/decode_volcano.h"
#include "api/selector.h"

namespace berth::api::volcano {
namespace {

constexpr std::int32_t kMostWeight = 65535;

void read(DecodeContext& context, const Value& value, SubGroupPolicy& out) {
  static const FieldTable<SubGroupPolicy> kFields({{"name", member<&SubGroupPolicy::name>},
                                                   {"networkTopology", member<&SubGroupPolicy::network_topology>},
                                                   {"subGroupSize", member<&SubGroupPolicy::sub_group_size>},
                                                   {"minSubGroups", member<&SubGroupPolicy::min_sub_groups>},
                                                   {"labelSelector", member<&SubGroupPolicy::label_selector>},
                                                   {"matchLabelKeys", member<&SubGroupPolicy::match_label_keys>}},
                                                  {});
  kFields.read(context, value, out);
  check_least(context, value, out.sub_group_size, 1, "subGroupSize");
  check_least(context, value, out.min_sub_groups, 0, "minSubGroups");
}

void read_sub_groups(DecodeContext& context, const Value& value, PodGroup& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    const Value& item = value.items()[i];
    SubGroupPolicy policy;
    read(context, item, policy);
    const bool twice = std::ranges::any_of(out.sub_group_policy, [&](const SubGroupPolicy& other) {
      return !policy.name.empty() && other.name == policy.name;
    });
    if (twice) context.error(item, "The name \"" + policy.name + "\" is used by an earlier policy; give each its own.");
    out.sub_group_policy.push_back(std::move(policy));
  }
}

void read_min_tasks(DecodeContext& context, const Value& value, PodGroup& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  for (const text::Member& member : value.members()) {
    if (member.value.is_null()) continue;
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    std::int32_t least = 0;
    api::read(context, member.value, least);
    check_least(context, member.value, least, 0, "The number");
    out.min_task_member.emplace(member.name(), least);
  }
}

const FieldTable<PodGroup>& pod_group_spec_fields() {
  static const FieldTable<PodGroup> kFields({{"minMember", member<&PodGroup::min_member>},
                                             {"minTaskMember", read_min_tasks},
                                             {"queue", member<&PodGroup::queue>},
                                             {"priorityClassName", member<&PodGroup::priority_class_name>},
                                             {"minResources", member<&PodGroup::min_resources>},
                                             {"networkTopology", member<&PodGroup::network_topology>},
                                             {"subGroupPolicy", read_sub_groups}},
                                            {});
  return kFields;
}

// An empty phase is that of an object that nobody has looked at.
void read_phase(DecodeContext& context, const Value& value, PodGroupStatus& out) {
  if (!value.text().empty() || !value.is_string()) api::read(context, value, out.phase);
}

void read_group_status(DecodeContext& context, const Value& value, PodGroup& out) {
  static const FieldTable<PodGroupStatus> kFields({{"phase", read_phase},
                                                   {"conditions", member<&PodGroupStatus::conditions>},
                                                   {"running", member<&PodGroupStatus::running>},
                                                   {"succeeded", member<&PodGroupStatus::succeeded>},
                                                   {"failed", member<&PodGroupStatus::failed>}},
                                                  {});
  kFields.read(context, value, out.status);
}

void read(DecodeContext& context, const Value& value, NodeGroupAffinity& out) {
  static const FieldTable<NodeGroupAffinity> kFields(
      {{"requiredDuringSchedulingIgnoredDuringExecution", member<&NodeGroupAffinity::required>},
       {"preferredDuringSchedulingIgnoredDuringExecution", member<&NodeGroupAffinity::preferred>}},
      {});
  kFields.read(context, value, out);
}

void read_affinity(DecodeContext& context, const Value& value, Queue& out) {
  static const FieldTable<Queue> kFields(
      {{"nodeGroupAffinity",
        [](DecodeContext& inside, const Value& terms, Queue& queue) { read(inside, terms, queue.affinity); }},
       {"nodeGroupAntiAffinity",
        [](DecodeContext& inside, const Value& terms, Queue& queue) { read(inside, terms, queue.anti_affinity); }}},
      {});
  kFields.read(context, value, out);
}

void read_guarantee(DecodeContext& context, const Value& value, Queue& out) {
  static const FieldTable<Queue> kFields({{"resource", member<&Queue::guarantee>}}, {});
  kFields.read(context, value, out);
}

const FieldTable<Queue>& queue_spec_fields() {
  static const FieldTable<Queue> kFields({{"weight", member<&Queue::weight>},
                                          {"capability", member<&Queue::capability>},
                                          {"deserved", member<&Queue::deserved>},
                                          {"guarantee", read_guarantee},
                                          {"reclaimable", member<&Queue::reclaimable>},
                                          {"parent", member<&Queue::parent>},
                                          {"priority", member<&Queue::priority>},
                                          {"dequeueStrategy", member<&Queue::dequeue_strategy>},
                                          {"affinity", read_affinity}},
                                         {"type", "extendClusters"});
  return kFields;
}

void read_queue_state(DecodeContext& context, const Value& value, QueueStatus& out) {
  if (!value.text().empty() || !value.is_string()) api::read(context, value, out.state);
}

void read_queue_status(DecodeContext& context, const Value& value, Queue& out) {
  static const FieldTable<QueueStatus> kFields({{"state", read_queue_state},
                                                {"unknown", member<&QueueStatus::unknown>},
                                                {"pending", member<&QueueStatus::pending>},
                                                {"running", member<&QueueStatus::running>},
                                                {"inqueue", member<&QueueStatus::inqueue>},
                                                {"completed", member<&QueueStatus::completed>},
                                                {"allocated", member<&QueueStatus::allocated>}},
                                               {"reservation"});
  kFields.read(context, value, out.status);
}

// Every amount of `inner` has to be within that of `outer`, where `outer` names the resource.
void check_within(DecodeContext& context, const Value& value, const ResourceList& inner, std::string_view inner_name,
                  const ResourceList& outer, std::string_view outer_name) {
  for (const auto& [resource, amount] : inner) {
    const auto limit = outer.find(resource);
    if (limit != outer.end() && amount > limit->second)
      context.error(value, std::string(inner_name) + " of " + resource + " is " + amount.to_string() + ", more than " +
                               std::string(outer_name) + " " + limit->second.to_string() +
                               "; lower the one or raise the other.");
  }
}

void read_selector(DecodeContext& context, const Value& value, HyperNodeMember& out) {
  static const FieldTable<HyperNodeMember> kExact({{"name", member<&HyperNodeMember::exact_name>}}, {});
  static const FieldTable<HyperNodeMember> kRegex({{"pattern", member<&HyperNodeMember::regex_pattern>}}, {});
  static const FieldTable<HyperNodeMember> kFields(
      {{"exactMatch",
        [](DecodeContext& inside, const Value& match, HyperNodeMember& member) { kExact.read(inside, match, member); }},
       {"regexMatch",
        [](DecodeContext& inside, const Value& match, HyperNodeMember& member) { kRegex.read(inside, match, member); }},
       {"labelMatch", member<&HyperNodeMember::label_match>}},
      {});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, HyperNodeMember& out) {
  static const FieldTable<HyperNodeMember> kFields(
      {{"type", member<&HyperNodeMember::type>}, {"selector", read_selector}}, {});
  const std::int32_t before = context.errors();
  kFields.read(context, value, out);
  if (context.errors() != before) return;
  const int ways = static_cast<int>(!out.exact_name.empty()) + static_cast<int>(!out.regex_pattern.empty()) +
                   static_cast<int>(out.label_match.has_value());
  if (ways != 1) {
    context.error(value,
                  "A member has exactly one of exactMatch.name, regexMatch.pattern and labelMatch, and this one has " +
                      std::to_string(ways) + "; keep one.");
  } else if (out.label_match && out.type != MemberType::kNode) {
    context.error(value, "labelMatch selects nodes only; name HyperNodes with exactMatch or regexMatch.");
  }
}

void read_members(DecodeContext& context, const Value& value, HyperNode& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read(context, value.items()[i], out.members.emplace_back());
  }
}

const FieldTable<HyperNode>& hyper_node_spec_fields() {
  static const FieldTable<HyperNode> kFields(
      {{"tier", member<&HyperNode::tier>}, {"tierName", member<&HyperNode::tier_name>}, {"members", read_members}}, {});
  return kFields;
}

}  // namespace

void check_least(DecodeContext& context, const Value& value, std::int64_t count, std::int64_t least,
                 std::string_view field) {
  if (count < least)
    context.error(
        value, std::string(field) + " is " + std::to_string(count) + "; write " + std::to_string(least) + " or more.");
}

void read(DecodeContext& context, const Value& value, NetworkTopology& out) {
  static const FieldTable<NetworkTopology> kFields(
      {{"mode", member<&NetworkTopology::mode>},
       {"highestTierAllowed", member<&NetworkTopology::highest_tier_allowed>},
       {"highestTierName", member<&NetworkTopology::highest_tier_name>}},
      {});
  kFields.read(context, value, out);
  check_least(context, value, out.highest_tier_allowed.value_or(0), 0, "highestTierAllowed");
  if (out.highest_tier_allowed && !out.highest_tier_name.empty())
    context.error(value, "highestTierAllowed and highestTierName exclude each other; remove one.");
}

void read(DecodeContext& context, const Value& value, PodGroup& out) {
  static const FieldTable<PodGroup> kFields({{"metadata", member<&PodGroup::metadata>},
                                             {"spec", inner<PodGroup, pod_group_spec_fields>},
                                             {"status", read_group_status}},
                                            {"apiVersion", "kind"});
  kFields.read(context, value, out);
  check_least(context, value, out.min_member, 0, "spec.minMember");
  if (out.queue.empty()) out.queue = "default";
  if (auto fault = object_name_fault(out.queue)) context.error(value, "spec.queue: " + *fault);
}

void read(DecodeContext& context, const Value& value, Queue& out) {
  static const FieldTable<Queue> kFields({{"metadata", member<&Queue::metadata>},
                                          {"spec", inner<Queue, queue_spec_fields>},
                                          {"status", read_queue_status}},
                                         {"apiVersion", "kind"});
  kFields.read(context, value, out);
  const Value* spec = value.find("spec");
  const Value& at = spec == nullptr ? value : *spec;
  if (out.weight < 1 || out.weight > kMostWeight)
    context.error(at,
                  "spec.weight is " + std::to_string(out.weight) + "; write 1 to " + std::to_string(kMostWeight) + ".");
  check_least(context, at, out.priority, 0, "spec.priority");
  check_within(context, at, out.deserved, "spec.deserved", out.capability, "spec.capability");
  check_within(context, at, out.guarantee, "spec.guarantee.resource", out.deserved, "spec.deserved");
  check_within(context, at, out.guarantee, "spec.guarantee.resource", out.capability, "spec.capability");
}

void read(DecodeContext& context, const Value& value, HyperNode& out) {
  static const FieldTable<HyperNode> kFields(
      {{"metadata", member<&HyperNode::metadata>}, {"spec", inner<HyperNode, hyper_node_spec_fields>}},
      {"apiVersion", "kind", "status"});
  kFields.read(context, value, out);
  check_least(context, value, out.tier, 0, "spec.tier");
}

void read(DecodeContext& context, const Value& value, Command& out) {
  static const FieldTable<Command> kFields({{"metadata", member<&Command::metadata>},
                                            {"action", member<&Command::action>},
                                            {"target", member<&Command::target>}},
                                           {"apiVersion", "kind", "reason", "message"});
  kFields.read(context, value, out);
  if (!is_given(value, "action"))
    context.error(value, "action is missing; write " + enum_choices<Command::Action>() + ".");
  if (out.target.name.empty() || out.target.kind.empty())
    context.error(value, "target needs the kind and the name of a Job or a Queue; add them.");
}

}  // namespace berth::api::volcano
