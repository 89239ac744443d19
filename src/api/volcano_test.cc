// Reading and writing Volcano's objects: defaults, what is refused and how it is said, and the way back.
#include "api/volcano.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "api/duration.h"
#include "api/encode.h"
#include "api/load.h"
#include "text/json_writer.h"

namespace berth::api {
namespace {

std::string errors_of(std::string_view text) {
  std::string out;
  for (const Error& error : load_text(text, "x.yaml").errors) out += error.to_string() + "\n";
  return out;
}

std::string job(std::string_view spec) {
  return "{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j}, spec: {" + std::string(spec) + "}}\n";
}

std::string task(std::string_view fields, std::string_view name = "w") {
  return "{name: " + std::string(name) + ", template: {spec: {containers: [{name: m, image: i}]}}, " +
         std::string(fields) + "}";
}

constexpr std::string_view kObjects = R"(
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: g, namespace: team}
spec:
  minMember: 4
  minTaskMember: {ps: 1, worker: 3}
  queue: research
  priorityClassName: high
  minResources: {cpu: 4, nvidia.com/gpu: 8}
  networkTopology: {mode: soft, highestTierAllowed: 2}
  subGroupPolicy:
  - {name: a, subGroupSize: 2, minSubGroups: 1, labelSelector: {matchLabels: {role: a}}, matchLabelKeys: [part],
     networkTopology: {highestTierName: rack}}
status: {phase: Inqueue, running: 1, succeeded: 2, failed: 3, conditions: [{type: Unschedulable, status: "True",
  transitionID: x, reason: NotEnoughResources, message: m, lastTransitionTime: "2026-01-31T12:00:00Z"}]}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: research}
spec:
  weight: 3
  capability: {nvidia.com/gpu: 16, deviceclass/gpu.example.com: 8, memory.deviceclass/gpu.example.com: 40Gi}
  deserved: {nvidia.com/gpu: 8}
  guarantee: {resource: {nvidia.com/gpu: 4}}
  reclaimable: false
  parent: root
  priority: 7
  dequeueStrategy: fifo
  affinity: {nodeGroupAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [g1]},
             nodeGroupAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [g2]}}
status: {state: Closing, pending: 1, running: 2, inqueue: 3, allocated: {cpu: 1500m}}
---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: train, namespace: team, annotations: {a: b}}
spec:
  minAvailable: 3
  schedulerName: volcano
  queue: research
  priorityClassName: high
  maxRetry: 5
  ttlSecondsAfterFinished: 60
  minSuccess: 2
  runningEstimate: 1h30m
  plugins: {mpi: ["--master=ps"], env: []}
  networkTopology: {mode: hard, highestTierAllowed: 1}
  policies: [{event: PodEvicted, action: RestartJob}, {exitCode: 3, action: AbortJob}]
  volumes: [{mountPath: /data, volumeClaim: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}},
            {mountPath: /old, volumeClaimName: old}]
  tasks:
  - name: ps
    replicas: 1
    topologyPolicy: single-numa-node
    maxRetry: 1
    policies: [{events: [PodFailed, TaskCompleted], action: CompleteJob, timeout: 90s}]
    template: {metadata: {labels: {l: v}}, spec: {containers: [{name: m, image: i, env: [{name: SECRET, value: x}]}]}}
  - name: worker
    replicas: 4
    dependsOn: {name: [ps], iteration: any}
    partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 1, networkTopology: {highestTierAllowed: 1}}
    template: {spec: {schedulerName: other, containers: [{name: m, image: i}]}}
status: {state: {phase: Restarting, reason: r, message: m, lastTransitionTime: "2026-01-31T12:00:00Z"}, minAvailable: 3,
  taskStatusCount: {ps: {phase: {Running: 1}}}, pending: 1, running: 2, succeeded: 3, failed: 4, terminating: 5,
  unknown: 6, version: 7, retryCount: 2}
---
apiVersion: batch.volcano.sh/v1alpha1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 3 * * *"
  timeZone: Europe/Berlin
  suspend: true
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 30
  jobTemplate: {metadata: {labels: {a: b}}, spec: {tasks: [{replicas: 2, template: {spec: {containers: [{name: m, image: i}]}}}]}}
status: {lastScheduleTime: "2026-01-31T03:00:00Z"}
---
{apiVersion: bus.volcano.sh/v1alpha1, kind: Command, metadata: {name: stop}, action: AbortJob,
 target: {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, name: train, controller: true}, reason: r}
---
{apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: prepare},
 spec: {tasks: [{replicas: 1, template: {spec: {containers: [{name: m, image: i}]}}}]}}
---
{apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f}, spec: {jobRetainPolicy: delete,
 flows: [{name: prepare}, {name: fit, dependsOn: {targets: [prepare]}},
  {name: serve, dependsOn: {targets: [fit], probe: {taskStatusList: [{taskName: w, phase: Succeeded}],
                                                    tcpSocketList: [{taskName: w}]}},
   patch: {spec: {queue: q, maxRetry: 5, tasks: [{name: w, replicas: 4}]}}}]}, status: {state: {phase: Running}}}
