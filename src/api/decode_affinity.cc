#include <algorithm>
#include <string_view>

#include "api/decode_fields.h"
#include "api/selector.h"

namespace berth::api {
namespace {

void check_weight(DecodeContext& context, const Value& value, std::int32_t weight) {
  if (weight < 1 || weight > 100)
    context.error(value, "The weight " + std::to_string(weight) + " is outside 1 to 100; correct it.");
}

void check_topology_key(DecodeContext& context, const Value& value, const std::string& key) {
  if (key.empty()) {
    context.error(value, "topologyKey is missing; name a node label such as kubernetes.io/hostname.");
  } else if (auto fault = label_key_fault(key)) {
    context.error(value, "topologyKey: " + *fault);
  }
}

}  // namespace

void read(DecodeContext& context, const Value& value, PreferredSchedulingTerm& out) {
  static const FieldTable<PreferredSchedulingTerm> kFields(
      {{"weight", member<&PreferredSchedulingTerm::weight>},
       {"preference", member<&PreferredSchedulingTerm::preference>}},
      {});
  kFields.read(context, value, out);
  check_weight(context, value, out.weight);
}

namespace {

// Labels of nodes cannot have such a value. Pods that run may ask for it: older API servers took it.
void remark_on_values(DecodeContext& context, const Value& value, const NodeSelector& required) {
  static constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  for (const NodeSelectorTerm& term : required.terms) {
    for (const SelectorRequirement& requirement : term.match_expressions) {
      const auto odd = std::ranges::find_if(
          requirement.values, [](const std::string& each) { return label_value_fault(each).has_value(); });
      if (odd == requirement.values.end()) continue;
      const DecodeContext::Scope scope(context, kRequired);
      return context.remark(*value.find(kRequired),
                            "The API server takes no value in required node affinity that a label cannot have, and \"" +
                                odd->substr(0, 63) + "\" of " + requirement.key + " is none; no node has it.");
    }
  }
}

}  // namespace

void read(DecodeContext& context, const Value& value, NodeAffinity& out) {
  static const FieldTable<NodeAffinity> kFields(
      {{"requiredDuringSchedulingIgnoredDuringExecution", member<&NodeAffinity::required>},
       {"preferredDuringSchedulingIgnoredDuringExecution", member<&NodeAffinity::preferred>}},
      {});
  kFields.read(context, value, out);
  if (out.required) remark_on_values(context, value, *out.required);
}

void read(DecodeContext& context, const Value& value, PodAffinityTerm& out) {
  static const FieldTable<PodAffinityTerm> kFields(
      {{"labelSelector", member<&PodAffinityTerm::label_selector>},
       {"namespaces", member<&PodAffinityTerm::namespaces>},
       {"namespaceSelector", member<&PodAffinityTerm::namespace_selector>},
       {"topologyKey", member<&PodAffinityTerm::topology_key>},
       {"matchLabelKeys", member<&PodAffinityTerm::match_label_keys>},
       {"mismatchLabelKeys", member<&PodAffinityTerm::mismatch_label_keys>}},
      {});
  kFields.read(context, value, out);
  check_topology_key(context, value, out.topology_key);
}

void read(DecodeContext& context, const Value& value, WeightedPodAffinityTerm& out) {
  static const FieldTable<WeightedPodAffinityTerm> kFields(
      {{"weight", member<&WeightedPodAffinityTerm::weight>},
       {"podAffinityTerm", member<&WeightedPodAffinityTerm::term>}},
      {});
  kFields.read(context, value, out);
  if (value.is_object() && !is_given(value, "podAffinityTerm"))
    context.error(value, "podAffinityTerm is missing; say which pods are meant and in which topology.");
  check_weight(context, value, out.weight);
}

void read(DecodeContext& context, const Value& value, PodAffinity& out) {
  static const FieldTable<PodAffinity> kFields(
      {{"requiredDuringSchedulingIgnoredDuringExecution", member<&PodAffinity::required>},
       {"preferredDuringSchedulingIgnoredDuringExecution", member<&PodAffinity::preferred>}},
      {});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, Affinity& out) {
  static const FieldTable<Affinity> kFields({{"nodeAffinity", member<&Affinity::node>},
                                             {"podAffinity", member<&Affinity::pod>},
                                             {"podAntiAffinity", member<&Affinity::pod_anti>}},
                                            {});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, Taint& out) {
  static const FieldTable<Taint> kFields(
      {{"key", member<&Taint::key>}, {"value", member<&Taint::value>}, {"effect", member<&Taint::effect>}},
      {"timeAdded"});
  kFields.read(context, value, out);
  if (value.is_object() && (out.key.empty() || !is_given(value, "effect")))
    context.error(value, "A taint needs a key and an effect; add " + std::string(out.key.empty() ? "key." : "effect."));
}

void read(DecodeContext& context, const Value& value, Toleration& out) {
  static const FieldTable<Toleration> kFields({{"key", member<&Toleration::key>},
                                               {"operator",
                                                [](DecodeContext& inside, const Value& op, Toleration& toleration) {
                                                  if (!op.is_string() || op.size() != 0)
                                                    read(inside, op, toleration.op);
                                                }},
                                               {"value", member<&Toleration::value>},
                                               {"effect",
                                                [](DecodeContext& inside, const Value& effect, Toleration& toleration) {
                                                  if (!effect.is_string() || effect.size() != 0)
                                                    read(inside, effect, toleration.effect.emplace());
                                                }},
                                               {"tolerationSeconds", member<&Toleration::toleration_seconds>}},
                                              {});
  const std::int32_t before = context.errors();
  kFields.read(context, value, out);
  if (context.errors() != before) return;
  if (out.key.empty() && out.op != TolerationOperator::kExists)
    context.error(value, "A toleration without a key tolerates all taints and must say so; set operator to Exists.");
  if (out.op == TolerationOperator::kExists && !out.value.empty())
    context.error(value, "A toleration with operator Exists takes no value; remove the value.");
  if (auto fault = out.key.empty() ? std::nullopt : label_key_fault(out.key))
    context.error(value, "The key of the toleration: " + *fault);
  if (auto fault = out.op == TolerationOperator::kEqual ? label_value_fault(out.value) : std::nullopt)
    context.error(value, "The value of the toleration: " + *fault);
  if (out.toleration_seconds && out.effect != TaintEffect::kNoExecute)
    context.error(value,
                  "tolerationSeconds goes with the effect NoExecute only; write effect: NoExecute, or remove it.");
}

void read(DecodeContext& context, const Value& value, TopologySpreadConstraint& out) {
  static const FieldTable<TopologySpreadConstraint> kFields(
      {{"maxSkew", member<&TopologySpreadConstraint::max_skew>},
       {"topologyKey", member<&TopologySpreadConstraint::topology_key>},
       {"whenUnsatisfiable", member<&TopologySpreadConstraint::when_unsatisfiable>},
       {"labelSelector", member<&TopologySpreadConstraint::label_selector>},
       {"minDomains", member<&TopologySpreadConstraint::min_domains>},
       {"nodeAffinityPolicy", member<&TopologySpreadConstraint::node_affinity_policy>},
       {"nodeTaintsPolicy", member<&TopologySpreadConstraint::node_taints_policy>},
       {"matchLabelKeys", member<&TopologySpreadConstraint::match_label_keys>}},
      {});
  kFields.read(context, value, out);
  check_topology_key(context, value, out.topology_key);
  if (out.max_skew < 1) context.error(value, "maxSkew must be 1 or more; correct it.");
  if (value.is_object() && !is_given(value, "whenUnsatisfiable"))
    context.error(value, "whenUnsatisfiable is missing; write DoNotSchedule or ScheduleAnyway.");
  if (!out.min_domains) return;
  if (*out.min_domains < 1) context.error(value, "minDomains must be 1 or more; correct it or leave it out.");
  if (out.when_unsatisfiable == UnsatisfiableAction::kScheduleAnyway)
    context.error(value, "minDomains only works with whenUnsatisfiable DoNotSchedule; change one of the two.");
}

}  // namespace berth::api
