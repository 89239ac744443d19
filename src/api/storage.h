// core/v1 PersistentVolume and PersistentVolumeClaim, storage.k8s.io/v1 StorageClass, CSIDriver and CSIStorageCapacity:
// as much as decides where a pod may run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/core.h"

namespace berth::api {

enum class AccessMode : std::uint8_t { kReadWriteOnce, kReadOnlyMany, kReadWriteMany, kReadWriteOncePod };

struct PersistentVolume {
  ObjectMeta metadata;
  ResourceList capacity;
  std::vector<AccessMode> access_modes;
  std::string storage_class_name;
  std::optional<NodeSelector> node_affinity;  // spec.nodeAffinity.required
  std::string claim_namespace;                // spec.claimRef; empty: free
  std::string claim_name;
  std::string claim_uid;  // empty: any claim of that name
  std::string phase;      // Available, Bound, Released, Failed
  std::string volume_mode = "Filesystem";
  std::string volume_attributes_class_name;  // empty: none
  bool operator==(const PersistentVolume&) const = default;
};

struct PersistentVolumeClaim {
  ObjectMeta metadata;
  std::vector<AccessMode> access_modes;
  ResourceList requests;
  std::optional<std::string> storage_class_name;  // none: the default class; "": no class
  std::string volume_name;                        // bound to this PersistentVolume
  std::optional<LabelSelector> selector;
  std::string phase;  // Pending, Bound, Lost
  std::string volume_mode = "Filesystem";
  std::string volume_attributes_class_name;  // empty: none
  bool operator==(const PersistentVolumeClaim&) const = default;
};

enum class VolumeBindingMode : std::uint8_t { kImmediate, kWaitForFirstConsumer };

struct StorageClass {
  ObjectMeta metadata;
  std::string provisioner;  // "kubernetes.io/no-provisioner": only existing volumes
  VolumeBindingMode volume_binding_mode = VolumeBindingMode::kImmediate;
  // allowedTopologies: alternatives, each a conjunction of "label in values".
  std::vector<NodeSelectorTerm> allowed_topologies;
  bool is_default = false;  // annotation storageclass.kubernetes.io/is-default-class
  bool operator==(const StorageClass&) const = default;
};

struct CsiDriver {
  ObjectMeta metadata;            // named like the provisioner of its classes
  bool storage_capacity = false;  // its volumes are made only where a CSIStorageCapacity has room for them
  bool operator==(const CsiDriver&) const = default;
};

// What a driver can still make of a class on the nodes of a topology.
struct CsiStorageCapacity {
  ObjectMeta metadata;
  std::string storage_class_name;
  std::optional<LabelSelector> node_topology;  // none: on no node
  std::optional<Quantity> capacity;
  std::optional<Quantity> maximum_volume_size;  // says more than capacity where it is set
  bool operator==(const CsiStorageCapacity&) const = default;
};

}  // namespace berth::api