---
{apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: s0}, spec: {tier: 1, tierName: rack,
 members: [{type: Node, selector: {exactMatch: {name: n0}}}, {type: HyperNode, selector: {regexMatch: {pattern: "s[1-9]"}}},
           {type: Node, selector: {labelMatch: {matchLabels: {rack: a}}}}]}}
---
{apiVersion: nodeinfo.volcano.sh/v1alpha1, kind: Numatopology, metadata: {name: n0}, spec: {
 policies: {CPUManagerPolicy: static, TopologyManagerPolicy: single-numa-node}, resReserved: {cpu: 500m},
 numares: {cpu: {allocatable: "1-2,3", capacity: 4}},
 cpuDetail: {"0": {}, "1": {core: 1}, "2": {numa: 1, socket: 1, core: 2}, "3": {numa: 1, socket: 1, core: 3}}}}
)";

template <class T>
void expect_equal(const std::vector<Read<T>>& before, const std::vector<Read<T>>& after, std::size_t count) {
  ASSERT_EQ(before.size(), count);
  ASSERT_EQ(after.size(), count);
  for (std::size_t i = 0; i < count; ++i) EXPECT_TRUE(before[i].object == after[i].object);
}

TEST(Volcano, WhatIsWrittenReadsBackTheSame) {
  const Loaded before = load_text(kObjects, "x.yaml");
  ASSERT_TRUE(before.errors.empty()) << before.errors.front().to_string();
  std::string json;
  text::JsonWriter writer(json);
  write_list(writer, before.objects);
  const Loaded after = load_text(json, "list.json");
  ASSERT_TRUE(after.errors.empty()) << after.errors.front().to_string();
  expect_equal(before.objects.volcano_pod_groups, after.objects.volcano_pod_groups, 1);
  expect_equal(before.objects.volcano_queues, after.objects.volcano_queues, 1);
  expect_equal(before.objects.volcano_jobs, after.objects.volcano_jobs, 1);
  expect_equal(before.objects.volcano_cron_jobs, after.objects.volcano_cron_jobs, 1);
  expect_equal(before.objects.volcano_commands, after.objects.volcano_commands, 1);
  expect_equal(before.objects.job_templates, after.objects.job_templates, 1);
  expect_equal(before.objects.job_flows, after.objects.job_flows, 1);
  expect_equal(before.objects.hyper_nodes, after.objects.hyper_nodes, 1);
  expect_equal(before.objects.numatopologies, after.objects.numatopologies, 1);
  EXPECT_EQ(before.objects.numatopologies[0].object.resources.at("cpu").allocatable,
            (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(json.find("SECRET"), std::string::npos);
}

TEST(Volcano, TheDefaultsAreThoseOfTheWebhooks) {
  const Loaded loaded = load_text(kObjects, "x.yaml");
  const volcano::JobSpec& spec = loaded.objects.volcano_jobs.front().object.spec;
  EXPECT_EQ(spec.running_estimate_seconds, 5400);
  EXPECT_TRUE(spec.plugins.contains("svc"));  // mpi needs both
  EXPECT_TRUE(spec.plugins.contains("ssh"));
  EXPECT_EQ(spec.tasks[0].min_available, 1);
  EXPECT_EQ(spec.tasks[1].min_available, 2);  // minPartitions times partitionSize
  EXPECT_EQ(spec.tasks[0].pod_template.spec.scheduler_name, "");
  EXPECT_EQ(spec.tasks[1].pod_template.spec.scheduler_name, "other");
  const volcano::JobSpec& plain = loaded.objects.volcano_cron_jobs.front().object.job;
  EXPECT_EQ(plain.tasks[0].name, "default0");
  EXPECT_EQ(plain.min_available, 2);
  EXPECT_EQ(plain.queue, "default");
  EXPECT_EQ(plain.scheduler_name, "volcano");
  EXPECT_EQ(plain.max_retry, 3);
}

TEST(Volcano, AJobOfVolcanoAndABatchJobMayShareAName) {
  const Loaded loaded = load_text(job("tasks: [" + task("replicas: 1") + "]") +
                                      "---\n{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: "
                                      "{spec: {restartPolicy: Never, containers: [{name: m, image: i}]}}}}\n",
                                  "x.yaml");
  EXPECT_EQ(loaded.objects.jobs.size(), 1U);
  EXPECT_EQ(loaded.objects.volcano_jobs.size(), 1U);
  EXPECT_TRUE(loaded.remarks.empty());
}

struct Refusal {
  std::string text;
  std::string_view says;
};

TEST(Volcano, WhatVolcanoRefusesIsRefusedWithItsField) {
  const std::string one = task("replicas: 2");
  const std::vector<Refusal> refusals = {
      {job("tasks: []"), "The job has no tasks"},
      {job("minAvailable: 3, tasks: [" + one + "]"), "minAvailable is 3, more than the 2 pods"},
      {job("tasks: [" + task("replicas: 2, minAvailable: 3") + "]"), "spec.tasks[0]"},
      {job("tasks: [" + one + ", " + one + "]"), "Two tasks are named w"},
      {job("tasks: [" + task("replicas: 1", "UPPER") + "]"), "name:"},
      {job("tasks: [{name: w, replicas: 1}]"), "template is missing"},
      {job("tasks: [" + task("dependsOn: {name: [b]}", "a") + ", " + task("dependsOn: {name: [a]}", "b") + "]"),
       "form a circle through"},
      {job("tasks: [" + task("dependsOn: {name: [x]}") + "]"), "\"x\", which is no task"},
      {job("tasks: [" + task("replicas: 5, partitionPolicy: {totalPartitions: 2, partitionSize: 2}") + "]"),
       "partitionPolicy makes 4 pods"},
      {job("policies: [{action: RestartJob}], tasks: [" + one + "]"), "The policy answers nothing"},
      {job("policies: [{event: PodFailed, exitCode: 1, action: RestartJob}], tasks: [" + one + "]"), "not both"},
      {job("policies: [{exitCode: 0, action: RestartJob}], tasks: [" + one + "]"), "exitCode 0 is success"},
      {job("policies: [{event: OutOfSync, action: RestartJob}], tasks: [" + one + "]"), "the controller's own"},
      {job("policies: [{event: PodFailed, action: Explode}], tasks: [" + one + "]"), "RestartJob"},
      {job("policies: [{event: PodFailed, action: RestartJob, timeout: soon}], tasks: [" + one + "]"),
       "is no duration"},
      {job("policies: [{event: '*', action: RestartJob}, {event: PodFailed, action: AbortJob}], tasks: [" + one + "]"),
       "there can be no other event"},
      {job("policies: [{event: PodFailed, action: RestartJob}, {event: PodFailed, action: AbortJob}], tasks: [" + one +
           "]"),
       "has two policies"},
      {job("plugins: {magic: []}, tasks: [" + one + "]"), "is no job plugin"},
      {job("minSuccess: 0, tasks: [" + one + "]"), "minSuccess is 0"},
      {"{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}, spec: {weight: 0}}",
       "1 to 65535"},
      {"{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}, spec: {deserved: {cpu: 3}, "
       "capability: {cpu: 2}}}",
       "more than spec.capability 2"},
      {"{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}, status: {state: Ajar}}",
       "Open, Closed, Closing or Unknown"},
      {"{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g}, spec: {minMember: -1}}",
       "spec.minMember is -1"},
      {"{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g}, spec: {networkTopology: "
       "{highestTierAllowed: 1, highestTierName: rack}}}",
       "exclude each other"},
      {"{apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: h}, spec: {tier: 1, members: "
       "[{type: Node, selector: {}}]}}",
       "exactly one of"},
      {"{apiVersion: nodeinfo.volcano.sh/v1alpha1, kind: Numatopology, metadata: {name: h}, spec: {numares: {cpu: "
       "{allocatable: 3-1}}}}",
       "is no set of CPUs"},
      {"{apiVersion: nodeinfo.volcano.sh/v1alpha1, kind: Numatopology, metadata: {name: h}, spec: {numares: {cpu: "
       "{allocatable: 0-1}}, cpuDetail: {'0': {}}}}",
       "has CPU 1"},
      {"{apiVersion: nodeinfo.volcano.sh/v1alpha1, kind: Numatopology, metadata: {name: h}, spec: {cpuDetail: {'0': "
       "{numa: 64}}}}",
       "at most 64 NUMA nodes"},
      {"{apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: h}, spec: {tier: 1, members: "
       "[{type: HyperNode, selector: {labelMatch: {}}}]}}",
       "selects nodes only"},
      {"{apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f}, spec: {flows: [{name: a, dependsOn: "
       "{targets: [a]}}]}}",
       "circle through a"},
      {"{apiVersion: bus.volcano.sh/v1alpha1, kind: Command, metadata: {name: c}, action: AbortJob}", "target needs"},
  };
  for (const Refusal& refusal : refusals) {
    const std::string said = errors_of(refusal.text);
    EXPECT_NE(said.find(refusal.says), std::string::npos) << refusal.text << said;
    EXPECT_NE(said.find("x.yaml"), std::string::npos) << said;
  }
}

TEST(Volcano, DurationsAreGos) {
  EXPECT_EQ(parse_duration_seconds("90s"), 90);
  EXPECT_EQ(parse_duration_seconds("1h30m"), 5400);
  EXPECT_EQ(parse_duration_seconds("1.5h"), 5400);
  EXPECT_EQ(parse_duration_seconds("1ms"), 1);
  EXPECT_EQ(parse_duration_seconds("0"), 0);
  EXPECT_EQ(parse_duration_seconds("2m.5s"), 121);
  for (const std::string_view wrong : {"", "5", "h", "-5s", "5 s", "1d", "9999999999h", "."})
    EXPECT_EQ(parse_duration_seconds(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace berth::api
