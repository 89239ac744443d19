#include "api/load.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/time.h"
#include "text/byte_source.h"
#include "text/input.h"

namespace berth::api {
namespace {

// The texts of all errors, one a line.
std::string errors_of(const Loaded& loaded) {
  std::string text;
  for (const Error& error : loaded.errors) text += error.to_string() + "\n";
  return text;
}

std::string remarks_of(const Loaded& loaded) {
  std::string text;
  for (const Error& remark : loaded.remarks) text += remark.to_string() + "\n";
  return text;
}

constexpr std::string_view kPod = R"(
apiVersion: v1
kind: Pod
metadata:
  name: train-0
  namespace: team-a
  uid: u-1
  labels: {app: train, tier: "1"}
  annotations: {note: hello}
  creationTimestamp: "2026-01-31T12:00:00Z"
  ownerReferences:
  - {apiVersion: batch/v1, kind: Job, name: train, uid: u-0, controller: true, blockOwnerDeletion: true}
  managedFields: [{manager: kubectl}]
spec:
  nodeName: node-1
  priority: 100
  priorityClassName: high
  preemptionPolicy: Never
  hostNetwork: true
  overhead: {cpu: 10m}
  nodeSelector: {zone: a}
  schedulingGates: [{name: example.com/gate}]
  tolerations:
  - {key: gpu, operator: Exists, effect: NoSchedule}
  - {operator: Exists}
  - {key: k, value: v, effect: NoExecute, tolerationSeconds: 30}
  topologySpreadConstraints:
  - maxSkew: 2
    topologyKey: zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: {matchLabels: {app: train}}
    nodeTaintsPolicy: Honor
    matchLabelKeys: [pod-template-hash]
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions: [{key: gpus, operator: Gt, values: ["4"]}]
          matchFields: [{key: metadata.name, operator: In, values: [node-1]}]
      preferredDuringSchedulingIgnoredDuringExecution:
      - {weight: 5, preference: {matchExpressions: [{key: a, operator: Exists}]}}
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - {topologyKey: kubernetes.io/hostname, labelSelector: {matchExpressions: [{key: app, operator: In, values: [web, db]}]}, namespaceSelector: {}}
  initContainers:
  - {name: side, restartPolicy: Always, resources: {requests: {cpu: 50m}}}
  containers:
  - name: main
    image: registry/train:1
    env: [{name: PASSWORD, value: secret}]
    command: [run]
    ports: [{containerPort: 8080, name: http}, {containerPort: 53, hostPort: 53, protocol: UDP, hostIP: 10.0.0.1}]
    resources:
      limits: {nvidia.com/gpu: 2, memory: 1.5Gi}
      requests: {cpu: "0.1"}
      claims: [{name: card, request: one}]
  resourceClaims: [{name: card, resourceClaimName: claim-1}]
  volumes:
  - {name: data, persistentVolumeClaim: {claimName: data-0, readOnly: true}}
  - {name: tmp, emptyDir: {}}
  - {name: scratch, ephemeral: {volumeClaimTemplate: {}}}
  - {name: model, image: {reference: models/one}}
status:
  phase: Running
  startTime: "2026-01-31T12:00:05Z"
  conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-01-31T12:00:09Z"}]
  containerStatuses: [{name: main, ready: true, allocatedResources: {cpu: 100m}, state: {running: {}}}]
)";

TEST(Load, ReadsAPod) {
  const Loaded loaded = load_text(kPod, "pod.yaml");
  EXPECT_EQ(errors_of(loaded), "");
  EXPECT_EQ(remarks_of(loaded), "");
  ASSERT_EQ(loaded.objects.pods.size(), 1U);
  const auto& [pod, place] = loaded.objects.pods[0];
  EXPECT_EQ(place.to_string(), "pod.yaml document 1 line 2 column 1: Pod team-a/train-0");
  EXPECT_EQ(pod.metadata.labels.at("tier"), "1");
  EXPECT_EQ(pod.metadata.creation_timestamp, parse_time("2026-01-31T12:00:00Z"));
  EXPECT_TRUE(pod.metadata.owner_references.at(0).controller);
  EXPECT_EQ(pod.spec.scheduler_name, "default-scheduler");
  EXPECT_EQ(pod.spec.priority, 100);
  EXPECT_EQ(pod.spec.preemption_policy, PreemptionPolicy::kNever);
  EXPECT_EQ(pod.spec.scheduling_gates, std::vector<std::string>{"example.com/gate"});
  EXPECT_TRUE(pod.spec.init_containers.at(0).restart_always);
  const Container& main = pod.spec.containers.at(0);
  EXPECT_EQ(main.resources.requests.at("nvidia.com/gpu").value(), 2) << "requests default from limits";
  EXPECT_EQ(main.resources.requests.at("memory").to_string(), "1536Mi");
  EXPECT_EQ(main.resources.requests.at("cpu").milli_value(), 100);
  EXPECT_EQ(main.ports.at(0).host_port, 8080) << "hostNetwork makes every port a host port";
  EXPECT_EQ(main.ports.at(1).protocol, Protocol::kUdp);
  EXPECT_EQ(main.resources.claims.at(0).request, "one");
  EXPECT_EQ(pod.spec.tolerations.at(0).effect, TaintEffect::kNoSchedule);
  EXPECT_EQ(pod.spec.tolerations.at(2).toleration_seconds, 30);
  EXPECT_EQ(pod.spec.topology_spread_constraints.at(0).node_taints_policy, InclusionPolicy::kHonor);
  EXPECT_EQ(pod.spec.affinity.node->required->terms.at(0).match_fields.at(0).key, "metadata.name");
  EXPECT_EQ(pod.spec.affinity.pod_anti->required.at(0).namespace_selector, LabelSelector{});
  EXPECT_EQ(pod.spec.resource_claims.at(0).resource_claim_name, "claim-1");
  EXPECT_EQ(pod.spec.volumes.at(0).persistent_volume_claim, "data-0");
  EXPECT_TRUE(pod.spec.volumes.at(0).read_only);
  EXPECT_TRUE(pod.spec.volumes.at(1).ephemeral);
  EXPECT_EQ(pod.spec.volumes.at(2).image, "models/one");
  EXPECT_EQ(pod.status.phase, PodPhase::kRunning);
  EXPECT_EQ(pod.status.container_statuses.at(0).allocated_resources.at("cpu").milli_value(), 100);
}

TEST(Load, ImagesOfImpossibleSizesCountAsEmptyAndAreRemarkedOn) {
  const Loaded loaded =
      load_text(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"images": [
      {"names": ["a"], "sizeBytes": -5}, {"names": ["b"], "sizeBytes": 9223372036854775807}, {"names": ["c"], "sizeBytes": 7}]}})");
  EXPECT_EQ(errors_of(loaded), "");
  EXPECT_NE(remarks_of(loaded).find("status.images[0].sizeBytes"), std::string::npos) << remarks_of(loaded);
  EXPECT_NE(remarks_of(loaded).find("status.images[1].sizeBytes"), std::string::npos) << remarks_of(loaded);
  const Node& node = loaded.objects.nodes.at(0).object;
  EXPECT_EQ(node.images.at(0).size_bytes + node.images.at(1).size_bytes, 0);
  EXPECT_EQ(node.images.at(2).size_bytes, 7);
}

