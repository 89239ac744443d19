// The objects that make pods without end, and PodDisruptionBudget. Those whose pods end are in decode_job.cc.
#include <string>

#include "api/decode_fields.h"
#include "api/decode_objects.h"
#include "api/decode_workloads.h"

namespace berth::api {
namespace {

std::string_view api_version_of(const Value& value) {
  const Value* version = value.find("apiVersion");
  return version == nullptr ? std::string_view() : version->text();
}

// The selector must select the template's pods, or the controller would make pods without end. The early API versions
// took the template's labels where no selector was given.
void check_selector(DecodeContext& context, const Value& value, LabelSelector& selector, const PodTemplate& pods) {
  const bool empty = selector.match_labels.empty() && selector.match_expressions.empty();
  const bool early = api_version_of(value).ends_with("beta1");
  if (empty && early) {
    selector.match_labels = pods.metadata.labels;
  } else if (empty) {
    context.error(value, "spec.selector is missing or empty; add matchLabels that the template's labels carry.");
  } else if (!matches(selector, pods.metadata.labels)) {
    context.error(value,
                  "spec.selector does not select the pods of spec.template; make the template's labels match it.");
  }
}

// Pods that their controller keeps alive start again for ever.
void check_restarts(DecodeContext& context, const Value& value, const PodSpec& pods) {
  if (pods.restart_policy == RestartPolicy::kAlways) return;
  const DecodeContext::Scope in_spec(context, "spec");
  const DecodeContext::Scope in_template(context, "template");
  const DecodeContext::Scope in_pod(context, "spec");
  const DecodeContext::Scope field(context, "restartPolicy");
  context.error(
      *value.find("spec")->find("template")->find("spec")->find("restartPolicy"),
      "The pods of this controller start again when they end, so that restartPolicy can only be Always; remove "
      "it, or make a Job.");
}

// 0 or "0%" where it is written.
bool is_nothing(const Value& roll_out, std::string_view field) {
  const Value* written = roll_out.find(field);
  return written != nullptr && (written->text() == "0" || written->text() == "0%");
}

// A roll-out that may neither add a pod nor take one away cannot go on. Absent, maxSurge is 25% of a Deployment and 0
// of a DaemonSet, maxUnavailable 25% and 1.
void check_roll_out(DecodeContext& context, const Value& value, std::string_view strategy, bool surges_by_default) {
  const Value* spec = value.find("spec");
  const Value* how = spec->find(strategy);
  const Value* roll_out = how == nullptr || !how->is_object() ? nullptr : how->find("rollingUpdate");
  if (roll_out == nullptr || !roll_out->is_object() || !is_nothing(*roll_out, "maxUnavailable")) return;
  if (const Value* type = how->find("type"); type != nullptr && type->text() == "OnDelete") return;
  const Value* surge = roll_out->find("maxSurge");
  const bool surges = surge == nullptr || surge->is_null() ? surges_by_default : !is_nothing(*roll_out, "maxSurge");
  if (surges) return;
  const DecodeContext::Scope in_spec(context, "spec");
  const DecodeContext::Scope in_strategy(context, strategy);
  const DecodeContext::Scope in_roll_out(context, "rollingUpdate");
  const DecodeContext::Scope field(context, "maxUnavailable");
  context.error(*roll_out->find("maxUnavailable"),
                "maxUnavailable and maxSurge are both 0, so that no pod could be replaced; raise one.");
}

// "3", "30%" or 3.
void read_int_or_percent(DecodeContext& context, const Value& value, IntOrPercent& out) {
  IntOrPercent parsed;
  if (value.is_number()) {
    read(context, value, parsed.value);
  } else if (value.is_string() && value.text().ends_with('%')) {
    parsed.percent = true;
    const Value number = Value::number(value.text().substr(0, value.size() - 1), value.origin());
    const auto percent = number.as_int64();
    if (!percent || *percent < 0 || *percent > 1'000'000)
      return context.error(value,
                           "\"" + std::string(value.text().substr(0, 32)) + "\" is no percentage; write it like 30%.");
    parsed.value = static_cast<std::int32_t>(*percent);
  } else {
    return context.wrong_kind(value, "an integer or a percentage like \"30%\"");
  }
  check_count(context, value, parsed.value, "The number of pods");
  out = parsed;
}

void read_max_surge(DecodeContext& context, const Value& value, Deployment& out) {
  read_int_or_percent(context, value, out.max_surge);
}

const FieldTable<Deployment>& rolling_update_fields() {
  static const FieldTable<Deployment> kFields({{"maxSurge", read_max_surge}}, {"maxUnavailable"});
  return kFields;
}

void read_strategy_type(DecodeContext& context, const Value& value, Deployment& out) {
  if (value.is_string() && (value.text() == "Recreate" || value.text() == "RollingUpdate")) {
    out.recreate = value.text() == "Recreate";
  } else {
    context.error(value, "The type of the strategy is not one of its values; write RollingUpdate or Recreate.");
  }
}

const FieldTable<Deployment>& strategy_fields() {
  static const FieldTable<Deployment> kFields(
      {{"type", read_strategy_type}, {"rollingUpdate", inner<Deployment, rolling_update_fields>}}, {});
  return kFields;
}

const FieldTable<Deployment>& deployment_fields() {
  static const FieldTable<Deployment> kFields(
      {{"replicas", member<&Deployment::replicas>},
       {"selector", member<&Deployment::selector>},
       {"template", member<&Deployment::pod_template>},
       {"paused", member<&Deployment::paused>},
       {"strategy", inner<Deployment, strategy_fields>}},
      {"minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds", "rollbackTo"});
  return kFields;
}

const FieldTable<ReplicaSet>& replica_set_fields() {
  static const FieldTable<ReplicaSet> kFields({{"replicas", member<&ReplicaSet::replicas>},
                                               {"selector", member<&ReplicaSet::selector>},
                                               {"template", member<&ReplicaSet::pod_template>}},
                                              {"minReadySeconds"});
  return kFields;
}

const FieldTable<ReplicationController>& replication_controller_fields() {
  static const FieldTable<ReplicationController> kFields({{"replicas", member<&ReplicationController::replicas>},
                                                          {"selector", member<&ReplicationController::selector>},
                                                          {"template", member<&ReplicationController::pod_template>}},
                                                         {"minReadySeconds", "templateRef"});
  return kFields;
}

const FieldTable<StatefulSet>& ordinals_fields() {
  static const FieldTable<StatefulSet> kFields({{"start", member<&StatefulSet::first_ordinal>}}, {});
  return kFields;
}

void read_management(DecodeContext& context, const Value& value, StatefulSet& out) {
  if (value.is_string() && (value.text() == "Parallel" || value.text() == "OrderedReady")) {
    out.parallel = value.text() == "Parallel";
  } else {
    context.error(value, "podManagementPolicy is not one of its values; write OrderedReady or Parallel.");
  }
}

const FieldTable<StatefulSet>& stateful_set_fields() {
  static const FieldTable<StatefulSet> kFields({{"replicas", member<&StatefulSet::replicas>},
                                                {"ordinals", inner<StatefulSet, ordinals_fields>},
                                                {"selector", member<&StatefulSet::selector>},
                                                {"template", member<&StatefulSet::pod_template>},
                                                {"volumeClaimTemplates", member<&StatefulSet::volume_claim_templates>},
                                                {"podManagementPolicy", read_management}},
                                               {"serviceName", "updateStrategy", "revisionHistoryLimit",
                                                "minReadySeconds", "persistentVolumeClaimRetentionPolicy"});
  return kFields;
}

const FieldTable<DaemonSet>& daemon_set_fields() {
  static const FieldTable<DaemonSet> kFields(
      {{"selector", member<&DaemonSet::selector>}, {"template", member<&DaemonSet::pod_template>}},
      {"updateStrategy", "minReadySeconds", "revisionHistoryLimit", "templateGeneration"});
  return kFields;
}

template <std::optional<IntOrPercent> PodDisruptionBudget::* kMember>
void read_limit(DecodeContext& context, const Value& value, PodDisruptionBudget& out) {
  IntOrPercent& limit = (out.*kMember).emplace();
  read_int_or_percent(context, value, limit);
  if (limit.percent && limit.value > 100)
    context.error(value, "A budget of " + std::to_string(limit.value) + "% of the pods cannot be; write at most 100%.");
}

const FieldTable<PodDisruptionBudget>& budget_spec_fields() {
  static const FieldTable<PodDisruptionBudget> kFields(
      {{"selector", member<&PodDisruptionBudget::selector>},
       {"minAvailable", read_limit<&PodDisruptionBudget::min_available>},
       {"maxUnavailable", read_limit<&PodDisruptionBudget::max_unavailable>}},
      {"unhealthyPodEvictionPolicy"});
  return kFields;
}

// A map from the names of pods to when the eviction was granted.
void read_disrupted_pods(DecodeContext& context, const Value& value, PodDisruptionBudget& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  for (const text::Member& member : value.members()) out.disrupted_pods.emplace_back(member.name());
}

const FieldTable<PodDisruptionBudget>& budget_status_fields() {
  static const FieldTable<PodDisruptionBudget> kFields(
      {{"disruptionsAllowed", member<&PodDisruptionBudget::disruptions_allowed>},
       {"disruptedPods", read_disrupted_pods}},
      {"observedGeneration", "currentHealthy", "desiredHealthy", "expectedPods", "conditions"});
  return kFields;
}

// The frame that all workloads share. False where there is no spec to go on with.
template <class T, const FieldTable<T>& (*kSpec)()>
bool read_workload(DecodeContext& context, const Value& value, T& out) {
  static const FieldTable<T> kFields({{"metadata", member<&T::metadata>}, {"spec", inner<T, kSpec>}},
                                     {"apiVersion", "kind", "status"});
  const std::int32_t before = context.errors();
  kFields.read(context, value, out);
  const Value* spec = value.find("spec");
  if (spec == nullptr || !spec->is_object()) {
    if (context.errors() == before) context.error(value, "The object has no spec; add one.");
    return false;
  }
  const Value* pods = spec->find("template");
  if (pods != nullptr && pods->is_object()) return context.errors() == before;
  if (context.errors() == before) context.error(*spec, "spec.template is missing; describe the pods there.");
  return false;
}

}  // namespace

void check_count(DecodeContext& context, const Value& value, std::int32_t count, const std::string& field) {
  if (count < 0) context.error(value, field + " is " + std::to_string(count) + "; write 0 or more.");
}

void read(DecodeContext& context, const Value& value, Deployment& out) {
  if (!read_workload<Deployment, deployment_fields>(context, value, out)) return;
  check_count(context, value, out.replicas, "spec.replicas");
  check_selector(context, value, out.selector, out.pod_template);
  check_restarts(context, value, out.pod_template.spec);
  check_roll_out(context, value, "strategy", true);
}

void read(DecodeContext& context, const Value& value, ReplicaSet& out) {
  if (!read_workload<ReplicaSet, replica_set_fields>(context, value, out)) return;
  check_count(context, value, out.replicas, "spec.replicas");
  check_selector(context, value, out.selector, out.pod_template);
  check_restarts(context, value, out.pod_template.spec);
}

void read(DecodeContext& context, const Value& value, ReplicationController& out) {
  if (!read_workload<ReplicationController, replication_controller_fields>(context, value, out)) return;
  check_count(context, value, out.replicas, "spec.replicas");
  if (out.selector.empty()) out.selector = out.pod_template.metadata.labels;
  check_restarts(context, value, out.pod_template.spec);
}

void read(DecodeContext& context, const Value& value, StatefulSet& out) {
  if (!read_workload<StatefulSet, stateful_set_fields>(context, value, out)) return;
  check_count(context, value, out.replicas, "spec.replicas");
  check_count(context, value, out.first_ordinal, "spec.ordinals.start");
  check_selector(context, value, out.selector, out.pod_template);
  check_restarts(context, value, out.pod_template.spec);
}

void read(DecodeContext& context, const Value& value, DaemonSet& out) {
  if (!read_workload<DaemonSet, daemon_set_fields>(context, value, out)) return;
  check_selector(context, value, out.selector, out.pod_template);
  check_restarts(context, value, out.pod_template.spec);
  check_roll_out(context, value, "updateStrategy", false);
}

void read(DecodeContext& context, const Value& value, ResourceQuota& out) {
  static const auto read_scope = [](DecodeContext&, const Value& scopes, ResourceQuota& quota) {
    quota.has_scope = quota.has_scope || scopes.size() > 0;
  };
  static const auto read_spec = [](DecodeContext& inside, const Value& spec, ResourceQuota& quota) {
    static const FieldTable<ResourceQuota> kSpec(
        {{"hard", member<&ResourceQuota::hard>}, {"scopes", read_scope}, {"scopeSelector", read_scope}}, {});
    kSpec.read(inside, spec, quota);
  };
  static const FieldTable<ResourceQuota> kFields({{"metadata", member<&ResourceQuota::metadata>}, {"spec", read_spec}},
                                                 {"apiVersion", "kind", "status"});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, PodDisruptionBudget& out) {
  static const FieldTable<PodDisruptionBudget> kFields({{"metadata", member<&PodDisruptionBudget::metadata>},
                                                        {"spec", inner<PodDisruptionBudget, budget_spec_fields>},
                                                        {"status", inner<PodDisruptionBudget, budget_status_fields>}},
                                                       {"apiVersion", "kind"});
  kFields.read(context, value, out);
  if (out.min_available && out.max_unavailable)
    context.error(value, "minAvailable and maxUnavailable exclude each other; remove one.");
  // In v1beta1 an empty selector selected nothing.
  if (api_version_of(value) == "policy/v1beta1" && out.selector == LabelSelector{}) out.selector.reset();
}

}  // namespace berth::api
