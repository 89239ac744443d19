#include "api/decode_pod.h"

#include "api/decode_objects.h"
#include "api/pod_level.h"

namespace berth::api {

namespace {

template <std::vector<Container> PodSpec::* kList>
void read_containers(DecodeContext& context, const Value& value, PodSpec& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  std::vector<Container>& containers = out.*kList;
  containers.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read(context, value.items()[i], containers.emplace_back());
  }
}

// Before 1.31 the two names stood in an object `source`.
const FieldTable<PodResourceClaim>& claim_source_fields() {
  static const FieldTable<PodResourceClaim> kFields(
      {{"resourceClaimName", member<&PodResourceClaim::resource_claim_name>},
       {"resourceClaimTemplateName", member<&PodResourceClaim::resource_claim_template_name>}},
      {});
  return kFields;
}

void read_gates(DecodeContext& context, const Value& value, PodSpec& out) {
  static const FieldTable<std::string> kFields(
      {{"name", [](DecodeContext& inside, const Value& name, std::string& gate) { read(inside, name, gate); }}}, {});
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    kFields.read(context, value.items()[i], out.scheduling_gates.emplace_back());
  }
}

void read_scheduling_group(DecodeContext& context, const Value& value, PodSpec& out) {
  static const FieldTable<PodSchedulingGroup> kFields({{"podGroupName", member<&PodSchedulingGroup::pod_group_name>}},
                                                      {});
  PodSchedulingGroup group = *out.scheduling_group;
  kFields.read(context, value, group);
  if (group.pod_group_name.empty())
    context.error(value, "schedulingGroup needs podGroupName; name the PodGroup of the pod.");
  out.scheduling_group = std::move(group);
}

// The link of Kubernetes 1.35.
void read_workload_reference(DecodeContext& context, const Value& value, PodSpec& out) {
  using Group = PodSchedulingGroup;
  static const FieldTable<Group> kFields({{"name", member<&Group::workload_name>},
                                          {"podGroup", member<&Group::workload_group>},
                                          {"podGroupReplicaKey", member<&Group::workload_instance>}},
                                         {});
  Group group = *out.scheduling_group;
  kFields.read(context, value, group);
  if (group.workload_name.empty() || group.workload_group.empty())
    context.error(value, "workloadRef needs name and podGroup; name the Workload and a group of pods in it.");
  out.scheduling_group = std::move(group);
}

const FieldTable<PodSpec>& pod_spec_fields() {
  static const FieldTable<PodSpec> kFields(
      {{"initContainers", read_containers<&PodSpec::init_containers>},
       {"containers", read_containers<&PodSpec::containers>},
       {"overhead", member<&PodSpec::overhead>},
       {"resources", member<&PodSpec::resources>},
       {"nodeName", member<&PodSpec::node_name>},
       {"nodeSelector", member<&PodSpec::node_selector>},
       {"affinity", member<&PodSpec::affinity>},
       {"tolerations", member<&PodSpec::tolerations>},
       {"topologySpreadConstraints", member<&PodSpec::topology_spread_constraints>},
       {"schedulingGates", read_gates},
       {"volumes", read_volumes},
       {"resourceClaims", member<&PodSpec::resource_claims>},
       {"schedulerName", member<&PodSpec::scheduler_name>},
       {"runtimeClassName", member<&PodSpec::runtime_class_name>},
       {"priorityClassName", member<&PodSpec::priority_class_name>},
       {"priority", member<&PodSpec::priority>},
       {"preemptionPolicy", member<&PodSpec::preemption_policy>},
       {"restartPolicy", member<&PodSpec::restart_policy>},
       {"schedulingGroup", read_scheduling_group},
       {"workloadRef", read_workload_reference},
       {"hostNetwork", member<&PodSpec::host_network>},
       {"hostUsers", member<&PodSpec::host_users>}},
      {"ephemeralContainers",
       "terminationGracePeriodSeconds",
       "activeDeadlineSeconds",
       "dnsPolicy",
       "serviceAccountName",
       "serviceAccount",
       "automountServiceAccountToken",
       "hostPID",
       "hostIPC",
       "shareProcessNamespace",
       "securityContext",
       "imagePullSecrets",
       "hostname",
       "subdomain",
       "hostAliases",
       "dnsConfig",
       "readinessGates",
       "enableServiceLinks",
       "setHostnameAsFQDN",
       "os",
       "hostnameOverride",
       "evictionResponders"});
  return kFields;
}

}  // namespace

void read(DecodeContext& context, const Value& value, PodResourceClaim& out) {
  static const FieldTable<PodResourceClaim> kFields(
      {{"name", member<&PodResourceClaim::name>},
       {"resourceClaimName", member<&PodResourceClaim::resource_claim_name>},
       {"resourceClaimTemplateName", member<&PodResourceClaim::resource_claim_template_name>},
       {"source", inner<PodResourceClaim, claim_source_fields>}},
      {});
  kFields.read(context, value, out);
  if (out.resource_claim_name.empty() == out.resource_claim_template_name.empty())
    context.error(value, "One of resourceClaimName and resourceClaimTemplateName must be set; set one.");
}

void read(DecodeContext& context, const Value& value, PodSpec& out) {
  const std::int32_t before = context.errors();
  pod_spec_fields().read(context, value, out);
  if (!value.is_object()) return;
  if (out.containers.empty() && context.errors() == before)
    context.error(value, "A pod needs at least one container; add one to containers.");
  check_container_names(context, value, out);
  if (out.scheduler_name.empty()) out.scheduler_name = "default-scheduler";
  default_pod_level_requests(out);
  // The containers' sum became the pod's request and may be more than the pod's limit.
  if (const Value* resources = value.find("resources");
      resources != nullptr && out.resources && context.errors() == before) {
    const DecodeContext::Scope scope(context, "resources");
    check_limits(context, *resources, *out.resources);
  }
  // Nobody asks what nodes declare there.
  if (context.version() < KubernetesVersion::k136) out.host_users = true;
  if (out.host_network && context.errors() == before) {
    default_host_ports(context, value, "containers", out.containers);
    default_host_ports(context, value, "initContainers", out.init_containers);
  }
}

void read(DecodeContext& context, const Value& value, PodTemplate& out) {
  static const FieldTable<PodTemplate> kFields(
      {{"metadata", member<&PodTemplate::metadata>}, {"spec", member<&PodTemplate::spec>}}, {});
  kFields.read(context, value, out);
  if (value.is_object() && !is_given(value, "spec"))
    context.error(value, "The template has no spec; add the spec of its pods.");
}

void read(DecodeContext& context, const Value& value, Pod& out) {
  static const FieldTable<Pod> kFields(
      {{"metadata", member<&Pod::metadata>}, {"spec", member<&Pod::spec>}, {"status", read_status}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
  if (!is_given(value, "spec")) context.error(value, "The pod has no spec; add one with its containers.");
}

}  // namespace berth::api
