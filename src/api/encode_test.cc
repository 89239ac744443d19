#include "api/encode.h"

#include <gtest/gtest.h>

#include <string>

#include "api/load.h"
#include "text/json_writer.h"
#include "text/yaml_writer.h"

namespace berth::api {
namespace {

constexpr std::string_view kObjects = R"(
apiVersion: v1
kind: Pod
metadata: {name: train-0, namespace: team-a, uid: u-1, labels: {app: train}, annotations: {note: "yes"},
  creationTimestamp: "2026-01-31T12:00:00Z", deletionTimestamp: "2026-01-31T13:00:00Z",
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: train, uid: u-0, controller: true}]}
spec:
  nodeName: node-1
  priority: -5
  preemptionPolicy: Never
  restartPolicy: OnFailure
  hostNetwork: true
  overhead: {cpu: 10m}
  resources: {limits: {cpu: 3}}
  nodeSelector: {zone: a}
  schedulingGates: [{name: example.com/gate}]
  tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: 0}, {key: a, value: b}, {key: c, operator: Lt, value: "5"}]
  topologySpreadConstraints: [{maxSkew: 2, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, minDomains: 3, labelSelector: {},
    nodeAffinityPolicy: Ignore, nodeTaintsPolicy: Honor, matchLabelKeys: [v]}]
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: gpus, operator: Gt, values: ["4"]}]}, {}]}
      preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, preference: {matchFields: [{key: metadata.name, operator: NotIn, values: [a]}]}}]
    podAffinity:
      preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: zone, namespaces: [p], matchLabelKeys: [v]}}]
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: host, labelSelector: {matchLabels: {a: b}}, namespaceSelector: {}, mismatchLabelKeys: [w]}]
  initContainers: [{name: side, restartPolicy: Always, resources: {requests: {cpu: 50m}}}]
  containers:
  - name: main
    image: registry/train:1
    ports: [{containerPort: 8080}, {containerPort: 53, hostPort: 54, protocol: UDP, hostIP: 10.0.0.1}]
    resources: {limits: {nvidia.com/gpu: 2, memory: 1.5Gi}, requests: {cpu: "0.1", memory: 1e9}, claims: [{name: card, request: one}, {name: card}]}
  resourceClaims: [{name: card, resourceClaimName: claim-1}, {name: two, resourceClaimTemplateName: t}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data-0, readOnly: true}}, {name: tmp}, {name: scratch, ephemeral: {}}, {name: m, image: {reference: x}}]
status:
  phase: Running
  nominatedNodeName: node-2
  startTime: "2026-01-31T12:00:05Z"
  conditions: [{type: Ready, status: "True", reason: R, message: "M: x", lastTransitionTime: "2026-01-31T12:00:09Z"}]
  initContainerStatuses: [{name: side, resources: {}}]
  containerStatuses: [{name: main, allocatedResources: {cpu: 100m}, resources: {requests: {cpu: 200m}}}]
---
{apiVersion: v1, kind: Node, metadata: {name: node-1}, spec: {unschedulable: true, taints: [{key: a, effect: PreferNoSchedule}]},
 status: {capacity: {cpu: 8}, allocatable: {}, conditions: [{type: Ready, status: Unknown}], images: [{names: [a], sizeBytes: 5}]}}
---
{apiVersion: v1, kind: Node, metadata: {name: node-2}, status: {capacity: {cpu: 8, memory: 10Gi}, allocatable: {cpu: 7500m}}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: team-a, labels: {x: "1"}}}
---
{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: train}}}
---
{apiVersion: v1, kind: PersistentVolume, metadata: {name: pv}, spec: {capacity: {storage: 1Ti}, accessModes: [ReadWriteOnce, ReadOnlyMany],
 storageClassName: fast, volumeMode: Block, claimRef: {namespace: a, name: b}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: h, operator: Exists}]}]}}}, status: {phase: Bound}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {storageClassName: "", selector: {matchLabels: {a: b}}, accessModes: [ReadWriteOncePod],
 resources: {requests: {storage: 1Gi}}, volumeName: pv}, status: {phase: Bound}}
---
{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast, annotations: {storageclass.kubernetes.io/is-default-class: "true"}},
 provisioner: example.com/disk, volumeBindingMode: WaitForFirstConsumer, allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a, b]}]}]}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: -7, globalDefault: true, preemptionPolicy: Never}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {maxUnavailable: 30%, selector: {}}, status: {disruptionsAllowed: 0}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b2}, spec: {minAvailable: 2}}
)";

template <class T>
void expect_equal(const std::vector<Read<T>>& before, const std::vector<Read<T>>& after) {
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_TRUE(before[i].object == after[i].object) << before[i].object.metadata.name;
}

void expect_equal(const Loaded& before, const Loaded& after) {
  for (const Error& error : after.errors) ADD_FAILURE() << error.to_string();
  for (const Error& remark : after.remarks) ADD_FAILURE() << remark.to_string();
  expect_equal(before.objects.pods, after.objects.pods);
  expect_equal(before.objects.nodes, after.objects.nodes);
  expect_equal(before.objects.namespaces, after.objects.namespaces);
  expect_equal(before.objects.services, after.objects.services);
  expect_equal(before.objects.persistent_volumes, after.objects.persistent_volumes);
  expect_equal(before.objects.persistent_volume_claims, after.objects.persistent_volume_claims);
  expect_equal(before.objects.storage_classes, after.objects.storage_classes);
  expect_equal(before.objects.priority_classes, after.objects.priority_classes);
  expect_equal(before.objects.pod_disruption_budgets, after.objects.pod_disruption_budgets);
}

TEST(Encode, EveryKindReadsBackFromJsonAndYaml) {
  const Loaded before = load_text(kObjects, "objects.yaml");
  for (const Error& error : before.errors) ADD_FAILURE() << error.to_string();
  EXPECT_EQ(before.objects.pods.size(), 1U);
  EXPECT_EQ(before.objects.pod_disruption_budgets.size(), 2U);
  std::string json;
  text::JsonWriter json_writer(json, text::JsonStyle::kPretty);
  write_list(json_writer, before.objects);
  expect_equal(before, load_text(json, "objects.json"));
  std::string yaml;
  text::YamlWriter yaml_writer(yaml);
  write_list(yaml_writer, before.objects);
  expect_equal(before, load_text(yaml, "objects.yaml"));
}

TEST(Encode, ClaimReferenceWithoutANameKeepsItsNamespace) {
  const Loaded before = load_text(
      "{apiVersion: v1, kind: PersistentVolume, metadata: {name: pv}, spec: {claimRef: {namespace: team}}}", "pv.yaml");
  ASSERT_EQ(before.objects.persistent_volumes.size(), 1U);
  std::string json;
  text::JsonWriter writer(json);
  write_list(writer, before.objects);
  expect_equal(before, load_text(json, "pv.json"));
}

TEST(Encode, WritesWhatTheApiServerPrints) {
  const Loaded loaded =
      load_text("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 7}");
  std::string yaml;
  text::YamlWriter writer(yaml);
  write(writer, loaded.objects.priority_classes.at(0).object);
  EXPECT_EQ(yaml,
            "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: high\nvalue: 7\n"
            "preemptionPolicy: PreemptLowerPriority\n");
}

}  // namespace
}  // namespace berth::api
