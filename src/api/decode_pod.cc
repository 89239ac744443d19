#include <algorithm>

#include "api/decode_fields.h"
#include "api/decode_objects.h"
#include "api/pod_level.h"
#include "base/mutant.h"

namespace berth::api {

void read(DecodeContext& context, const Value& value, ResourceClaimReference& out) {
  static const FieldTable<ResourceClaimReference> kFields(
      {{"name", member<&ResourceClaimReference::name>}, {"request", member<&ResourceClaimReference::request>}}, {});
  kFields.read(context, value, out);
}

namespace {

void check_limits(DecodeContext& context, const Value& value, const ResourceRequirements& out) {
  for (const auto& [resource, request] : out.requests) {
    const auto limit = out.limits.find(resource);
    if (limit != out.limits.end() && request > limit->second)
      context.error(value, "The request of " + resource + " (" + request.to_string() + ") is above its limit (" +
                               limit->second.to_string() + "); lower the request or raise the limit.");
  }
}

}  // namespace

void read(DecodeContext& context, const Value& value, ResourceRequirements& out) {
  static const FieldTable<ResourceRequirements> kFields({{"requests", member<&ResourceRequirements::requests>},
                                                         {"limits", member<&ResourceRequirements::limits>},
                                                         {"claims", member<&ResourceRequirements::claims>}},
                                                        {});
  kFields.read(context, value, out);
  check_limits(context, value, out);
}

namespace {

// Requests that are not given are the limits.
void default_requests(ResourceRequirements& resources) {
  if (mutant("Rule.LimitsAreRequests")) return;
  for (const auto& [resource, limit] : resources.limits) resources.requests.try_emplace(resource, limit);
}

// Extended resources are not overcommitted. It is read as asked all the same: only a new pod would be refused.
void check_extended_request(DecodeContext& context, const Value& value, const ResourceRequirements& resources,
                            const std::string& name) {
  if (name.find("kubernetes.io/") != std::string::npos) return;
  const auto limit = resources.limits.find(name);
  if (limit != resources.limits.end() && limit->second == resources.requests.find(name)->second) return;
  context.remark(value, "The API server takes a request of " + name + " only with an equal limit; set the limit of " +
                            name + " to what is asked.");
}

// The API server takes no name without a domain that it does not know: `gpu: 8` would ask for nothing.
void check_resource_names(DecodeContext& context, const Value& value, const ResourceRequirements& out) {
  const auto is_known = [](std::string_view name) {
    return name == "cpu" || name == "memory" || name == "ephemeral-storage" || name.starts_with("hugepages-");
  };
  for (const auto& [name, quantity] : out.requests) {
    if (name.find('/') != std::string::npos) {
      check_extended_request(context, value, out, name);
    } else if (!is_known(name)) {
      context.error(value, "\"" + name.substr(0, 100) +
                               "\" is no resource of a container; write cpu, memory, ephemeral-storage, hugepages-SIZE "
                               "or DOMAIN/NAME, such as nvidia.com/gpu.");
    }
  }
}

void read(DecodeContext& context, const Value& value, ContainerPort& out) {
  static const FieldTable<ContainerPort> kFields({{"containerPort", member<&ContainerPort::container_port>},
                                                  {"hostPort", member<&ContainerPort::host_port>},
                                                  {"hostIP", member<&ContainerPort::host_ip>},
                                                  {"protocol", member<&ContainerPort::protocol>}},
                                                 {"name"});
  const std::int32_t before = context.errors();
  kFields.read(context, value, out);
  constexpr std::int32_t kHighest = 65535;
  for (const std::int32_t port : {out.container_port, out.host_port})
    if (port < 0 || port > kHighest)
      context.error(value, "The port " + std::to_string(port) + " is outside 1 to 65535; correct it.");
  if (out.container_port == 0 && context.errors() == before)
    context.error(value, "containerPort is missing or 0; write a port from 1 to 65535.");
}

void read_ports(DecodeContext& context, const Value& value, Container& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read(context, value.items()[i], out.ports.emplace_back());
  }
}

void read_container_restart(DecodeContext& context, const Value& value, Container& out) {
  RestartPolicy policy = RestartPolicy::kNever;
  read(context, value, policy);
  out.restart_always = policy == RestartPolicy::kAlways;
}

void read(DecodeContext& context, const Value& value, Container& out) {
  static const FieldTable<Container> kFields({{"name", member<&Container::name>},
                                              {"image", member<&Container::image>},
                                              {"resources", member<&Container::resources>},
                                              {"ports", read_ports},
                                              {"restartPolicy", read_container_restart}},
                                             {"command",
                                              "args",
                                              "workingDir",
                                              "envFrom",
                                              "env",
                                              "resizePolicy",
                                              "restartPolicyRules",
                                              "volumeMounts",
                                              "volumeDevices",
                                              "livenessProbe",
                                              "readinessProbe",
                                              "startupProbe",
                                              "lifecycle",
                                              "terminationMessagePath",
                                              "terminationMessagePolicy",
                                              "imagePullPolicy",
                                              "securityContext",
                                              "stdin",
                                              "stdinOnce",
                                              "tty"});
  kFields.read(context, value, out);
  default_requests(out.resources);
  check_resource_names(context, value, out.resources);
}

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

// Statuses and claims speak of containers by name.
void check_container_names(DecodeContext& context, const Value& value, const PodSpec& spec) {
  std::vector<std::string_view> names;
  for (const auto* containers : {&spec.init_containers, &spec.containers})
    for (const Container& container : *containers)
      if (!container.name.empty()) names.push_back(container.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    context.error(value, "Two containers are named \"" + std::string(*twice) + "\"; rename one.");
}

void read_claim_volume(DecodeContext& context, const Value& value, Volume& out) {
  static const FieldTable<Volume> kFields(
      {{"claimName", member<&Volume::persistent_volume_claim>}, {"readOnly", member<&Volume::read_only>}}, {});
  kFields.read(context, value, out);
  if (value.is_object() && out.persistent_volume_claim.empty())
    context.error(value, "claimName is missing; name the PersistentVolumeClaim.");
}

void read_claim_template(DecodeContext& context, const Value& value, Volume& out) {
  PersistentVolumeClaim claim;
  read(context, value, claim);
  out.claim_template = std::move(claim);
}

void read_ephemeral_volume(DecodeContext& context, const Value& value, Volume& out) {
  static const FieldTable<Volume> kFields({{"volumeClaimTemplate", read_claim_template}}, {});
  kFields.read(context, value, out);
  out.ephemeral = true;
}

void read_image_volume(DecodeContext& context, const Value& value, Volume& out) {
  static const FieldTable<Volume> kFields({{"reference", member<&Volume::image>}}, {"pullPolicy"});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, Volume& out) {
  static const FieldTable<Volume> kFields({{"name", member<&Volume::name>},
                                           {"persistentVolumeClaim", read_claim_volume},
                                           {"ephemeral", read_ephemeral_volume},
                                           {"image", read_image_volume}},
                                          {"hostPath",
                                           "emptyDir",
                                           "gcePersistentDisk",
                                           "awsElasticBlockStore",
                                           "gitRepo",
                                           "secret",
                                           "nfs",
                                           "iscsi",
                                           "glusterfs",
                                           "rbd",
                                           "flexVolume",
                                           "cinder",
                                           "cephfs",
                                           "flocker",
                                           "downwardAPI",
                                           "fc",
                                           "azureFile",
                                           "configMap",
                                           "vsphereVolume",
                                           "quobyte",
                                           "azureDisk",
                                           "photonPersistentDisk",
                                           "projected",
                                           "portworxVolume",
                                           "scaleIO",
                                           "storageos",
                                           "csi"});
  kFields.read(context, value, out);
}

void read_volumes(DecodeContext& context, const Value& value, PodSpec& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read(context, value.items()[i], out.volumes.emplace_back());
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

// With hostNetwork every port is a port of the host, of the same number.
void default_host_ports(DecodeContext& context, const Value& spec, std::string_view list,
                        std::vector<Container>& containers) {
  const DecodeContext::Scope scope(context, list);
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const DecodeContext::Scope container(context, i);
    const DecodeContext::Scope field(context, "ports");
    for (std::size_t j = 0; j < containers[i].ports.size(); ++j) {
      ContainerPort& port = containers[i].ports[j];
      if (port.host_port == 0) port.host_port = port.container_port;
      if (port.host_port == port.container_port) continue;
      const DecodeContext::Scope index(context, j);
      context.error(spec.find(list)->items()[i].find("ports")->items()[j],
                    "With hostNetwork the hostPort (" + std::to_string(port.host_port) +
                        ") must be the containerPort (" + std::to_string(port.container_port) +
                        "); make them equal, or remove hostPort.");
    }
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

void read(DecodeContext& context, const Value& value, PodResourceClaimStatus& out) {
  static const FieldTable<PodResourceClaimStatus> kFields(
      {{"name", member<&PodResourceClaimStatus::name>},
       {"resourceClaimName", member<&PodResourceClaimStatus::resource_claim_name>}},
      {});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, PodSpec& out) {
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
       {"priorityClassName", member<&PodSpec::priority_class_name>},
       {"priority", member<&PodSpec::priority>},
       {"preemptionPolicy", member<&PodSpec::preemption_policy>},
       {"restartPolicy", member<&PodSpec::restart_policy>},
       {"schedulingGroup", read_scheduling_group},
       {"workloadRef", read_workload_reference},
       {"hostNetwork", member<&PodSpec::host_network>}},
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
       "runtimeClassName",
       "enableServiceLinks",
       "setHostnameAsFQDN",
       "os",
       "hostUsers",
       "hostnameOverride",
       "evictionResponders"});
  const std::int32_t before = context.errors();
  kFields.read(context, value, out);
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

namespace {

const FieldTable<ContainerStatus>& terminated_fields() {
  static const FieldTable<ContainerStatus> kFields(
      {{"exitCode", member<&ContainerStatus::exit_code>}},
      {"signal", "reason", "message", "startedAt", "finishedAt", "containerID"});
  return kFields;
}

const FieldTable<ContainerStatus>& container_state_fields() {
  static const FieldTable<ContainerStatus> kFields({{"terminated", inner<ContainerStatus, terminated_fields>}},
                                                   {"waiting", "running"});
  return kFields;
}

void read(DecodeContext& context, const Value& value, ContainerStatus& out) {
  static const FieldTable<ContainerStatus> kFields(
      {{"name", member<&ContainerStatus::name>},
       {"allocatedResources", member<&ContainerStatus::allocated_resources>},
       {"resources", member<&ContainerStatus::resources>},
       {"restartCount", member<&ContainerStatus::restart_count>},
       {"state", inner<ContainerStatus, container_state_fields>}},
      {"lastState", "ready", "image", "imageID", "containerID", "started", "volumeMounts", "user",
       "allocatedResourcesStatus", "stopSignal"});
  kFields.read(context, value, out);
}

template <std::vector<ContainerStatus> PodStatus::* kList>
void read_statuses(DecodeContext& context, const Value& value, PodStatus& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read(context, value.items()[i], (out.*kList).emplace_back());
  }
}

void read_request_mappings(DecodeContext& context, const Value& value, PodExtendedResourceClaimStatus& out) {
  using Mapping = ContainerExtendedResourceRequest;
  static const FieldTable<Mapping> kFields({{"containerName", member<&Mapping::container_name>},
                                            {"resourceName", member<&Mapping::resource_name>},
                                            {"requestName", member<&Mapping::request_name>}},
                                           {});
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    kFields.read(context, value.items()[i], out.request_mappings.emplace_back());
  }
}

void read_extended_claim(DecodeContext& context, const Value& value, PodStatus& out) {
  using Status = PodExtendedResourceClaimStatus;
  static const FieldTable<Status> kFields(
      {{"resourceClaimName", member<&Status::resource_claim_name>}, {"requestMappings", read_request_mappings}}, {});
  kFields.read(context, value, out.extended_resource_claim_status.emplace());
}

void read_status(DecodeContext& context, const Value& value, Pod& out) {
  static const FieldTable<PodStatus> kFields(
      {{"phase", member<&PodStatus::phase>},
       {"nominatedNodeName", member<&PodStatus::nominated_node_name>},
       {"startTime", time_member<&PodStatus::start_time>},
       {"conditions", member<&PodStatus::conditions>},
       {"initContainerStatuses", read_statuses<&PodStatus::init_container_statuses>},
       {"containerStatuses", read_statuses<&PodStatus::container_statuses>},
       {"allocatedResources", member<&PodStatus::allocated_resources>},
       {"resources", member<&PodStatus::resources>},
       {"resourceClaimStatuses", member<&PodStatus::resource_claim_statuses>},
       {"extendedResourceClaimStatus", read_extended_claim}},
      {"observedGeneration", "message", "reason", "hostIP", "hostIPs", "podIP", "podIPs", "qosClass",
       "ephemeralContainerStatuses", "resize", "nodeAllocatableResourceClaimStatuses", "volumeHealth"});
  kFields.read(context, value, out.status);
}

}  // namespace

void read(DecodeContext& context, const Value& value, Pod& out) {
  static const FieldTable<Pod> kFields(
      {{"metadata", member<&Pod::metadata>}, {"spec", member<&Pod::spec>}, {"status", read_status}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
  if (!is_given(value, "spec")) context.error(value, "The pod has no spec; add one with its containers.");
}

}  // namespace berth::api
