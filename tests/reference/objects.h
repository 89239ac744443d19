// Objects: one cluster as the API server would list it, in plain vectors. All that the slow twin reads.
#pragma once

#include <string_view>
#include <vector>

#include "api/core.h"
#include "api/storage.h"
#include "api/workloads.h"

namespace berth::reference {

struct Objects {
  std::vector<api::Node> nodes;
  std::vector<api::Pod> pods;  // bound, pending and finished ones
  std::vector<api::Namespace> namespaces;
  std::vector<api::Service> services;
  std::vector<api::ReplicationController> replication_controllers;
  std::vector<api::ReplicaSet> replica_sets;
  std::vector<api::StatefulSet> stateful_sets;
  std::vector<api::PersistentVolume> volumes;
  std::vector<api::PersistentVolumeClaim> claims;
  std::vector<api::StorageClass> storage_classes;
  std::vector<api::CsiDriver> csi_drivers;
  std::vector<api::CsiStorageCapacity> csi_storage_capacities;
  std::vector<api::PodDisruptionBudget> budgets;
};

// The resource of the GPU sharing studies: its units are cards of 1000 milli each.
inline constexpr std::string_view kCardResource = "alibabacloud.com/gpu-count";
// A pod with this annotation asks for so many milli of one card instead of whole cards.
inline constexpr std::string_view kCardShareAnnotation = "alibabacloud.com/gpu-milli";

}  // namespace berth::reference