TEST(Load, ReadsANodeAndItsDefaults) {
  const Loaded loaded = load_text(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "namespace": "x"},
    "spec": {"unschedulable": true, "taints": [{"key": "a", "effect": "NoExecute", "timeAdded": null}]},
    "status": {"capacity": {"cpu": 8, "memory": "16Gi", "nvidia.com/gpu": "8"}, "conditions": [{"type": "Ready", "status": "False"}],
      "images": [{"names": ["a", "b"], "sizeBytes": 123}], "nodeInfo": {"osImage": "x"}}})");
  EXPECT_EQ(errors_of(loaded) + remarks_of(loaded), "");
  const Node& node = loaded.objects.nodes.at(0).object;
  EXPECT_EQ(node.metadata.namespace_, "");
  EXPECT_TRUE(node.unschedulable);
  EXPECT_EQ(node.taints.at(0).effect, TaintEffect::kNoExecute);
  EXPECT_EQ(node.allocatable, node.capacity);
  EXPECT_EQ(node.images.at(0).size_bytes, 123);
}

TEST(Load, ReadsWorkloadsOfOldAndCurrentVersions) {
  const std::string pods = "template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c}]}}";
  const std::string ending =
      "template: {metadata: {labels: {a: b}}, spec: {restartPolicy: Never, containers: [{name: c}]}}";
  const Loaded loaded = load_text(
      "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {matchLabels: {a: b}}, " + pods +
          "}}\n---\n{apiVersion: extensions/v1beta1, kind: Deployment, metadata: {name: old}, spec: {replicas: 3, " +
          pods +
          "}}\n---\n{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {podManagementPolicy: "
          "Parallel, ordinals: {start: 2}, "
          "selector: {matchLabels: {a: b}}, volumeClaimTemplates: [{metadata: {name: v}, spec: {resources: {requests: "
          "{storage: 1Gi}}}}], " +
          pods + "}}\n---\n{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {" + ending +
          "}}\n---\n{apiVersion: batch/v1beta1, kind: CronJob, metadata: {name: c}, spec: {schedule: '* * * * *', "
          "jobTemplate: {metadata: {labels: {x: why}}, spec: {completionMode: Indexed, completions: 4, " +
          ending +
          "}}}}\n---\n{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: p}, spec: "
          "{minAvailable: 30%, selector: {}}}"
          "\n---\n{apiVersion: v1, kind: ReplicationController, metadata: {name: r}, spec: {" +
          pods + "}}\n",
      "x.yaml");
  EXPECT_EQ(errors_of(loaded) + remarks_of(loaded), "");
  ASSERT_EQ(loaded.objects.deployments.size(), 2U);
  EXPECT_EQ(loaded.objects.deployments[0].object.replicas, 1);
  EXPECT_EQ(loaded.objects.deployments[0].object.metadata.namespace_, "default");
  EXPECT_EQ(loaded.objects.deployments[1].object.selector.match_labels.at("a"), "b");
  const StatefulSet& set = loaded.objects.stateful_sets.at(0).object;
  EXPECT_TRUE(set.parallel);
  EXPECT_EQ(set.first_ordinal, 2);
  EXPECT_EQ(set.volume_claim_templates.at(0).requests.at("storage").to_string(), "1Gi");
  const Job& job = loaded.objects.jobs.at(0).object;
  EXPECT_EQ(job.spec.completions, 1);
  EXPECT_EQ(job.spec.parallelism, 1);
  EXPECT_EQ(job.metadata.labels.at("a"), "b");
  EXPECT_EQ(loaded.objects.cron_jobs.at(0).object.job_metadata.labels.at("x"), "why");
  EXPECT_EQ(loaded.objects.cron_jobs.at(0).object.job.completions, 4);
  const PodDisruptionBudget& budget = loaded.objects.pod_disruption_budgets.at(0).object;
  EXPECT_EQ(budget.min_available, (IntOrPercent{30, true}));
  EXPECT_EQ(budget.selector, std::nullopt);
  EXPECT_EQ(loaded.objects.replication_controllers.at(0).object.selector.at("a"), "b");
}

