// Node, Namespace, Service, PriorityClass and what describes volumes.
#include "api/decode_fields.h"
#include "api/decode_objects.h"
#include "api/selector.h"

namespace berth::api {
namespace {

void read_node_spec(DecodeContext& context, const Value& value, Node& out) {
  static const FieldTable<Node> kFields(
      {{"unschedulable", member<&Node::unschedulable>}, {"taints", member<&Node::taints>}},
      {"podCIDR", "podCIDRs", "providerID", "configSource", "externalID", "podPreemptionPolicy"});
  kFields.read(context, value, out);
}

// What no image can be is counted as nothing: scores add sizes up.
void read_size(DecodeContext& context, const Value& value, ContainerImage& out) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50U;
  read(context, value, out.size_bytes);
  if (out.size_bytes >= 0 && out.size_bytes <= kMost) return;
  context.remark(value, std::to_string(out.size_bytes) +
                            " bytes are no size of an image; it counts as empty, so correct the node's status.");
  out.size_bytes = 0;
}

void read_images(DecodeContext& context, const Value& value, Node& out) {
  static const FieldTable<ContainerImage> kFields({{"names", member<&ContainerImage::names>}, {"sizeBytes", read_size}},
                                                  {});
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    kFields.read(context, value.items()[i], out.images.emplace_back());
  }
}

// Allocatable is never more than capacity; a node that says so is read with its capacity.
void cap_allocatable(DecodeContext& context, const Value& value, Node& out) {
  for (auto& [resource, amount] : out.allocatable) {
    const auto capacity = out.capacity.find(resource);
    if (capacity == out.capacity.end() || amount <= capacity->second) continue;
    const DecodeContext::Scope allocatable(context, "allocatable");
    const DecodeContext::Scope key(context, resource, DecodeContext::Scope::kMapKey);
    context.remark(value, "The node offers " + amount.to_string() + " of " + resource + ", more than its capacity of " +
                              capacity->second.to_string() + "; the capacity was used, so correct the node's status.");
    amount = capacity->second;
  }
}

void read_node_status(DecodeContext& context, const Value& value, Node& out) {
  static const FieldTable<Node> kFields({{"capacity", member<&Node::capacity>},
                                         {"allocatable", member<&Node::allocatable>},
                                         {"conditions", member<&Node::conditions>},
                                         {"images", read_images},
                                         {"declaredFeatures", member<&Node::declared_features>}},
                                        {"phase", "addresses", "daemonEndpoints", "nodeInfo", "volumesInUse",
                                         "volumesAttached", "config", "runtimeHandlers", "features"});
  kFields.read(context, value, out);
  const Value* allocatable = value.find("allocatable");
  if (allocatable == nullptr || allocatable->is_null()) out.allocatable = out.capacity;
  cap_allocatable(context, value, out);
}

void read_service_spec(DecodeContext& context, const Value& value, Service& out) {
  static const FieldTable<Service> kFields({{"selector", member<&Service::selector>}}, {"ports",
                                                                                        "clusterIP",
                                                                                        "clusterIPs",
                                                                                        "type",
                                                                                        "externalIPs",
                                                                                        "sessionAffinity",
                                                                                        "loadBalancerIP",
                                                                                        "loadBalancerSourceRanges",
                                                                                        "externalName",
                                                                                        "externalTrafficPolicy",
                                                                                        "healthCheckNodePort",
                                                                                        "publishNotReadyAddresses",
                                                                                        "sessionAffinityConfig",
                                                                                        "topologyKeys",
                                                                                        "ipFamily",
                                                                                        "ipFamilies",
                                                                                        "ipFamilyPolicy",
                                                                                        "allocateLoadBalancerNodePorts",
                                                                                        "loadBalancerClass",
                                                                                        "internalTrafficPolicy",
                                                                                        "trafficDistribution"});
  kFields.read(context, value, out);
}

const FieldTable<PersistentVolume>& volume_affinity_fields() {
  static const FieldTable<PersistentVolume> kFields({{"required", member<&PersistentVolume::node_affinity>}}, {});
  return kFields;
}

