// scheduling.k8s.io: Workload, PodGroup and CompositePodGroup of every version, and what a Job says of its group.
#include "api/decode_scheduling.h"

#include <array>
#include <utility>

#include "api/decode_objects.h"
#include "api/decode_resource.h"
#include "api/selector.h"

namespace berth::api {
namespace {

constexpr std::array<std::pair<SchedulingVersion, std::string_view>, 4> kVersions = {{
    {SchedulingVersion::kV1alpha1, "scheduling.k8s.io/v1alpha1"},
    {SchedulingVersion::kV1alpha2, "scheduling.k8s.io/v1alpha2"},
    {SchedulingVersion::kV1alpha3, "scheduling.k8s.io/v1alpha3"},
    {SchedulingVersion::kV1beta1, "scheduling.k8s.io/v1beta1"},
}};

SchedulingVersion version_of(const DecodeContext& context) {
  for (const auto& [version, text] : kVersions)
    if (text == context.api_version()) return version;
  return SchedulingVersion::kV1beta1;
}

// --- Rules of groups
// --------------------------------------------------------------------------------------------------

struct Policy {
  bool basic = false;
  bool gang = false;
  bool counted = false;
  std::int32_t minimum = 0;
};

template <bool kComposite>
const FieldTable<Policy>& gang_fields() {
  static const FieldTable<Policy> kFields({{kComposite ? "minGroupCount" : "minCount",
                                            [](DecodeContext& context, const Value& value, Policy& out) {
                                              read(context, value, out.minimum);
                                              out.counted = true;
                                            }}},
                                          {});
  return kFields;
}

void read_basic(DecodeContext& context, const Value& value, Policy& out) {
  out.basic = true;
  static const FieldTable<Policy> kNothing({}, {});
  kNothing.read(context, value, out);
}

template <bool kComposite>
void read_gang(DecodeContext& context, const Value& value, Policy& out) {
  out.gang = true;
  gang_fields<kComposite>().read(context, value, out);
}

// `may_default`: a gang without a number means all.
template <bool kComposite>
void read_policy(DecodeContext& context, const Value& value, SchedulingPolicy& out, bool may_default) {
  static const FieldTable<Policy> kFields({{"basic", read_basic}, {"gang", read_gang<kComposite>}}, {});
  Policy policy;
  const std::int32_t before = context.errors();
  kFields.read(context, value, policy);
  if (context.errors() != before) return;
  if (policy.basic == policy.gang) return context.error(value, "A policy is either basic or gang; set one of the two.");
  if (!policy.gang) return;
  const std::string field = kComposite ? "minGroupCount" : "minCount";
  if (!policy.counted && !may_default)
    return context.error(value, "gang." + field + " is missing; say how many have to run at once.");
  if (policy.counted && policy.minimum < 1)
    return context.error(value, "gang." + field + " is " + std::to_string(policy.minimum) + "; write 1 or more.");
  out.gang_minimum = policy.minimum;
}

void read_topology_key(DecodeContext& context, const Value& value, std::string& out) {
  read(context, value, out);
  if (auto fault = label_key_fault(out)) context.error(value, *std::move(fault));
}

void read_topology(DecodeContext& context, const Value& value, GroupRules& out) {
  static const FieldTable<std::string> kFields({{"key", read_topology_key}}, {});
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  if (!within_limit(context, value, 1, "topology constraints")) return;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    const std::int32_t before = context.errors();
    std::string& key = out.topology_keys.emplace_back();
    kFields.read(context, value.items()[i], key);
    if (key.empty() && context.errors() == before)
      context.error(value.items()[i], "key is missing; name the node label whose values are the domains.");
  }
}

void read_constraints(DecodeContext& context, const Value& value, GroupRules& out) {
  static const FieldTable<GroupRules> kFields({{"topology", read_topology}}, {});
  kFields.read(context, value, out);
}

void read_claims(DecodeContext& context, const Value& value, GroupRules& out) {
  if (!context.allows(Gate::kWorkloadResourceClaims, value)) return;
  read_at_most(context, value, kMaxGroupClaims, "resource claims", out.resource_claims);
  require_distinct(context, value, out.resource_claims, &PodResourceClaim::name);
  for (const PodResourceClaim& claim : out.resource_claims)
    if (auto fault = dns_label_fault(claim.name)) context.error(value, "name: " + *fault);
}

// "Pod" and "PodGroup" in v1alpha2, {single: {}} and {all: {}} later.
void read_disruption(DecodeContext& context, const Value& value, GroupRules& out) {
  if (version_of(context) == SchedulingVersion::kV1alpha2) {
    if (!value.is_string()) return context.wrong_kind(value, "a string");
    if (value.text() != "Pod" && value.text() != "PodGroup")
      return context.error(value, "disruptionMode is not one of its values; write Pod or PodGroup.");
    out.disruption_mode = value.text() == "Pod" ? DisruptionMode::kSingle : DisruptionMode::kAll;
    return;
  }
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  const bool single = is_given(value, "single");
  if (single == is_given(value, "all") || value.size() != 1)
    return context.error(value, "A disruption mode is either single or all; set one of the two to {}.");
  out.disruption_mode = single ? DisruptionMode::kSingle : DisruptionMode::kAll;
}

template <class T>
void read_class_name(DecodeContext& context, const Value& value, T& out) {
  read(context, value, out.rules.priority_class_name);
  if (auto fault = object_name_fault(out.rules.priority_class_name)) context.error(value, *std::move(fault));
}

// The fields that an object with `rules` has for them.
template <class T, bool kComposite>
std::vector<typename FieldTable<T>::Field> rule_fields() {
  std::vector<typename FieldTable<T>::Field> fields = {
      {"schedulingPolicy", [](DecodeContext& context, const Value& value,
                              T& out) { read_policy<kComposite>(context, value, out.rules.policy, false); }},
      {"schedulingConstraints",
       [](DecodeContext& context, const Value& value, T& out) { read_constraints(context, value, out.rules); }},
      {"disruptionMode",
       [](DecodeContext& context, const Value& value, T& out) { read_disruption(context, value, out.rules); }},
      {"priorityClassName", read_class_name<T>},
      {"priority",
       [](DecodeContext& context, const Value& value, T& out) { read(context, value, out.rules.priority.emplace()); }},
      {"preemptionPolicy", [](DecodeContext& context, const Value& value,
                              T& out) { read(context, value, out.rules.preemption_policy.emplace()); }},
  };
  if constexpr (!kComposite) {
    fields.push_back({"resourceClaims", [](DecodeContext& context, const Value& value, T& out) {
                        read_claims(context, value, out.rules);
                      }});
  }
  return fields;
}

template <class T, bool kComposite>
std::vector<typename FieldTable<T>::Field> rule_fields_and(std::vector<typename FieldTable<T>::Field> more) {
  std::vector<typename FieldTable<T>::Field> fields = rule_fields<T, kComposite>();
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

void require_policy(DecodeContext& context, const Value& value) {
  require(context, value, "schedulingPolicy", "set basic or gang");
}

// --- Templates
// ----------------------------------------------------------------------------------------------------------

template <class T>
void read_template_name(DecodeContext& context, const Value& value, T& out) {
  read_name<dns_label_fault>(context, value, out.name);
}

template <class T>
void read_templates(DecodeContext& context, const Value& value, std::vector<T>& out) {
  read_at_most(context, value, kMaxGroupTemplates, "templates of groups", out);
  require_distinct(context, value, out, &T::name);
}

}  // namespace

void read(DecodeContext& context, const Value& value, PodGroupTemplate& out) {
  using T = PodGroupTemplate;
  static const FieldTable<T> kFields(rule_fields_and<T, false>({{"name", read_template_name<T>}}), {});
  static const FieldTable<T> kFirstFields(
      {{"name", read_template_name<T>},
       {"policy", [](DecodeContext& inside, const Value& policy,
                     T& to) { read_policy<false>(inside, policy, to.rules.policy, false); }}},
      {});
  const bool first = version_of(context) == SchedulingVersion::kV1alpha1;
  (first ? kFirstFields : kFields).read(context, value, out);
  if (!value.is_object()) return;
  require(context, value, "name", "name the group");
  require(context, value, first ? "policy" : "schedulingPolicy", "set basic or gang");
}

void read(DecodeContext& context, const Value& value, CompositePodGroupTemplate& out) {
  using T = CompositePodGroupTemplate;
  static const FieldTable<T> kFields(
      rule_fields_and<T, true>(
          {{"name", read_template_name<T>},
           {"podGroupTemplates",
            [](DecodeContext& inside, const Value& list, T& to) { read_templates(inside, list, to.pod_groups); }},
           {"compositePodGroupTemplates",
            [](DecodeContext& inside, const Value& list, T& to) { read_templates(inside, list, to.composites); }}}),
      {});
  kFields.read(context, value, out);
  if (!value.is_object()) return;
  require(context, value, "name", "name the group");
  require_policy(context, value);
  if (out.pod_groups.empty() && out.composites.empty())
    context.error(value, "A composite group needs podGroupTemplates or compositePodGroupTemplates; add one.");
}

namespace {

std::size_t depth_of(const std::vector<CompositePodGroupTemplate>& composites) {
  std::size_t depth = 0;
  for (const CompositePodGroupTemplate& each : composites) depth = std::max(depth, depth_of(each.composites));
  return composites.empty() ? 0 : depth + 1;
}

// --- Objects
// ------------------------------------------------------------------------------------------------------------

}  // namespace

void read(DecodeContext& context, const Value& value, TypedReference& out) {
  static const FieldTable<TypedReference> kFields({{"apiGroup", member<&TypedReference::api_group>},
                                                   {"kind", member<&TypedReference::kind>},
                                                   {"name", member<&TypedReference::name>}},
                                                  {});
  kFields.read(context, value, out);
  if (!value.is_object()) return;
  require(context, value, "kind", "write the kind of the controlling object");
  require(context, value, "name", "write the name of the controlling object");
}

namespace {

template <bool kFirst>
void read_workload_spec(DecodeContext& context, const Value& value, Workload& out) {
  using T = Workload;
  static const FieldTable<T> kFields(
      {{"controllerRef", member<&T::controller>},
       {kFirst ? "podGroups" : "podGroupTemplates",
        [](DecodeContext& inside, const Value& list, T& to) { read_templates(inside, list, to.pod_groups); }}},
      {});
  static const FieldTable<T> kNestedFields(
      {{"controllerRef", member<&T::controller>},
       {"podGroupTemplates",
        [](DecodeContext& inside, const Value& list, T& to) { read_templates(inside, list, to.pod_groups); }},
       {"compositePodGroupTemplates",
        [](DecodeContext& inside, const Value& list, T& to) { read_templates(inside, list, to.composites); }}},
      {});
  const bool nested = out.version == SchedulingVersion::kV1alpha3 || out.version == SchedulingVersion::kV1beta1;
  const std::int32_t before = context.errors();
  (nested ? kNestedFields : kFields).read(context, value, out);
  if (!value.is_object() || context.errors() != before) return;
  if (out.pod_groups.empty() == out.composites.empty())
    context.error(value, nested ? "A workload has either podGroupTemplates or compositePodGroupTemplates; set one."
                                : "A workload needs at least one group of pods; add one.");
  if (depth_of(out.composites) > kMaxGroupDepth)
    context.error(
        value, "Composite groups are nested more than " + std::to_string(kMaxGroupDepth) + " deep; take levels out.");
}

// The template of PodGroups in v1alpha2: {workload: {workloadName, podGroupTemplateName}}.
void read_early_template(DecodeContext& context, const Value& value, std::optional<TemplateReference>& out) {
  using T = TemplateReference;
  static const FieldTable<T> kNames(
      {{"workloadName", member<&T::workload_name>}, {"podGroupTemplateName", member<&T::template_name>}}, {});
  static const FieldTable<T> kFields(
      {{"workload", [](DecodeContext& inside, const Value& names, T& to) { kNames.read(inside, names, to); }}}, {});
  kFields.read(context, value, out.emplace());
  if (out->workload_name.empty() || out->template_name.empty())
    context.error(value, "workload needs workloadName and podGroupTemplateName; write both.");
}

void read_template(DecodeContext& context, const Value& value, std::optional<TemplateReference>& out) {
  using T = TemplateReference;
  static const FieldTable<T> kFields(
      {{"workloadName", member<&T::workload_name>}, {"templateName", member<&T::template_name>}}, {});
  kFields.read(context, value, out.emplace());
  if (out->workload_name.empty() || out->template_name.empty())
    context.error(value, "workloadRef needs workloadName and templateName; write both.");
}

template <class T>
void read_made_from(DecodeContext& context, const Value& value, T& out) {
  read_template(context, value, out.made_from);
}

template <class T>
void read_parent(DecodeContext& context, const Value& value, T& out) {
  read(context, value, out.parent);
  if (auto fault = object_name_fault(out.parent)) context.error(value, *std::move(fault));
}

void read_pod_group_spec(DecodeContext& context, const Value& value, PodGroup& out) {
  using T = PodGroup;
  static const FieldTable<T> kFields(
      rule_fields_and<T, false>({{"workloadRef", read_made_from<T>}, {"parentCompositePodGroupName", read_parent<T>}}),
      {});
  static const FieldTable<T> kEarlyFields(
      rule_fields_and<T, false>(
          {{"podGroupTemplateRef",
            [](DecodeContext& inside, const Value& from, T& to) { read_early_template(inside, from, to.made_from); }}}),
      {});
  (out.version == SchedulingVersion::kV1alpha2 ? kEarlyFields : kFields).read(context, value, out);
  if (value.is_object()) require_policy(context, value);
}

void read_composite_spec(DecodeContext& context, const Value& value, CompositePodGroup& out) {
  using T = CompositePodGroup;
  static const FieldTable<T> kFields(
      rule_fields_and<T, true>({{"workloadRef", read_made_from<T>}, {"parentCompositePodGroupName", read_parent<T>}}),
      {});
  kFields.read(context, value, out);
  if (!value.is_object()) return;
  require_policy(context, value);
  require(context, value, "workloadRef", "name the Workload and the template it is made from");
}

void read_pod_group_status(DecodeContext& context, const Value& value, PodGroup& out) {
  static const FieldTable<PodGroup> kFields({{"conditions", member<&PodGroup::conditions>},
                                             {"resourceClaimStatuses", member<&PodGroup::resource_claim_statuses>}},
                                            {});
  kFields.read(context, value, out);
}

void read_composite_status(DecodeContext& context, const Value& value, CompositePodGroup& out) {
  static const FieldTable<CompositePodGroup> kFields({{"conditions", member<&CompositePodGroup::conditions>}}, {});
  kFields.read(context, value, out);
}

}  // namespace

std::string_view api_version_of(SchedulingVersion version) {
  for (const auto& [known, text] : kVersions)
    if (known == version) return text;
  return {};
}

void read(DecodeContext& context, const Value& value, Workload& out) {
  out.version = version_of(context);
  static const FieldTable<Workload> kFields(
      {{"metadata", member<&Workload::metadata>}, {"spec", read_workload_spec<false>}},
      {"apiVersion", "kind", "status"});
  static const FieldTable<Workload> kFirstFields(
      {{"metadata", member<&Workload::metadata>}, {"spec", read_workload_spec<true>}},
      {"apiVersion", "kind", "status"});
  (out.version == SchedulingVersion::kV1alpha1 ? kFirstFields : kFields).read(context, value, out);
  require(context, value, "spec", "describe the groups of pods there");
}

void read(DecodeContext& context, const Value& value, PodGroup& out) {
  out.version = version_of(context);
  static const FieldTable<PodGroup> kFields(
      {{"metadata", member<&PodGroup::metadata>}, {"spec", read_pod_group_spec}, {"status", read_pod_group_status}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
  require(context, value, "spec", "set schedulingPolicy there");
}

void read(DecodeContext& context, const Value& value, CompositePodGroup& out) {
  out.version = version_of(context);
  static const FieldTable<CompositePodGroup> kFields({{"metadata", member<&CompositePodGroup::metadata>},
                                                      {"spec", read_composite_spec},
                                                      {"status", read_composite_status}},
                                                     {"apiVersion", "kind"});
  kFields.read(context, value, out);
  require(context, value, "spec", "set schedulingPolicy there");
}

void read(DecodeContext& context, const Value& value, JobScheduling& out) {
  using T = JobScheduling;
  static const FieldTable<T> kFields(
      {{"schedulingPolicy", [](DecodeContext& inside, const Value& policy,
                               T& to) { read_policy<false>(inside, policy, to.rules.policy, true); }},
       {"schedulingConstraints",
        [](DecodeContext& inside, const Value& rules, T& to) { read_constraints(inside, rules, to.rules); }},
       {"disruptionMode",
        [](DecodeContext& inside, const Value& mode, T& to) { read_disruption(inside, mode, to.rules); }},
       {"resourceClaims",
        [](DecodeContext& inside, const Value& claims, T& to) { read_claims(inside, claims, to.rules); }}},
      {});
  kFields.read(context, value, out);
}

}  // namespace berth::api