TEST(Load, ReadsWhatDecidesWhetherAJobMakesPods) {
  const Loaded loaded = load_text(R"(
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  completionMode: Indexed
  completions: 4
  backoffLimitPerIndex: 1
  maxFailedIndexes: 2
  managedBy: example.com/other
  podFailurePolicy:
    rules:
    - {action: Ignore, onPodConditions: [{type: DisruptionTarget}]}
    - {action: FailJob, onExitCodes: {containerName: main, operator: NotIn, values: [1, 2]}}
  successPolicy: {rules: [{succeededIndexes: "0-1", succeededCount: 1}]}
  template: {spec: {restartPolicy: Never, containers: [{name: main}]}}
status:
  startTime: "2026-01-31T12:00:00Z"
  failedIndexes: "3"
  uncountedTerminatedPods: {succeeded: [a], failed: [b, c]}
)",
                                  "x.yaml");
  EXPECT_EQ(errors_of(loaded) + remarks_of(loaded), "");
  const Job& job = loaded.objects.jobs.at(0).object;
  EXPECT_EQ(job.spec.backoff_limit_per_index, 1);
  EXPECT_EQ(job.spec.max_failed_indexes, 2);
  EXPECT_EQ(job.spec.managed_by, "example.com/other");
  EXPECT_TRUE(job.spec.replace_failed_only);  // the default beside a podFailurePolicy
  ASSERT_EQ(job.spec.pod_failure_policy->size(), 2U);
  EXPECT_EQ(job.spec.pod_failure_policy->at(0).on_pod_conditions.at(0).status, "True");
  EXPECT_EQ(job.spec.pod_failure_policy->at(1).on_exit_codes, (PodFailureExitCodes{"main", false, {1, 2}}));
  EXPECT_EQ(job.spec.success_policy, (std::vector{SuccessRule{"0-1", 1}}));
  EXPECT_EQ(job.status.start_time, parse_time("2026-01-31T12:00:00Z"));
  EXPECT_EQ(job.status.failed_indexes, "3");
  EXPECT_EQ(job.status.uncounted_succeeded, 1);
  EXPECT_EQ(job.status.uncounted_failed, 2);
}

TEST(Load, ReadsWhatDecidesWhetherACronJobMakesAJob) {
  const Loaded loaded = load_text(
      "{apiVersion: batch/v1, kind: CronJob, metadata: {name: c}, spec: {schedule: '@daily', timeZone: Asia/Tokyo, "
      "concurrencyPolicy: Replace, startingDeadlineSeconds: 30, jobTemplate: {spec: {template: {spec: "
      "{restartPolicy: OnFailure, containers: [{name: c}]}}}}}, status: {active: [{apiVersion: batch/v1, kind: Job, "
      "namespace: default, name: c-1, uid: u}]}}",
      "x.yaml");
  EXPECT_EQ(errors_of(loaded) + remarks_of(loaded), "");
  const CronJob& cron = loaded.objects.cron_jobs.at(0).object;
  EXPECT_EQ(cron.concurrency_policy, ConcurrencyPolicy::kReplace);
  EXPECT_EQ(cron.starting_deadline_seconds, 30);
  EXPECT_EQ(cron.active, (std::vector<std::string>{"c-1"}));
}

TEST(Load, ReadsTheStrategyOfADeployment) {
  const auto with = [](const std::string& strategy) {
    return load_text(
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {matchLabels: "
        "{a: b}}, strategy: " +
            strategy + ", template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c}]}}}}",
        "x.yaml");
  };
  EXPECT_EQ(with("{type: RollingUpdate, rollingUpdate: {maxSurge: 2}}").objects.deployments.at(0).object.max_surge,
            (IntOrPercent{2, false}));
  EXPECT_TRUE(with("{type: Recreate}").objects.deployments.at(0).object.recreate);
  EXPECT_EQ(with("{}").objects.deployments.at(0).object.max_surge, (IntOrPercent{25, true}));
  EXPECT_NE(errors_of(with("{type: Sudden}")).find("spec.strategy.type"), std::string::npos);
}

TEST(Load, ReadsStorage) {
  const Loaded loaded = load_text(R"(
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
spec: {capacity: {storage: 1Ti}, accessModes: [ReadWriteOncePod], claimRef: {namespace: team, name: c, uid: u}, local: {path: /x}, volumeAttributesClassName: gold,
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [a]}]}]}}}
status: {phase: Bound}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: c, namespace: team, annotations: {volume.beta.kubernetes.io/storage-class: legacy}}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, volumeName: pv, volumeAttributesClassName: silver}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: sc, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a, b]}]}]
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1000, globalDefault: true, preemptionPolicy: Never}
---
{apiVersion: v1, kind: Namespace, metadata: {name: team}}
---
{apiVersion: v1, kind: Service, metadata: {name: svc}, spec: {selector: {app: web}, ports: [{port: 80}]}}
)");
  EXPECT_EQ(errors_of(loaded) + remarks_of(loaded), "");
  const PersistentVolume& volume = loaded.objects.persistent_volumes.at(0).object;
  EXPECT_EQ(volume.claim_name, "c");
  EXPECT_EQ(volume.claim_uid, "u");
  EXPECT_EQ(volume.volume_attributes_class_name, "gold");
  EXPECT_EQ(loaded.objects.persistent_volume_claims.at(0).object.volume_attributes_class_name, "silver");
  EXPECT_EQ(volume.access_modes, std::vector<AccessMode>{AccessMode::kReadWriteOncePod});
  EXPECT_TRUE(volume.node_affinity.has_value());
  EXPECT_EQ(loaded.objects.persistent_volume_claims.at(0).object.storage_class_name, "legacy");
  const StorageClass& storage_class = loaded.objects.storage_classes.at(0).object;
  EXPECT_TRUE(storage_class.is_default);
  EXPECT_EQ(storage_class.volume_binding_mode, VolumeBindingMode::kWaitForFirstConsumer);
  EXPECT_EQ(storage_class.allowed_topologies.at(0).match_expressions.at(0).values.size(), 2U);
  EXPECT_EQ(loaded.objects.priority_classes.at(0).object.value, 1000);
  EXPECT_EQ(loaded.objects.namespaces.at(0).object.metadata.labels.at("kubernetes.io/metadata.name"), "team");
  EXPECT_EQ(loaded.objects.services.at(0).object.selector.at("app"), "web");
}