const FieldTable<PersistentVolume>& claim_reference_fields() {
  static const FieldTable<PersistentVolume> kFields({{"namespace", member<&PersistentVolume::claim_namespace>},
                                                     {"name", member<&PersistentVolume::claim_name>},
                                                     {"uid", member<&PersistentVolume::claim_uid>}},
                                                    {"kind", "apiVersion", "resourceVersion", "fieldPath"});
  return kFields;
}

const FieldTable<PersistentVolume>& volume_spec_fields() {
  static const FieldTable<PersistentVolume> kFields(
      {{"capacity", member<&PersistentVolume::capacity>},
       {"accessModes", member<&PersistentVolume::access_modes>},
       {"claimRef", inner<PersistentVolume, claim_reference_fields>},
       {"storageClassName", member<&PersistentVolume::storage_class_name>},
       {"volumeMode", member<&PersistentVolume::volume_mode>},
       {"volumeAttributesClassName", member<&PersistentVolume::volume_attributes_class_name>},
       {"nodeAffinity", inner<PersistentVolume, volume_affinity_fields>}},
      {"persistentVolumeReclaimPolicy",
       "mountOptions",
       "gcePersistentDisk",
       "awsElasticBlockStore",
       "hostPath",
       "glusterfs",
       "nfs",
       "rbd",
       "iscsi",
       "cinder",
       "cephfs",
       "fc",
       "flocker",
       "flexVolume",
       "azureFile",
       "vsphereVolume",
       "quobyte",
       "azureDisk",
       "photonPersistentDisk",
       "portworxVolume",
       "scaleIO",
       "local",
       "storageos",
       "csi"});
  return kFields;
}

const FieldTable<PersistentVolume>& volume_status_fields() {
  static const FieldTable<PersistentVolume> kFields({{"phase", member<&PersistentVolume::phase>}},
                                                    {"message", "reason", "lastPhaseTransitionTime"});
  return kFields;
}

const FieldTable<PersistentVolumeClaim>& claim_resources_fields() {
  static const FieldTable<PersistentVolumeClaim> kFields({{"requests", member<&PersistentVolumeClaim::requests>}},
                                                         {"limits", "claims"});
  return kFields;
}

const FieldTable<PersistentVolumeClaim>& claim_spec_fields() {
  static const FieldTable<PersistentVolumeClaim> kFields(
      {{"accessModes", member<&PersistentVolumeClaim::access_modes>},
       {"selector", member<&PersistentVolumeClaim::selector>},
       {"resources", inner<PersistentVolumeClaim, claim_resources_fields>},
       {"volumeName", member<&PersistentVolumeClaim::volume_name>},
       {"storageClassName", member<&PersistentVolumeClaim::storage_class_name>},
       {"volumeMode", member<&PersistentVolumeClaim::volume_mode>},
       {"volumeAttributesClassName", member<&PersistentVolumeClaim::volume_attributes_class_name>}},
      {"dataSource", "dataSourceRef"});
  return kFields;
}

const FieldTable<PersistentVolumeClaim>& claim_status_fields() {
  static const FieldTable<PersistentVolumeClaim> kFields(
      {{"phase", member<&PersistentVolumeClaim::phase>}},
      {"accessModes", "capacity", "conditions", "allocatedResources", "resizeStatus", "allocatedResourceStatuses",
       "currentVolumeAttributesClassName", "modifyVolumeStatus", "healthStatus"});
  return kFields;
}

// Each term is a conjunction of "label in values".
void read_topologies(DecodeContext& context, const Value& value, StorageClass& out) {
  static const FieldTable<SelectorRequirement> kRequirement(
      {{"key", member<&SelectorRequirement::key>}, {"values", member<&SelectorRequirement::values>}}, {});
  static const FieldTable<NodeSelectorTerm> kTerm(
      {{"matchLabelExpressions",
        [](DecodeContext& inside, const Value& list, NodeSelectorTerm& term) {
          if (!list.is_array()) return inside.wrong_kind(list, "an array");
          for (std::size_t i = 0; i < list.size(); ++i) {
            const DecodeContext::Scope scope(inside, i);
            kRequirement.read(inside, list.items()[i], term.match_expressions.emplace_back());
          }
        }}},
      {});
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    kTerm.read(context, value.items()[i], out.allowed_topologies.emplace_back());
  }
}

