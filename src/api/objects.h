// ObjectSet: everything that was read, typed, in the order in which it was read.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/admission.h"
#include "api/core.h"
#include "api/nvidia.h"
#include "api/resource.h"
#include "api/scheduling.h"
#include "api/storage.h"
#include "api/volcano.h"
#include "api/workloads.h"
#include "base/result.h"

namespace berth::api {

// Each object with the place it was read from, so that a later remark can name file and document.
template <class T>
struct Read {
  T object;
  Place place;
};

struct ObjectSet {
  std::vector<Read<Node>> nodes;
  std::vector<Read<Pod>> pods;
  std::vector<Read<Namespace>> namespaces;
  std::vector<Read<Service>> services;
  std::vector<Read<PersistentVolume>> persistent_volumes;
  std::vector<Read<PersistentVolumeClaim>> persistent_volume_claims;
  std::vector<Read<StorageClass>> storage_classes;
  std::vector<Read<CsiDriver>> csi_drivers;
  std::vector<Read<CsiStorageCapacity>> csi_storage_capacities;
  std::vector<Read<RuntimeClass>> runtime_classes;
  std::vector<Read<LimitRange>> limit_ranges;
  std::vector<Read<Deployment>> deployments;
  std::vector<Read<ReplicaSet>> replica_sets;
  std::vector<Read<ReplicationController>> replication_controllers;
  std::vector<Read<StatefulSet>> stateful_sets;
  std::vector<Read<DaemonSet>> daemon_sets;
  std::vector<Read<Job>> jobs;
  std::vector<Read<CronJob>> cron_jobs;
  std::vector<Read<PodDisruptionBudget>> pod_disruption_budgets;
  std::vector<Read<ResourceQuota>> resource_quotas;
  std::vector<Read<PriorityClass>> priority_classes;
  std::vector<Read<Workload>> workloads;
  std::vector<Read<PodGroup>> pod_groups;
  std::vector<Read<CompositePodGroup>> composite_pod_groups;
  std::vector<Read<ResourceSlice>> resource_slices;
  std::vector<Read<DeviceClass>> device_classes;
  std::vector<Read<ResourceClaim>> resource_claims;
  std::vector<Read<ResourceClaimTemplate>> resource_claim_templates;
  std::vector<Read<DeviceTaintRule>> device_taint_rules;
  std::vector<Read<ComputeDomain>> compute_domains;
  std::vector<Read<volcano::PodGroup>> volcano_pod_groups;
  std::vector<Read<volcano::Queue>> volcano_queues;
  std::vector<Read<volcano::Job>> volcano_jobs;
  std::vector<Read<volcano::CronJob>> volcano_cron_jobs;
  std::vector<Read<volcano::Command>> volcano_commands;
  std::vector<Read<volcano::JobFlow>> job_flows;
  std::vector<Read<volcano::JobTemplate>> job_templates;
  std::vector<Read<volcano::HyperNode>> hyper_nodes;
  std::vector<Read<volcano::Numatopology>> numatopologies;
  // "Kind name" or "Kind namespace/name" of what was in the input and could not be read: it is missing for another
  // reason than that nobody gave it. Of very many, some.
  std::set<std::string, std::less<>> refused;

  // Any of this kind.
  [[nodiscard]] bool refused_any(std::string_view kind) const {
    const auto first = refused.lower_bound(std::string(kind) + ' ');
    return first != refused.end() && first->starts_with(std::string(kind) + ' ');
  }
};

}  // namespace berth::api