TEST(Load, GivesEachFaultItsFieldPath) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: -1}}}]}",
       "spec.containers[0].resources.limits[nvidia.com/gpu]: The amount -1 is negative"},
      {"spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1500m}}}]}",
       "spec.containers[0].resources.limits[nvidia.com/gpu]: The amount 1500m is not whole"},
      {"spec: {containers: [{name: c, resources: {requests: {cpu: 99E}}}]}",
       "spec.containers[0].resources.requests[cpu]: The quantity \"99E\" is too large"},
      {"spec: {containers: [{name: c, resources: {requests: {cpu: \"1e18\"}}}]}",
       "spec.containers[0].resources.requests[cpu]: The amount 1e18 of cpu is more than any cluster has; write 1G or"},
      {"spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: \"1e18\"}}}]}",
       "limits[nvidia.com/gpu]: The amount 1e18 of nvidia.com/gpu is more than any cluster has; write 2147483647 or"},
      {"spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 2147483648}}}]}",
       "The amount 2147483648 of"},
      {"spec: {containers: [{name: c, resources: {requests: {memory: 9Pi}}}]}",
       "The amount 9Pi of memory is more than any cluster has; write 8Pi or less"},
      {"spec: {priority: 99999999999999999999, containers: [{name: c}]}",
       "spec.priority: \"99999999999999999999\" is not an integer of 64 bits"},
      {"spec: {containers: [{name: c, resources: {requests: {cpu: two}}}]}",
       "requests[cpu]: \"two\" is not a quantity"},
      {"spec: {containers: [{name: c, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}",
       "spec.containers[0].resources: The request of cpu (2) is above its limit (1)"},
      {"spec: {containers: []}", "spec: A pod needs at least one container"},
      {"spec: {restartPolicy: Sometimes, containers: [{name: c}]}",
       "spec.restartPolicy: \"Sometimes\" is not one of its values; write Always, OnFailure or Never."},
      {"spec: {priority: high, containers: [{name: c}]}", "spec.priority: This must be an integer, but is a string"},
      {"spec: {priority: 3000000000, containers: [{name: c}]}", "does not fit 32 bits"},
      {"spec: {nodeName: 7, containers: [{name: c}]}",
       "spec.nodeName: This must be a string, but is a number; put it in quotes."},
      {"spec: {containers: {name: c}}", "spec.containers: This must be an array, but is an object"},
      {"spec: {tolerations: [{effect: NoSchedule}], containers: [{name: c}]}",
       "spec.tolerations[0]: A toleration without a key"},
      {"spec: {affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 101, preference: "
       "{}}]}}, containers: [{name: c}]}",
       "Execution[0]: The weight 101 is outside 1 to 100"},
      {"spec: {affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{}]}}, containers: [{name: "
       "c}]}",
       "topologyKey is missing"},
      {"spec: {topologySpreadConstraints: [{maxSkew: 0, topologyKey: z, whenUnsatisfiable: DoNotSchedule}], "
       "containers: [{name: c}]}",
       "maxSkew must be 1 or more"},
      {"status: {phase: Lost}\nspec: {containers: [{name: c}]}", "status.phase: \"Lost\" is not one of its values"},
      {"", "The pod has no spec"},
      {"spec: {affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}]}}, containers: "
       "[{name: c}]}",
       "podAffinityTerm is missing"},
      {"spec: {containers: [{name: c, resources: {requests: {'cpu:2,memory': 1}}}]}",
       "requests[cpu:2,memory]: This is no resource name"},
      {"spec: {tolerations: [{key: k, operator: Exists, effect: NoSchedule, tolerationSeconds: 5}], containers: "
       "[{name: c}]}",
       "spec.tolerations[0]: tolerationSeconds goes with the effect NoExecute only"},
      {"spec: {tolerations: [{key: k, operator: Exists, tolerationSeconds: 5}], containers: [{name: c}]}",
       "spec.tolerations[0]: tolerationSeconds goes with the effect NoExecute only"},
      {"spec: {tolerations: [{key: a b, operator: Exists}], containers: [{name: c}]}", "\"a b\" is no label key"},
      {"spec: {tolerations: [{key: k, value: c d}], containers: [{name: c}]}", "\"c d\" is no label value"},
      {"spec: {containers: [{name: c, ports: [{hostPort: 80}]}]}",
       "spec.containers[0].ports[0]: containerPort is missing or 0; write a port from 1 to 65535."},
      {"spec: {hostNetwork: true, containers: [{name: c}, {name: d, ports: [{containerPort: 1}, {containerPort: 80, "
       "hostPort: 81}]}]}",
       "spec.containers[1].ports[1]: With hostNetwork the hostPort (81) must be the containerPort (80)"},
      {"spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
       "[{matchFields: [{key: metadata.name, operator: In, values: [a, b]}]}]}}}, containers: [{name: c}]}",
       "nodeSelectorTerms[0].matchFields[0]: A field is compared with exactly one value, not 2"},
      {"spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
       "[{matchFields: [{key: metadata.name, operator: Exists}]}]}}}, containers: [{name: c}]}",
       "matchFields[0]: The operator of a field is In or NotIn, not Exists"},
      {"spec: null", "The pod has no spec"},
      {"spec: {tolerations: null, containers: null}", "A pod needs at least one container"},
  };
  for (const auto& [body, mention] : cases) {
    const Loaded loaded = load_text("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n" + body + "\n", "p.yaml");
    EXPECT_TRUE(loaded.objects.pods.empty()) << body;
    EXPECT_EQ(loaded.errors.size(), 1U) << errors_of(loaded);
    EXPECT_NE(errors_of(loaded).find(mention), std::string::npos) << errors_of(loaded);
    EXPECT_NE(errors_of(loaded).find("p.yaml document 1 line "), std::string::npos) << errors_of(loaded);
    EXPECT_NE(errors_of(loaded).find("Pod p: "), std::string::npos) << errors_of(loaded);
  }
}

