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
  runtimeClassName: kata
  priority: -5
  preemptionPolicy: Never
  restartPolicy: OnFailure
  hostNetwork: true
  hostUsers: false
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
    restartPolicyRules: [{action: RestartAllContainers}]
    ports: [{containerPort: 8080}, {containerPort: 53, hostPort: 53, protocol: UDP, hostIP: 10.0.0.1}]
    resources: {limits: {nvidia.com/gpu: 2, memory: 1.5Gi}, requests: {cpu: "0.1", memory: 1e9}, claims: [{name: card, request: one}, {name: card}]}
  resourceClaims: [{name: card, resourceClaimName: claim-1}, {name: two, resourceClaimTemplateName: t}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data-0, readOnly: true}}, {name: tmp}, {name: scratch, ephemeral: {volumeClaimTemplate: {metadata: {labels: {a: b}}, spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}, {name: m, image: {reference: x}}]
status:
  phase: Running
  nominatedNodeName: node-2
  startTime: "2026-01-31T12:00:05Z"
  conditions: [{type: Ready, status: "True", reason: R, message: "M: x", lastTransitionTime: "2026-01-31T12:00:09Z"}]
  initContainerStatuses: [{name: side, resources: {}}]
  containerStatuses: [{name: main, allocatedResources: {cpu: 100m}, resources: {requests: {cpu: 200m}}}]
  resourceClaimStatuses: [{name: card, resourceClaimName: claim-1}, {name: two}]
  extendedResourceClaimStatus: {resourceClaimName: e, requestMappings: [{containerName: main, resourceName: example.com/gpu, requestName: container-0-request-0}]}
---
{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: csi.example.com}, spec: {storageCapacity: true}}
---
{apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: {name: c-1, namespace: csi}, storageClassName: fast,
 nodeTopology: {matchLabels: {zone: a}}, capacity: 10Gi, maximumVolumeSize: 5Gi}
---
{apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: {name: c-2, namespace: csi}, storageClassName: fast}
---
{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: kata}, handler: kata, overhead: {podFixed: {cpu: 250m}},
 scheduling: {nodeSelector: {kata: "true"}, tolerations: [{key: kata, operator: Exists}]}}
---
{apiVersion: v1, kind: LimitRange, metadata: {name: defaults, namespace: team-a},
 spec: {limits: [{type: Pod, max: {cpu: "9"}}, {type: Container, max: {cpu: "4"}, min: {memory: 1Gi}, defaultRequest: {cpu: "1"}}]}}
---
{apiVersion: v1, kind: Node, metadata: {name: node-1}, spec: {unschedulable: true, taints: [{key: a, effect: PreferNoSchedule}]},
 status: {capacity: {cpu: 8}, allocatable: {}, conditions: [{type: Ready, status: Unknown}], images: [{names: [a], sizeBytes: 5}],
  declaredFeatures: [RestartAllContainersOnContainerExits]}}
---
{apiVersion: v1, kind: Node, metadata: {name: node-2}, status: {capacity: {cpu: 8, memory: 10Gi}, allocatable: {cpu: 7500m}}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: team-a, labels: {resource.kubernetes.io/admin-access: "true"}}}
---
{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: train}}}
---
{apiVersion: v1, kind: PersistentVolume, metadata: {name: pv}, spec: {capacity: {storage: 1Ti}, accessModes: [ReadWriteOnce, ReadOnlyMany],
 storageClassName: fast, volumeMode: Block, volumeAttributesClassName: gold, claimRef: {namespace: a, name: b, uid: u}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: h, operator: Exists}]}]}}}, status: {phase: Bound}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {storageClassName: "", selector: {matchLabels: {a: b}}, accessModes: [ReadWriteOncePod],
 resources: {requests: {storage: 1Gi}}, volumeName: pv, volumeAttributesClassName: gold}, status: {phase: Bound}}
---
{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast, annotations: {storageclass.kubernetes.io/is-default-class: "true"}},
 provisioner: example.com/disk, volumeBindingMode: WaitForFirstConsumer, allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a, b]}]}]}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: -7, globalDefault: true, preemptionPolicy: Never}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {maxUnavailable: 30%, selector: {}}, status: {disruptionsAllowed: 0}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b2}, spec: {minAvailable: 2}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-1-gpus}
spec:
  driver: gpu.example.com
  pool: {name: node-1, generation: 3, resourceSliceCount: 2}
  perDeviceNodeSelection: true
  devices:
  - name: gpu-0
    attributes: {type: {string: gpu}, index: {int: -3}, ecc: {bool: false}, resource.kubernetes.io/driver: {version: 1.2.3-rc.1+b}}
    capacity:
      memory: {value: 40Gi, requestPolicy: {default: 1Gi, validRange: {min: 1Gi, max: 8Gi, step: 1Gi}}}
      shares: {value: 4, requestPolicy: {default: 2, validValues: [1, 2]}}
    consumesCounters: [{counterSet: gpu-0-counters, counters: {memory: {value: 40Gi}, slice-0: {value: 1}}}]
    nodeName: node-1
    taints: [{key: example.com/bad, value: x, effect: NoExecute, timeAdded: "2026-01-31T12:00:00Z"}, {key: b, effect: None}]
    bindsToNode: true
    bindingConditions: [attached]
    bindingFailureConditions: [failed]
    allowMultipleAllocations: true
  - {name: gpu-1, allNodes: true}
  - {name: gpu-2, nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-1-counters}
