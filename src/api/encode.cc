#include "api/encode.h"

#include "api/encode_parts.h"

namespace berth::api {

using encoding::array_member;
using encoding::begin;
using encoding::enum_member;
using encoding::object_member;
using encoding::resources_member;
using encoding::text_member;
using text::Writer;

namespace {

void access_modes_member(Writer& out, const std::vector<AccessMode>& modes) {
  array_member(out, "accessModes", modes, [](Writer& writer, AccessMode mode) { writer.string(enum_name(mode)); });
}

void limit_member(Writer& out, std::string_view name, const std::optional<IntOrPercent>& limit) {
  if (!limit) return;
  if (limit->percent) {
    out.member(name, std::to_string(limit->value) + "%");
  } else {
    out.member(name, limit->value);
  }
}

}  // namespace

void encoding::claim_spec_members(Writer& out, const PersistentVolumeClaim& claim) {
  access_modes_member(out, claim.access_modes);
  object_member(out, "resources", [&] { resources_member(out, "requests", claim.requests); });
  if (claim.storage_class_name) out.member("storageClassName", *claim.storage_class_name);
  text_member(out, "volumeName", claim.volume_name);
  out.member("volumeMode", claim.volume_mode);
  text_member(out, "volumeAttributesClassName", claim.volume_attributes_class_name);
  if (claim.selector) {
    out.key("selector");
    write_selector(out, *claim.selector);
  }
}

void write(Writer& out, const Node& node) {
  begin(out, "v1", "Node", node.metadata);
  object_member(out, "spec", [&] {
    if (node.unschedulable) out.flag("unschedulable", true);
    array_member(out, "taints", node.taints, encoding::write_taint);
  });
  object_member(out, "status", [&] {
    resources_member(out, "capacity", node.capacity);
    // An empty list is written too: where there is none, it would be read as the capacity.
    object_member(out, "allocatable", [&] {
      for (const auto& [resource, amount] : node.allocatable) out.member(resource, amount.to_string());
    });
    array_member(out, "conditions", node.conditions, encoding::write_condition);
    array_member(out, "images", node.images, [](Writer& writer, const ContainerImage& image) {
      writer.begin_object();
      encoding::texts_member(writer, "names", image.names);
      writer.member("sizeBytes", image.size_bytes);
      writer.end_object();
    });
    encoding::texts_member(out, "declaredFeatures", node.declared_features);
  });
  out.end_object();
}

void write(Writer& out, const Namespace& name_space) {
  begin(out, "v1", "Namespace", name_space.metadata);
  out.end_object();
}

void write(Writer& out, const Service& service) {
  begin(out, "v1", "Service", service.metadata);
  object_member(out, "spec", [&] { encoding::map_member(out, "selector", service.selector); });
  out.end_object();
}

void write(Writer& out, const PersistentVolume& volume) {
  begin(out, "v1", "PersistentVolume", volume.metadata);
  object_member(out, "spec", [&] {
    resources_member(out, "capacity", volume.capacity);
    access_modes_member(out, volume.access_modes);
    text_member(out, "storageClassName", volume.storage_class_name);
    out.member("volumeMode", volume.volume_mode);
    text_member(out, "volumeAttributesClassName", volume.volume_attributes_class_name);
    if (volume.node_affinity) {
      object_member(out, "nodeAffinity", [&] {
        out.key("required");
        encoding::write_node_selector(out, *volume.node_affinity);
      });
    }
    if (!volume.claim_name.empty() || !volume.claim_namespace.empty() || !volume.claim_uid.empty()) {
      object_member(out, "claimRef", [&] {
        text_member(out, "namespace", volume.claim_namespace);
        text_member(out, "name", volume.claim_name);
        text_member(out, "uid", volume.claim_uid);
      });
    }
  });
  object_member(out, "status", [&] { text_member(out, "phase", volume.phase); });
  out.end_object();
}

void write(Writer& out, const PersistentVolumeClaim& claim) {
  begin(out, "v1", "PersistentVolumeClaim", claim.metadata);
  object_member(out, "spec", [&] { encoding::claim_spec_members(out, claim); });
  object_member(out, "status", [&] { text_member(out, "phase", claim.phase); });
  out.end_object();
}

void write(Writer& out, const StorageClass& storage_class) {
  begin(out, "storage.k8s.io/v1", "StorageClass", storage_class.metadata);
  text_member(out, "provisioner", storage_class.provisioner);
  enum_member(out, "volumeBindingMode", storage_class.volume_binding_mode);
  array_member(out, "allowedTopologies", storage_class.allowed_topologies,
               [](Writer& writer, const NodeSelectorTerm& term) {
                 writer.begin_object();
                 array_member(writer, "matchLabelExpressions", term.match_expressions,
                              [](Writer& inner, const SelectorRequirement& requirement) {
                                inner.begin_object();
                                inner.member("key", requirement.key);
                                encoding::texts_member(inner, "values", requirement.values);
                                inner.end_object();
                              });
                 writer.end_object();
               });
  out.end_object();
}

void write(Writer& out, const CsiDriver& driver) {
  begin(out, "storage.k8s.io/v1", "CSIDriver", driver.metadata);
  object_member(out, "spec", [&] {
    if (driver.storage_capacity) out.flag("storageCapacity", true);
  });
  out.end_object();
}

void write(Writer& out, const CsiStorageCapacity& capacity) {
  begin(out, "storage.k8s.io/v1", "CSIStorageCapacity", capacity.metadata);
  text_member(out, "storageClassName", capacity.storage_class_name);
  if (capacity.node_topology) {
    out.key("nodeTopology");
    encoding::write_selector(out, *capacity.node_topology);
  }
  if (capacity.capacity) out.member("capacity", capacity.capacity->to_string());
  if (capacity.maximum_volume_size) out.member("maximumVolumeSize", capacity.maximum_volume_size->to_string());
  out.end_object();
}

void write(Writer& out, const PriorityClass& priority_class) {
  begin(out, "scheduling.k8s.io/v1", "PriorityClass", priority_class.metadata);
  out.member("value", priority_class.value);
  if (priority_class.global_default) out.flag("globalDefault", true);
  enum_member(out, "preemptionPolicy", priority_class.preemption_policy);
  out.end_object();
}

void write(Writer& out, const ResourceQuota& quota) {
  begin(out, "v1", "ResourceQuota", quota.metadata);
  object_member(out, "spec", [&] {
    object_member(out, "hard", [&] {
      for (const auto& [resource, amount] : quota.hard) out.member(resource, amount.to_string());
    });
    // Which pods it counts is not kept; that it does not count all decides.
    if (quota.has_scope) encoding::texts_member(out, "scopes", {"NotBestEffort"});
  });
  out.end_object();
}

void write(Writer& out, const PodDisruptionBudget& budget) {
  begin(out, "policy/v1", "PodDisruptionBudget", budget.metadata);
  object_member(out, "spec", [&] {
    if (budget.selector) {
      out.key("selector");
      encoding::write_selector(out, *budget.selector);
    }
    limit_member(out, "minAvailable", budget.min_available);
    limit_member(out, "maxUnavailable", budget.max_unavailable);
  });
  object_member(out, "status", [&] {
    if (budget.disruptions_allowed) out.member("disruptionsAllowed", *budget.disruptions_allowed);
    if (budget.disrupted_pods.empty()) return;
    // When each eviction was granted is not known any more, and decides nothing.
    object_member(out, "disruptedPods", [&] {
      for (const std::string& pod : budget.disrupted_pods) out.member(pod, "1970-01-01T00:00:00Z");
    });
  });
  out.end_object();
}

void write_list(Writer& out, const ObjectSet& objects) {
  out.begin_object();
  out.member("apiVersion", "v1");
  out.member("kind", "List");
  out.key("items");
  out.begin_array();
  const auto all = [&out](const auto& list) {
    for (const auto& read : list) write(out, read.object);
  };
  all(objects.namespaces);
  all(objects.priority_classes);
  all(objects.nodes);
  all(objects.storage_classes);
  all(objects.csi_drivers);
  all(objects.csi_storage_capacities);
  all(objects.runtime_classes);
  all(objects.limit_ranges);
  all(objects.persistent_volumes);
  all(objects.persistent_volume_claims);
  all(objects.services);
  all(objects.pod_disruption_budgets);
  all(objects.resource_quotas);
  all(objects.workloads);
  all(objects.composite_pod_groups);
  all(objects.pod_groups);
  all(objects.resource_slices);
  all(objects.device_classes);
  all(objects.device_taint_rules);
  all(objects.resource_claim_templates);
  all(objects.resource_claims);
  all(objects.hyper_nodes);
  all(objects.numatopologies);
  all(objects.volcano_queues);
  all(objects.volcano_pod_groups);
  all(objects.volcano_jobs);
  all(objects.volcano_cron_jobs);
  all(objects.volcano_commands);
  all(objects.job_templates);
  all(objects.job_flows);
  all(objects.pods);
  out.end_array();
  out.end_object();
}

}  // namespace berth::api