TEST(Load, PodLevelLimitBelowTheContainersRequestsIsAnError) {
  const Loaded loaded = load_text(
      "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {resources: {limits: {cpu: 3}}, containers: [{name: c, "
      "resources: {requests: {cpu: 5}}}]}}",
      "p.yaml");
  EXPECT_TRUE(loaded.objects.pods.empty());
  ASSERT_EQ(loaded.errors.size(), 1U);
  EXPECT_EQ(loaded.errors[0].place.field, "spec.resources");
  EXPECT_NE(loaded.errors[0].message.find("(5) is above its limit (3)"), std::string::npos) << errors_of(loaded);
}

TEST(Load, AJobWhosePodsWouldRestartForEverIsRefusedWhetherItSaysSoOrNot) {
  for (const char* policy : {"", "restartPolicy: Always, "}) {
    const Loaded loaded = load_text(
        std::string("{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: {spec: {") + policy +
            "containers: [{name: c}]}}}}\n---\n{apiVersion: batch/v1, kind: CronJob, metadata: {name: c}, spec: "
            "{schedule: '@daily', jobTemplate: {spec: {template: {spec: {" +
            policy + "containers: [{name: c}]}}}}}}\n",
        "x.yaml");
    EXPECT_TRUE(loaded.objects.jobs.empty() && loaded.objects.cron_jobs.empty());
    ASSERT_EQ(loaded.errors.size(), 2U) << errors_of(loaded);
    EXPECT_EQ(loaded.errors[0].place.field, "spec.template.spec.restartPolicy");
    EXPECT_EQ(loaded.errors[1].place.field, "spec.jobTemplate.spec.template.spec.restartPolicy");
    EXPECT_NE(errors_of(loaded).find("must be OnFailure or Never"), std::string::npos) << errors_of(loaded);
  }
}

TEST(Load, MoreAnnotationsThanTheServerTakesAreRefused) {
  const auto pod = [](std::size_t bytes) {
    return "apiVersion: v1\nkind: Namespace\nmetadata: {name: p, annotations: {k: '" + std::string(bytes, 'x') +
           "'}}\n";
  };
  EXPECT_TRUE(load_text(pod((256U << 10U) - 1)).errors.empty());
  const Loaded loaded = load_text(pod(256U << 10U));
  ASSERT_EQ(loaded.errors.size(), 1U);
  EXPECT_NE(loaded.errors[0].message.find("have 262145 bytes"), std::string::npos) << loaded.errors[0].message;
}