spec:
  driver: gpu.example.com
  pool: {name: node-1, generation: 3, resourceSliceCount: 2}
  nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}]}
  sharedCounters: [{name: gpu-0-counters, counters: {memory: {value: 40Gi}, slice-0: {value: 1}}}]
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
spec:
  selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]
  config: [{opaque: {driver: gpu.example.com, parameters: {kind: GpuConfig, n: 1.50, list: [null, true]}}}]
  extendedResourceName: example.com/gpu
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim-1, namespace: team-a}
spec:
  devices:
    requests:
    - {name: one, exactly: {deviceClassName: gpu.example.com, count: 2, adminAccess: true, selectors: [{cel: {expression: "true"}}],
       tolerations: [{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 5}, {}], capacity: {requests: {memory: 2Gi}}}}
    - {name: every, exactly: {deviceClassName: gpu.example.com, allocationMode: All}}
    - {name: any, firstAvailable: [{name: big, deviceClassName: a}, {name: small, deviceClassName: b, count: 3}]}
    constraints: [{requests: [one, any/big], matchAttribute: gpu.example.com/numa}, {distinctAttribute: gpu.example.com/model}]
    config: [{requests: [any], opaque: {driver: gpu.example.com, parameters: {}}}]
status:
  allocation:
    devices:
      results:
      - {request: one, driver: gpu.example.com, pool: node-1, device: gpu-0, adminAccess: true, tolerations: [{key: a, operator: Exists}],
         bindingConditions: [attached], bindingFailureConditions: [failed], shareID: 0aa1c000-0000-4000-8000-00000000000f, consumedCapacity: {memory: 2Gi}}
      - {request: any/small, driver: gpu.example.com, pool: node-1, device: gpu-1}
      config: [{source: FromClass, requests: [one], opaque: {driver: gpu.example.com, parameters: {a: "1"}}}]
    nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}]}
    allocationTimestamp: "2026-01-31T12:00:00Z"
  reservedFor: [{resource: pods, name: train-0, uid: u-1}, {apiGroup: scheduling.k8s.io, resource: podgroups, name: g, uid: u-2}]
  devices: [{driver: gpu.example.com, pool: node-1, device: gpu-1, conditions: [{type: Ready, status: "True"}], data: {x: 1},
    networkData: {interfaceName: eth0, ips: [10.0.0.1/8], hardwareAddress: "00:11"}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t, namespace: team-a}
spec: {metadata: {labels: {a: b}, annotations: {c: d}}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: rule}
spec: {deviceSelector: {driver: gpu.example.com, pool: a/b, device: gpu-0}, taint: {key: k, value: v, effect: NoSchedule}}
status: {conditions: [{type: EvictionInProgress, status: "False"}]}
---
{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: all}, spec: {deviceSelector: {}, taint: {key: k, effect: None}}}
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
  expect_equal(before.objects.csi_drivers, after.objects.csi_drivers);
  expect_equal(before.objects.csi_storage_capacities, after.objects.csi_storage_capacities);
  expect_equal(before.objects.runtime_classes, after.objects.runtime_classes);
  expect_equal(before.objects.limit_ranges, after.objects.limit_ranges);
  expect_equal(before.objects.priority_classes, after.objects.priority_classes);
  expect_equal(before.objects.pod_disruption_budgets, after.objects.pod_disruption_budgets);
  expect_equal(before.objects.resource_slices, after.objects.resource_slices);
  expect_equal(before.objects.device_classes, after.objects.device_classes);
  expect_equal(before.objects.resource_claims, after.objects.resource_claims);
  expect_equal(before.objects.resource_claim_templates, after.objects.resource_claim_templates);
  expect_equal(before.objects.device_taint_rules, after.objects.device_taint_rules);
}

TEST(Encode, EveryKindReadsBackFromJsonAndYaml) {
  const Loaded before = load_text(kObjects, "objects.yaml");
  for (const Error& error : before.errors) ADD_FAILURE() << error.to_string();
  for (const Error& remark : before.remarks) ADD_FAILURE() << remark.to_string();
  EXPECT_EQ(before.objects.pods.size(), 1U);
  EXPECT_EQ(before.objects.csi_storage_capacities.size(), 2U);
  EXPECT_EQ(before.objects.runtime_classes.size(), 1U);
  ASSERT_EQ(before.objects.limit_ranges.size(), 1U);
  EXPECT_EQ(before.objects.limit_ranges[0].object.container_limits.at("cpu"), Quantity::from_units(4));
  EXPECT_EQ(before.objects.limit_ranges[0].object.container_requests.at("cpu"), Quantity::from_units(1));
  EXPECT_TRUE(before.objects.limit_ranges[0].object.container_requests.contains("memory"));
  EXPECT_EQ(before.objects.resource_slices.size(), 2U);
  EXPECT_EQ(before.objects.resource_claims.size(), 1U);
  EXPECT_EQ(before.objects.device_taint_rules.size(), 2U);
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