bool is_true(const StringMap& annotations, std::string_view key) {
  const auto found = annotations.find(key);
  return found != annotations.end() && found->second == "true";
}

}  // namespace

void read(DecodeContext& context, const Value& value, Node& out) {
  static const FieldTable<Node> kFields(
      {{"metadata", member<&Node::metadata>}, {"spec", read_node_spec}, {"status", read_node_status}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, Namespace& out) {
  static const FieldTable<Namespace> kFields({{"metadata", member<&Namespace::metadata>}},
                                             {"apiVersion", "kind", "spec", "status"});
  kFields.read(context, value, out);
  const Value* metadata = value.find("metadata");
  // What is no name of an object at all is told with the names of all objects.
  if (auto fault = namespace_fault(out.metadata.name); fault && !object_name_fault(out.metadata.name)) {
    const DecodeContext::Scope section(context, "metadata");
    const DecodeContext::Scope field(context, "name");
    context.error(*metadata->find("name"), *std::move(fault));  // it has a name, so there is one
  }
  if (!out.metadata.name.empty()) out.metadata.labels["kubernetes.io/metadata.name"] = out.metadata.name;
}

void read(DecodeContext& context, const Value& value, Service& out) {
  static const FieldTable<Service> kFields({{"metadata", member<&Service::metadata>}, {"spec", read_service_spec}},
                                           {"apiVersion", "kind", "status"});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, PersistentVolume& out) {
  static const FieldTable<PersistentVolume> kFields({{"metadata", member<&PersistentVolume::metadata>},
                                                     {"spec", inner<PersistentVolume, volume_spec_fields>},
                                                     {"status", inner<PersistentVolume, volume_status_fields>}},
                                                    {"apiVersion", "kind"});
  kFields.read(context, value, out);
}

void read_spec(DecodeContext& context, const Value& value, PersistentVolumeClaim& out) {
  claim_spec_fields().read(context, value, out);
}

void read(DecodeContext& context, const Value& value, PersistentVolumeClaim& out) {
  static const FieldTable<PersistentVolumeClaim> kFields(
      {{"metadata", member<&PersistentVolumeClaim::metadata>},
       {"spec", inner<PersistentVolumeClaim, claim_spec_fields>},
       {"status", inner<PersistentVolumeClaim, claim_status_fields>}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
  // What the class was named by before the field existed.
  const auto legacy = out.metadata.annotations.find("volume.beta.kubernetes.io/storage-class");
  if (!out.storage_class_name && legacy != out.metadata.annotations.end()) out.storage_class_name = legacy->second;
}

void read(DecodeContext& context, const Value& value, StorageClass& out) {
  static const FieldTable<StorageClass> kFields(
      {{"metadata", member<&StorageClass::metadata>},
       {"provisioner", member<&StorageClass::provisioner>},
       {"volumeBindingMode", member<&StorageClass::volume_binding_mode>},
       {"allowedTopologies", read_topologies}},
      {"apiVersion", "kind", "parameters", "reclaimPolicy", "mountOptions", "allowVolumeExpansion"});
  kFields.read(context, value, out);
  out.is_default = is_true(out.metadata.annotations, "storageclass.kubernetes.io/is-default-class") ||
                   is_true(out.metadata.annotations, "storageclass.beta.kubernetes.io/is-default-class");
}

void read(DecodeContext& context, const Value& value, PriorityClass& out) {
  static const FieldTable<PriorityClass> kFields({{"metadata", member<&PriorityClass::metadata>},
                                                  {"value", member<&PriorityClass::value>},
                                                  {"globalDefault", member<&PriorityClass::global_default>},
                                                  {"preemptionPolicy", member<&PriorityClass::preemption_policy>}},
                                                 {"apiVersion", "kind", "description"});
  kFields.read(context, value, out);
}

}  // namespace berth::api