TEST(Load, OfNothingButMistakesTheFirstAreToldAndTheRestCounted) {
  std::string documents;
  for (int i = 0; i < 10'050; ++i) documents += "---\na\n";
  const Loaded loaded = load_text(documents);
  ASSERT_EQ(loaded.errors.size(), 10'001U);
  EXPECT_EQ(loaded.errors[9'999].place.document, 10'000);
  EXPECT_NE(loaded.errors.back().message.find("There are 50 more mistakes"), std::string::npos)
      << loaded.errors.back().message;
}

TEST(Load, ANamespaceThatCannotBeDoesNotReachTheOutput) {
  for (const std::string& name :
       {std::string("Bad NS"), std::string(300, 'x'), std::string("\\e[31m"), std::string("a.b")}) {
    const Loaded loaded = load_text("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: \"" + name +
                                        "\"}\nspec: {containers: [{name: c}]}\n",
                                    "x.yaml");
    EXPECT_TRUE(loaded.objects.pods.empty()) << name;
    ASSERT_EQ(loaded.errors.size(), 1U) << errors_of(loaded);
    EXPECT_EQ(loaded.errors[0].place.field, "metadata.namespace");
    EXPECT_NE(errors_of(loaded).find("is no name of a namespace"), std::string::npos) << errors_of(loaded);
  }
}

TEST(Load, ChecksNamesAndLabels) {
  const auto with = [](const std::string& metadata) {
    return errors_of(load_text("{apiVersion: v1, kind: Namespace, metadata: " + metadata + "}", "x.yaml"));
  };
  EXPECT_NE(with("{}").find("metadata.name is missing"), std::string::npos);
  EXPECT_NE(with("{name: Upper}").find("is no object name"), std::string::npos);
  EXPECT_NE(with("{name: " + std::string(64, 'l') + "}").find("at most 63 characters"), std::string::npos);
  EXPECT_NE(with("{name: a.b}").find("no dots"), std::string::npos);
  EXPECT_NE(with("{name: a, labels: {'a b': c}}").find("metadata.labels[a b]: \"a b\" is no label key"),
            std::string::npos);
  EXPECT_NE(with("{name: a, labels: {a: 'c d'}}").find("is no label value"), std::string::npos);
  EXPECT_NE(with("{name: a, labels: {a: 1}}").find("metadata.labels[a]: This must be a string, but is a number"),
            std::string::npos);
  EXPECT_NE(with("{name: a, creationTimestamp: yesterday}").find("is not a time"), std::string::npos);
  EXPECT_EQ(with("{name: a, labels: null, creationTimestamp: null}"), "");
  const Loaded generated = load_text("{apiVersion: v1, kind: Namespace, metadata: {generateName: run-}}", "x.yaml");
  EXPECT_EQ(generated.objects.namespaces.at(0).object.metadata.name, "run-new1");
}

TEST(Load, RemarksOnUnknownFieldsOncePerField) {
  const std::string pod =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME"},"spec":{"contianers":[],"containers":[{"name":"c","env":[{"nme":1}],"imag":"x"}]}})";
  std::string list = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[";
  for (int i = 0; i < 10; ++i) {
    std::string one = pod;
    one.replace(one.find("NAME"), 4, "p" + std::to_string(i));
    list += (i == 0 ? "" : ",") + one;
  }
  const Loaded loaded = load_text(list + "]}", "l.json");
  EXPECT_EQ(errors_of(loaded), "");
  EXPECT_EQ(loaded.objects.pods.size(), 10U);
  ASSERT_EQ(loaded.remarks.size(), 2U) << remarks_of(loaded);
  EXPECT_EQ(loaded.remarks[0].place.field, "spec.contianers");
  EXPECT_EQ(loaded.remarks[0].message,
            "This field is not known and was not read; did you mean containers? (and 9 more like it)");
  EXPECT_EQ(loaded.remarks[1].place.field, "spec.containers[0].imag");
}

TEST(Load, ALineOfUnknownFieldsTakesNoMinute) {
  std::string text = "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"a\"}";
  for (int i = 0; i < 30'000; ++i) text += ", \"unknown" + std::to_string(i) + "\": 1";
  const Loaded loaded = load_text(text + "}", "x.json");
  EXPECT_EQ(loaded.objects.namespaces.size(), 1U);
  EXPECT_EQ(loaded.remarks.size(), 10'001U);
  EXPECT_NE(loaded.remarks.back().message.find("(and 19999 more like it)"), std::string::npos);
}

TEST(Load, CountsSkippedKindsAndDropsSecrets) {
  const Loaded loaded = load_text(
      "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {k: djE=}}\n---\n{apiVersion: v1, kind: Secret, "
      "metadata: {name: t}}\n"
      "---\n{apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: k}}\n---\n{kind: "
      "Pod}\n---\n{apiVersion: v1}\n---\n- 3\n---\ntext\n",
      "x.yaml");
  ASSERT_EQ(loaded.skipped.size(), 2U);
  EXPECT_EQ(loaded.skipped[0].kind, "Service");
  EXPECT_EQ(loaded.skipped[1].kind, "Secret");
  EXPECT_EQ(loaded.skipped[1].count, 2);
  EXPECT_EQ(loaded.skipped[1].first.object, "Secret s");
  EXPECT_EQ(loaded.errors.size(), 4U) << errors_of(loaded);
}

TEST(Load, ExitCodesOfPodsAreKept) {
  const Loaded loaded = load_text(
      "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, image: i}]}, status: "
      "{containerStatuses: [{name: c, state: {terminated: {exitCode: 42, reason: Error}}}], initContainerStatuses: "
      "[{name: d, state: {running: {startedAt: '2026-01-31T12:00:00Z'}}, lastState: {terminated: {exitCode: 7}}}]}}",
      "x.yaml");
  ASSERT_EQ(loaded.objects.pods.size(), 1U) << errors_of(loaded);
  const PodStatus& status = loaded.objects.pods[0].object.status;
  EXPECT_EQ(status.container_statuses.at(0).exit_code, 42);
  EXPECT_EQ(status.init_container_statuses.at(0).exit_code, std::nullopt);
  EXPECT_TRUE(loaded.remarks.empty()) << remarks_of(loaded);
}

using Path = std::vector<std::string>;

void collect_dropped(const text::SkipPaths::Node& node, const Path& above, std::vector<Path>& out) {
  for (const text::SkipPaths::Node& child : node.children) {
    Path path = above;
    path.push_back(child.name);
    if (child.dropped) {
      out.push_back(path);
    } else {
      collect_dropped(child, path, out);
    }
  }
}

// `{"spec": {"containers": [{"env": LEAF}]}}` of spec, containers, env; without the outermost brackets.
std::string nested(const Path& path, std::string_view leaf) {
  static const std::set<std::string_view> kArrays = {"containers", "initContainers",    "tasks",
                                                     "volumes",    "containerStatuses", "initContainerStatuses"};
  std::string text(leaf);
  for (std::size_t i = path.size(); i-- > 0;) {
    text = '"' + path[i] + "\": " + text;
    if (i == 0) break;
    text = '{' + text + '}';
    if (kArrays.contains(path[i - 1])) text = '[' + text + ']';
  }
  return text;
}

std::string dotted(const Path& path) {
  std::string text;
  for (const std::string& name : path) text += (text.empty() ? "" : ".") + name;
  return text;
}

// A decoder that reads a field refuses it where it is of the wrong kind; one that does not read it never does. What is
// dropped on reading must be nothing that any decoder wants: it would get nothing and never say so.
TEST(Load, NothingThatADecoderReadsIsDroppedBeforeIt) {
  std::vector<Path> dropped;
  collect_dropped(*Loader::skip_paths().root(), {}, dropped);
  ASSERT_GT(dropped.size(), 100U);
  constexpr std::string_view kKinds[][2] = {{"v1", "Pod"},
                                            {"v1", "Node"},
                                            {"v1", "Namespace"},
                                            {"v1", "Service"},
                                            {"v1", "PersistentVolume"},
                                            {"v1", "PersistentVolumeClaim"},
                                            {"v1", "ReplicationController"},
                                            {"v1", "LimitRange"},
                                            {"v1", "ResourceQuota"},
                                            {"storage.k8s.io/v1", "StorageClass"},
                                            {"storage.k8s.io/v1", "CSIDriver"},
                                            {"storage.k8s.io/v1", "CSIStorageCapacity"},
                                            {"node.k8s.io/v1", "RuntimeClass"},
                                            {"apps/v1", "Deployment"},
                                            {"apps/v1", "ReplicaSet"},
                                            {"apps/v1", "StatefulSet"},
                                            {"apps/v1", "DaemonSet"},
                                            {"batch/v1", "Job"},
                                            {"batch/v1", "CronJob"},
                                            {"policy/v1", "PodDisruptionBudget"},
                                            {"scheduling.k8s.io/v1", "PriorityClass"},
                                            {"resource.k8s.io/v1", "ResourceClaim"},
                                            {"resource.k8s.io/v1", "ResourceClaimTemplate"},
                                            {"resource.k8s.io/v1", "ResourceSlice"},
                                            {"resource.k8s.io/v1", "DeviceClass"},
                                            {"resource.nvidia.com/v1beta1", "ComputeDomain"},
                                            {"scheduling.volcano.sh/v1beta1", "PodGroup"},
                                            {"scheduling.volcano.sh/v1beta1", "Queue"},
                                            {"batch.volcano.sh/v1alpha1", "Job"},
                                            {"batch.volcano.sh/v1alpha1", "CronJob"},
                                            {"flow.volcano.sh/v1alpha1", "JobFlow"},
                                            {"flow.volcano.sh/v1alpha1", "JobTemplate"},
                                            {"topology.volcano.sh/v1alpha1", "HyperNode"},
                                            {"nodeinfo.volcano.sh/v1alpha1", "Numatopology"}};
  for (const Path& path : dropped) {
    if (path.size() > 1 && path[1] == "annotations") continue;  // one entry of a map that is read as a whole
    for (const auto& [version, kind] : kKinds) {
      for (const std::string_view leaf : {"\"text\"", "17", "true", "[17]", "{\"x\": 17}"}) {
        const std::string text = "{\"apiVersion\": \"" + std::string(version) + "\", \"kind\": \"" + std::string(kind) +
                                 "\", " + nested(path, leaf) + "}";
        Loader loader;
        text::MemorySource source(text);
        text::read_entries(source, "x.json", {}, loader);  // nothing is skipped
        for (const Error& error : std::move(loader).finish().errors) {
          std::string field = error.place.field;
          for (std::size_t at = field.find("[0]"); at != std::string::npos; at = field.find("[0]")) field.erase(at, 3);
          EXPECT_NE(field, dotted(path)) << kind << ": " << error.to_string();
        }
      }
    }
  }
}

TEST(Load, LaterObjectOfANameWins) {
  const std::string first = "{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {x: '1'}}}\n";
  const Loaded loaded = load_text(
      first + "---\n" + first + "---\n{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {x: '2'}}}\n",
      "x.yaml");
  ASSERT_EQ(loaded.objects.namespaces.size(), 1U);
  EXPECT_EQ(loaded.objects.namespaces[0].object.metadata.labels.at("x"), "2");
  EXPECT_EQ(loaded.objects.namespaces[0].place.document, 3);
  EXPECT_EQ(loaded.remarks.size(), 2U);
  EXPECT_NE(remarks_of(loaded).find("was used before, in x.yaml document 1 line 1"), std::string::npos)
      << remarks_of(loaded);
}

// `berth plan snapshot.yaml plan.yaml` is how a plan is carried on.
TEST(Load, AFileThatReplacesObjectsOfAnotherSaysSoOnce) {
  Loader loader;
  for (const char* file : {"snapshot.yaml", "plan.yaml"}) {
    text::MemorySource source(
        "{apiVersion: v1, kind: Namespace, metadata: {name: a}}\n---\n{apiVersion: v1, kind: Namespace, metadata: "
        "{name: "
        "b}}\n");
    loader.load_source(source, file);
  }
  const Loaded loaded = std::move(loader).finish();
  EXPECT_EQ(loaded.objects.namespaces.size(), 2U);
  ASSERT_EQ(loaded.remarks.size(), 1U);
  EXPECT_NE(remarks_of(loaded).find("replaces the one of its name from snapshot.yaml"), std::string::npos)
      << remarks_of(loaded);
}

TEST(Load, VolumesThatNodesMakeThemselvesAreDropped) {
  const Loaded loaded = load_text(R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {
    "volumes": [{"name": "kube-api-access-x1", "projected": {"sources": []}}, {"name": "tmp", "emptyDir": {}}],
    "containers": [{"name": "c"}]}})",
                                  "p.json");
  EXPECT_EQ(errors_of(loaded) + remarks_of(loaded), "");
  EXPECT_TRUE(loaded.objects.pods.at(0).object.spec.volumes.empty()) << "or no two pods of a cluster are replicas";
}

TEST(Load, FeaturesThatNodesDeclareAndPodsNeedAreRead) {
  const auto spec = [](const std::string& text) {
    const Loaded loaded = load_text("{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {" + text + "}}", "p.yaml");
    EXPECT_EQ(errors_of(loaded) + remarks_of(loaded), "");
    return loaded.objects.pods.at(0).object.spec;
  };
  const PodSpec all = spec(
      "containers: [{name: c, restartPolicyRules: [{action: Restart}, {action: RestartAllContainers}]}], "
      "hostNetwork: true, hostUsers: false");
  EXPECT_TRUE(all.containers[0].restarts_all);
  EXPECT_FALSE(all.host_users);
  const PodSpec none = spec("containers: [{name: c, restartPolicyRules: [{action: Restart}]}], hostUsers: null");
  EXPECT_FALSE(none.containers[0].restarts_all);
  EXPECT_TRUE(none.host_users);
  const Loaded node =
      load_text("{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {declaredFeatures: [A, B]}}", "n.yaml");
  EXPECT_EQ(node.objects.nodes.at(0).object.declared_features, (std::vector<std::string>{"A", "B"}));
}

TEST(Load, ListsOfTypedItemsAndListsInLists) {
  const Loaded loaded = load_text(
      R"({"kind": "NodeList", "apiVersion": "v1", "items": [{"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}]}
{"kind": "List", "apiVersion": "v1", "items": [{"kind": "List", "apiVersion": "v1", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "c"}}, 3]}]})");
  EXPECT_EQ(loaded.objects.nodes.size(), 3U) << errors_of(loaded);
  EXPECT_EQ(loaded.errors.size(), 1U) << errors_of(loaded);
}

