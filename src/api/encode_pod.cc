#include "api/encode.h"
#include "api/encode_parts.h"

namespace berth::api {
namespace {

using encoding::array_member;
using encoding::enum_member;
using encoding::object_member;
using encoding::resources_member;
using encoding::text_member;
using encoding::texts_member;
using text::Writer;

void requirements_member(Writer& out, const ResourceRequirements& resources) {
  if (resources == ResourceRequirements{}) return;
  object_member(out, "resources", [&] {
    resources_member(out, "requests", resources.requests);
    resources_member(out, "limits", resources.limits);
    array_member(out, "claims", resources.claims, [](Writer& writer, const ResourceClaimReference& claim) {
      writer.begin_object();
      writer.member("name", claim.name);
      text_member(writer, "request", claim.request);
      writer.end_object();
    });
  });
}

// Requirements whose presence means something even where they are empty.
void optional_requirements_member(Writer& out, const std::optional<ResourceRequirements>& resources) {
  if (!resources) return;
  if (*resources == ResourceRequirements{}) {
    object_member(out, "resources", [] {});
  } else {
    requirements_member(out, *resources);
  }
}

void write_port(Writer& out, const ContainerPort& port) {
  out.begin_object();
  if (port.container_port != 0) out.member("containerPort", port.container_port);
  if (port.host_port != 0) out.member("hostPort", port.host_port);
  text_member(out, "hostIP", port.host_ip);
  enum_member(out, "protocol", port.protocol);
  out.end_object();
}

void write_container(Writer& out, const Container& container) {
  out.begin_object();
  text_member(out, "name", container.name);
  text_member(out, "image", container.image);
  requirements_member(out, container.resources);
  array_member(out, "ports", container.ports, write_port);
  if (container.restart_always) out.member("restartPolicy", "Always");
  if (!container.restarts_all) return out.end_object();
  out.key("restartPolicyRules");
  out.begin_array();
  out.begin_object();
  out.member("action", "RestartAllContainers");
  out.end_object();
  out.end_array();
  out.end_object();
}

void write_spread(Writer& out, const TopologySpreadConstraint& constraint) {
  out.begin_object();
  out.member("maxSkew", constraint.max_skew);
  out.member("topologyKey", constraint.topology_key);
  enum_member(out, "whenUnsatisfiable", constraint.when_unsatisfiable);
  if (constraint.label_selector) {
    out.key("labelSelector");
    encoding::write_selector(out, *constraint.label_selector);
  }
  if (constraint.min_domains) out.member("minDomains", *constraint.min_domains);
  enum_member(out, "nodeAffinityPolicy", constraint.node_affinity_policy);
  enum_member(out, "nodeTaintsPolicy", constraint.node_taints_policy);
  texts_member(out, "matchLabelKeys", constraint.match_label_keys);
  out.end_object();
}

void write_volume(Writer& out, const Volume& volume) {
  out.begin_object();
  text_member(out, "name", volume.name);
  if (!volume.persistent_volume_claim.empty()) {
    object_member(out, "persistentVolumeClaim", [&] {
      out.member("claimName", volume.persistent_volume_claim);
      if (volume.read_only) out.flag("readOnly", true);
    });
  }
  if (volume.ephemeral) {
    object_member(out, "ephemeral", [&] {
      if (volume.claim_template.address() == nullptr) return;
      object_member(out, "volumeClaimTemplate", [&] {
        const PersistentVolumeClaim& claim = *volume.claim_template;
        object_member(out, "metadata", [&] {
          encoding::map_member(out, "labels", claim.metadata.labels);
          encoding::map_member(out, "annotations", claim.metadata.annotations);
        });
        object_member(out, "spec", [&] { encoding::claim_spec_members(out, claim); });
      });
    });
  }
  if (!volume.image.empty()) object_member(out, "image", [&] { out.member("reference", volume.image); });
  out.end_object();
}

void write_scheduling_group(Writer& out, const PodSchedulingGroup& group) {
  if (!group.pod_group_name.empty())
    object_member(out, "schedulingGroup", [&] { out.member("podGroupName", group.pod_group_name); });
  if (group.workload_name.empty()) return;
  object_member(out, "workloadRef", [&] {
    out.member("name", group.workload_name);
    out.member("podGroup", group.workload_group);
    text_member(out, "podGroupReplicaKey", group.workload_instance);
  });
}

void write_spec(Writer& out, const PodSpec& spec) {
  array_member(out, "initContainers", spec.init_containers, write_container);
  array_member(out, "containers", spec.containers, write_container);
  resources_member(out, "overhead", spec.overhead);
  optional_requirements_member(out, spec.resources);
  text_member(out, "nodeName", spec.node_name);
  encoding::map_member(out, "nodeSelector", spec.node_selector);
  encoding::affinity_member(out, spec.affinity);
  array_member(out, "tolerations", spec.tolerations, encoding::write_toleration<Toleration>);
  array_member(out, "topologySpreadConstraints", spec.topology_spread_constraints, write_spread);
  array_member(out, "schedulingGates", spec.scheduling_gates, [](Writer& writer, const std::string& gate) {
    writer.begin_object();
    writer.member("name", gate);
    writer.end_object();
  });
  array_member(out, "volumes", spec.volumes, write_volume);
  array_member(out, "resourceClaims", spec.resource_claims, encoding::write_claim);
  text_member(out, "schedulerName", spec.scheduler_name);
  text_member(out, "runtimeClassName", spec.runtime_class_name);
  text_member(out, "priorityClassName", spec.priority_class_name);
  if (spec.priority) out.member("priority", *spec.priority);
  if (spec.preemption_policy) enum_member(out, "preemptionPolicy", *spec.preemption_policy);
  write_scheduling_group(out, *spec.scheduling_group);
  enum_member(out, "restartPolicy", spec.restart_policy);
  if (spec.host_network) out.flag("hostNetwork", true);
  if (!spec.host_users) out.flag("hostUsers", false);
}

void write_status(Writer& out, const ContainerStatus& status) {
  out.begin_object();
  text_member(out, "name", status.name);
  resources_member(out, "allocatedResources", status.allocated_resources);
  optional_requirements_member(out, status.resources);
  if (status.restart_count != 0) out.member("restartCount", status.restart_count);
  if (status.exit_code)
    object_member(out, "state",
                  [&] { object_member(out, "terminated", [&] { out.member("exitCode", *status.exit_code); }); });
  out.end_object();
}

void write_extended_claim(Writer& out, const PodExtendedResourceClaimStatus& status) {
  object_member(out, "extendedResourceClaimStatus", [&] {
    text_member(out, "resourceClaimName", status.resource_claim_name);
    array_member(out, "requestMappings", status.request_mappings,
                 [](Writer& writer, const ContainerExtendedResourceRequest& mapping) {
                   writer.begin_object();
                   writer.member("containerName", mapping.container_name);
                   writer.member("resourceName", mapping.resource_name);
                   writer.member("requestName", mapping.request_name);
                   writer.end_object();
                 });
  });
}

}  // namespace

namespace encoding {

void write_pod_template(Writer& out, const PodTemplate& from) {
  out.begin_object();
  object_member(out, "metadata", [&] {
    text_member(out, "name", from.metadata.name);
    map_member(out, "labels", from.metadata.labels);
    map_member(out, "annotations", from.metadata.annotations);
  });
  object_member(out, "spec", [&] { write_spec(out, from.spec); });
  out.end_object();
}

}  // namespace encoding

void write(Writer& out, const Pod& pod) {
  encoding::begin(out, "v1", "Pod", pod.metadata);
  object_member(out, "spec", [&] { write_spec(out, pod.spec); });
  object_member(out, "status", [&] {
    enum_member(out, "phase", pod.status.phase);
    text_member(out, "nominatedNodeName", pod.status.nominated_node_name);
    encoding::time_member(out, "startTime", pod.status.start_time);
    array_member(out, "conditions", pod.status.conditions, encoding::write_condition);
    array_member(out, "initContainerStatuses", pod.status.init_container_statuses, write_status);
    array_member(out, "containerStatuses", pod.status.container_statuses, write_status);
    array_member(out, "resourceClaimStatuses", pod.status.resource_claim_statuses, encoding::write_claim_status);
    if (pod.status.extended_resource_claim_status)
      write_extended_claim(out, *pod.status.extended_resource_claim_status);
  });
  out.end_object();
}

}  // namespace berth::api
