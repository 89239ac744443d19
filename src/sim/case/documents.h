// A document of a case as typed objects, with the case's own annotations taken out.
#pragma once

#include <cstdint>
#include <optional>

#include "api/objects.h"
#include "base/result.h"
#include "sim/case/case_file.h"

namespace berth::sim {

inline constexpr const char* kAtAnnotation = "case.test/at";
inline constexpr const char* kRunsForAnnotation = "case.test/runs-for";

struct CaseObjects {
  api::ObjectSet objects;
  std::optional<std::int64_t> at;  // case.test/at
};

// Errors: what the loader says of the document, a kind this version does not schedule, an annotation that is no number.
[[nodiscard]] Result<CaseObjects> read_case_document(const CaseFile::Document& document, std::string_view file,
                                                     const api::FeatureGates& gates);

// Calls visit(vector of Read<T>, "Kind") for every list of the set.
template <class Set, class Visit>
void for_each_list(Set& objects, Visit visit) {
  visit(objects.nodes, "Node");
  visit(objects.pods, "Pod");
  visit(objects.namespaces, "Namespace");
  visit(objects.services, "Service");
  visit(objects.persistent_volumes, "PersistentVolume");
  visit(objects.persistent_volume_claims, "PersistentVolumeClaim");
  visit(objects.storage_classes, "StorageClass");
  visit(objects.csi_drivers, "CSIDriver");
  visit(objects.csi_storage_capacities, "CSIStorageCapacity");
  visit(objects.runtime_classes, "RuntimeClass");
  visit(objects.limit_ranges, "LimitRange");
  visit(objects.deployments, "Deployment");
  visit(objects.replica_sets, "ReplicaSet");
  visit(objects.replication_controllers, "ReplicationController");
  visit(objects.stateful_sets, "StatefulSet");
  visit(objects.daemon_sets, "DaemonSet");
  visit(objects.jobs, "Job");
  visit(objects.cron_jobs, "CronJob");
  visit(objects.pod_disruption_budgets, "PodDisruptionBudget");
  visit(objects.resource_quotas, "ResourceQuota");
  visit(objects.priority_classes, "PriorityClass");
  visit(objects.workloads, "Workload");
  visit(objects.pod_groups, "PodGroup");
  visit(objects.composite_pod_groups, "CompositePodGroup");
  visit(objects.resource_slices, "ResourceSlice");
  visit(objects.device_classes, "DeviceClass");
  visit(objects.resource_claims, "ResourceClaim");
  visit(objects.resource_claim_templates, "ResourceClaimTemplate");
  visit(objects.device_taint_rules, "DeviceTaintRule");
  visit(objects.compute_domains, "ComputeDomain");
  visit(objects.volcano_pod_groups, "PodGroup");
  visit(objects.volcano_queues, "Queue");
  visit(objects.volcano_jobs, "Job");
  visit(objects.volcano_cron_jobs, "CronJob");
  visit(objects.volcano_commands, "Command");
  visit(objects.job_flows, "JobFlow");
  visit(objects.job_templates, "JobTemplate");
  visit(objects.hyper_nodes, "HyperNode");
  visit(objects.numatopologies, "Numatopology");
}

// Moves everything behind what is there.
void append(api::ObjectSet& to, api::ObjectSet&& from);

// Takes the annotation out and reads it as whole seconds; none if it is absent. Errors: not a number.
[[nodiscard]] Result<std::optional<std::int64_t>> take_seconds(api::ObjectMeta& metadata, const char* annotation);

}  // namespace berth::sim