TEST(Load, AllocatableAboveCapacityIsCappedAndTold) {
  const Loaded loaded = load_text(
      "{apiVersion: v1, kind: Node, metadata: {name: one}, status: {capacity: {cpu: 4}, allocatable: {cpu: 8, x/y: "
      "1}}}",
      "n.yaml");
  EXPECT_EQ(loaded.objects.nodes.at(0).object.allocatable.at("cpu").value(), 4);
  EXPECT_EQ(loaded.remarks.at(0).place.field, "status.allocatable[cpu]");
}

TEST(Load, OwnerCyclesAreToldAndBroken) {
  const auto owned = [](const std::string& name, const std::string& by) {
    return "{apiVersion: v1, kind: Service, metadata: {name: " + name +
           ", ownerReferences: [{apiVersion: v1, kind: Service, name: " + by + ", uid: u}]}}\n---\n";
  };
  const Loaded loaded = load_text(
      owned("a", "b") + owned("b", "c") + owned("c", "a") + owned("d", "a") + owned("e", "e") + owned("f", "gone"),
      "o.yaml");
  ASSERT_EQ(loaded.errors.size(), 2U) << errors_of(loaded);
  EXPECT_NE(loaded.errors[0].message.find("circle"), std::string::npos);
  for (const auto& read : loaded.objects.services) {
    // Following the first owner ends.
    std::string name = read.object.metadata.name;
    for (int steps = 0;; ++steps) {
      ASSERT_LT(steps, 10);
      const Service* found = nullptr;
      for (const auto& other : loaded.objects.services)
        if (other.object.metadata.name == name) found = &other.object;
      if (found == nullptr || found->metadata.owner_references.empty()) break;
      name = found->metadata.owner_references[0].name;
    }
  }
}

TEST(Load, BrokenDocumentsStopNothing) {
  const Loaded loaded = load_text(
      "{apiVersion: v1, kind: Namespace, metadata: {name: a}}\n---\nx: [\n---\n{apiVersion: v1, kind: Namespace, "
      "metadata: {name: b}}\n",
      "x.yaml");
  EXPECT_EQ(loaded.objects.namespaces.size(), 2U);
  EXPECT_EQ(loaded.errors.size(), 1U);
  EXPECT_EQ(loaded.errors[0].place.file, "x.yaml");
  const std::vector<std::string> paths = {"/no/such/file.yaml"};
  EXPECT_EQ(load(paths).errors.at(0).code, ErrorCode::kNotFound);
}

TEST(Time, ReadsAndWritesRfc3339) {
  EXPECT_EQ(parse_time("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parse_time("2000-02-29T23:59:59.999Z"), 951868799);
  EXPECT_EQ(parse_time("2026-01-31T12:00:00+02:00"), parse_time("2026-01-31T10:00:00Z"));
  for (const char* text : {"", "2026-01-31", "2026-02-30T00:00:00Z", "2026-01-31T25:00:00Z", "2026-01-31T12:00:00",
                           "2026-01-31T12:00:00.Z", "x"})
    EXPECT_FALSE(parse_time(text)) << text;
  for (const Time time : {0L, 951868799L, 1769860800L, -1L, -62167219200L})
    EXPECT_EQ(parse_time(format_time(time)), time);
}

}  // namespace
}  // namespace berth::api
