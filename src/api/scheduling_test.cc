#include "api/scheduling.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "api/encode.h"
#include "api/load.h"
#include "text/json_writer.h"

namespace berth::api {
namespace {

// With claims of groups.
Loaded load_gated(std::string_view text) {
  LoadOptions options;
  options.gates.set(Gate::kWorkloadResourceClaims, true);
  Loader loader(std::move(options));
  text::MemorySource source(text);
  loader.load_source(source, "");
  return std::move(loader).finish();
}

std::string error_of(std::string_view text) {
  const Loaded loaded = load_gated(text);
  return loaded.errors.empty() ? "" : loaded.errors.front().to_string();
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string group(std::string_view spec) {
  return "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g}, spec: " + std::string(spec) +
         "}";
}

TEST(Scheduling, ReadsAPodGroupOfV1beta1) {
  const Loaded loaded = load_gated(R"(
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: train}
spec:
  parentCompositePodGroupName: all
  workloadRef: {workloadName: w, templateName: workers}
  schedulingPolicy: {gang: {minCount: 4}}
  schedulingConstraints: {topology: [{key: topology.example/rack}]}
  resourceClaims: [{name: fabric, resourceClaimTemplateName: channel}]
  disruptionMode: {all: {}}
  priorityClassName: high
  priority: 7
  preemptionPolicy: Never
status:
  conditions: [{type: PodGroupInitiallyScheduled, status: "False", reason: Unschedulable, message: m}]
  resourceClaimStatuses: [{name: fabric, resourceClaimName: train-fabric-x}]
)");
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front().to_string();
  EXPECT_TRUE(loaded.remarks.empty());
  ASSERT_EQ(loaded.objects.pod_groups.size(), 1U);
  const PodGroup& read = loaded.objects.pod_groups[0].object;
  EXPECT_EQ(read.parent, "all");
  EXPECT_EQ(read.made_from->template_name, "workers");
  EXPECT_EQ(read.rules.policy.gang_minimum, 4);
  EXPECT_EQ(read.rules.topology_keys, std::vector<std::string>{"topology.example/rack"});
  EXPECT_EQ(read.rules.resource_claims.at(0).resource_claim_template_name, "channel");
  EXPECT_EQ(read.rules.disruption_mode, DisruptionMode::kAll);
  EXPECT_EQ(read.rules.priority, 7);
  EXPECT_EQ(read.rules.preemption_policy, PreemptionPolicy::kNever);
  EXPECT_EQ(read.conditions.at(0).reason, "Unschedulable");
  EXPECT_EQ(read.resource_claim_statuses.at(0).resource_claim_name, "train-fabric-x");
}

TEST(Scheduling, EachVersionIsWrittenAsItWasRead) {
  constexpr std::string_view kObjects = R"(
{apiVersion: scheduling.k8s.io/v1alpha1, kind: Workload, metadata: {name: first}, spec: {controllerRef: {apiGroup: batch, kind: Job, name: j}, podGroups: [{name: a, policy: {basic: {}}}, {name: b, policy: {gang: {minCount: 2}}}]}}
---
{apiVersion: scheduling.k8s.io/v1alpha2, kind: Workload, metadata: {name: second}, spec: {podGroupTemplates: [{name: a, schedulingPolicy: {gang: {minCount: 3}}, disruptionMode: PodGroup, priority: 5}]}}
---
{apiVersion: scheduling.k8s.io/v1alpha2, kind: PodGroup, metadata: {name: second-a}, spec: {podGroupTemplateRef: {workload: {workloadName: second, podGroupTemplateName: a}}, schedulingPolicy: {gang: {minCount: 3}}, disruptionMode: Pod}}
---
{apiVersion: scheduling.k8s.io/v1beta1, kind: Workload, metadata: {name: third}, spec: {compositePodGroupTemplates: [{name: all, schedulingPolicy: {gang: {minGroupCount: 2}}, podGroupTemplates: [{name: left, schedulingPolicy: {basic: {}}}], compositePodGroupTemplates: [{name: below, schedulingPolicy: {basic: {}}, disruptionMode: {single: {}}, podGroupTemplates: [{name: right, schedulingPolicy: {basic: {}}}]}]}]}}
---
{apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: {name: all}, spec: {workloadRef: {workloadName: third, templateName: all}, schedulingPolicy: {gang: {minGroupCount: 2}}, schedulingConstraints: {topology: [{key: block}]}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {schedulingGroup: {podGroupName: second-a}, containers: [{name: c, image: i}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: q}, spec: {workloadRef: {name: first, podGroup: b, podGroupReplicaKey: "1"}, containers: [{name: c, image: i}]}}
)";
  const Loaded before = load_text(kObjects);
  ASSERT_TRUE(before.errors.empty()) << before.errors.front().to_string();
  EXPECT_TRUE(before.remarks.empty()) << before.remarks.front().to_string();
  std::string json;
  text::JsonWriter writer(json);
  write_list(writer, before.objects);
  EXPECT_TRUE(says(json, R"("disruptionMode":"PodGroup")"));
  EXPECT_TRUE(says(json, R"("podGroups":[{"name":"a","policy":{"basic":{}}})"));
  const Loaded after = load_text(json);
  ASSERT_TRUE(after.errors.empty()) << after.errors.front().to_string();
  ASSERT_EQ(after.objects.workloads.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(after.objects.workloads[i].object, before.objects.workloads[i].object);
  ASSERT_EQ(after.objects.pod_groups.size(), 1U);
  EXPECT_EQ(after.objects.pod_groups[0].object, before.objects.pod_groups[0].object);
  ASSERT_EQ(after.objects.composite_pod_groups.size(), 1U);
  EXPECT_EQ(after.objects.composite_pod_groups[0].object, before.objects.composite_pod_groups[0].object);
  ASSERT_EQ(after.objects.pods.size(), 2U);
  EXPECT_EQ(after.objects.pods[0].object, before.objects.pods[0].object);
  EXPECT_EQ(after.objects.pods[1].object.spec.scheduling_group->workload_instance, "1");
}

TEST(Scheduling, SaysWhatIsWrongWithAGroup) {
  EXPECT_TRUE(says(error_of(group("{}")), "schedulingPolicy"));
  EXPECT_TRUE(says(error_of(group("{schedulingPolicy: {}}")), "either basic or gang"));
  EXPECT_TRUE(says(error_of(group("{schedulingPolicy: {basic: {}, gang: {minCount: 1}}}")), "either basic or gang"));
  EXPECT_TRUE(says(error_of(group("{schedulingPolicy: {gang: {}}}")), "minCount is missing"));
  EXPECT_TRUE(says(error_of(group("{schedulingPolicy: {gang: {minCount: 0}}}")), "1 or more"));
  EXPECT_TRUE(says(error_of(group("{schedulingPolicy: {basic: {}}, disruptionMode: {}}")), "either single or all"));
  EXPECT_TRUE(says(error_of(group("{schedulingPolicy: {basic: {}}, schedulingConstraints: {topology: [{key: a}, "
                                  "{key: b}]}}")),
                   "topology constraints"));
  EXPECT_TRUE(says(error_of(group("{schedulingPolicy: {basic: {}}, schedulingConstraints: {topology: [{}]}}")),
                   "key is missing"));
  EXPECT_TRUE(
      says(error_of(group("{schedulingPolicy: {basic: {}}, schedulingConstraints: {topology: [{key: 'a b'}]}}")),
           "topology[0].key"));
  EXPECT_TRUE(says(error_of(group("{schedulingPolicy: {basic: {}}, workloadRef: {workloadName: w}}")), "write both"));
  EXPECT_TRUE(says(error_of(group("{schedulingPolicy: {basic: {}}, resourceClaims: [{name: a}]}")),
                   "resourceClaimTemplateName"));
  EXPECT_TRUE(says(error_of(group("{schedulingPolicy: {basic: {}}, resourceClaims: [{name: a, resourceClaimName: x}, "
                                  "{name: a, resourceClaimName: z}]}")),
                   "twice"));
}

TEST(Scheduling, ClaimsOfAGroupNeedTheirGate) {
  const Loaded loaded =
      load_text(group("{schedulingPolicy: {basic: {}}, resourceClaims: [{name: a, resourceClaimName: x}]}"));
  ASSERT_EQ(loaded.objects.pod_groups.size(), 1U);
  EXPECT_TRUE(loaded.objects.pod_groups[0].object.rules.resource_claims.empty());
  ASSERT_EQ(loaded.remarks.size(), 1U);
  EXPECT_TRUE(says(loaded.remarks[0].to_string(), "DRAWorkloadResourceClaims"));
}

TEST(Scheduling, SaysWhatIsWrongWithAWorkload) {
  const auto workload = [](std::string_view spec) {
    return error_of("{apiVersion: scheduling.k8s.io/v1beta1, kind: Workload, metadata: {name: w}, spec: " +
                    std::string(spec) + "}");
  };
  EXPECT_TRUE(says(workload("{}"), "set one"));
  EXPECT_TRUE(says(workload("{podGroupTemplates: [{name: a, schedulingPolicy: {basic: {}}}, {name: a, "
                            "schedulingPolicy: {basic: {}}}]}"),
                   "twice"));
  std::string nine;
  for (int i = 0; i < 9; ++i) nine += "{name: t" + std::to_string(i) + ", schedulingPolicy: {basic: {}}}, ";
  EXPECT_TRUE(says(workload("{podGroupTemplates: [" + nine + "]}"), "8"));
  std::string deep = "podGroupTemplates: [{name: leaf, schedulingPolicy: {basic: {}}}]";
  for (int i = 0; i < 5; ++i)
    deep =
        "compositePodGroupTemplates: [{name: l" + std::to_string(i) + ", schedulingPolicy: {basic: {}}, " + deep + "}]";
  EXPECT_TRUE(says(workload("{" + deep + "}"), "nested more than 4"));
}

TEST(Scheduling, AJobMayLeaveTheMinimumOpen) {
  const Loaded loaded = load_text(R"(
apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec:
  parallelism: 4
  completions: 4
  scheduling: {schedulingPolicy: {gang: {}}, disruptionMode: {all: {}}}
  template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}
)");
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front().to_string();
  const JobScheduling& scheduling = *loaded.objects.jobs.at(0).object.spec.scheduling;
  EXPECT_EQ(scheduling.rules.policy.gang_minimum, 0);
  EXPECT_EQ(scheduling.rules.disruption_mode, DisruptionMode::kAll);
}

TEST(Scheduling, GroupsOfOneNameInTwoApiGroupsAreTwoObjects) {
  const Loaded loaded = load_text(R"(
{apiVersion: batch/v1, kind: Job, metadata: {name: same}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
---
{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: same}, spec: {schedulingPolicy: {basic: {}}}}
---
{apiVersion: scheduling.k8s.io/v1alpha2, kind: PodGroup, metadata: {name: same}, spec: {schedulingPolicy: {basic: {}}}}
)");
  EXPECT_TRUE(loaded.errors.empty());
  EXPECT_EQ(loaded.objects.jobs.size(), 1U);
  EXPECT_EQ(loaded.objects.pod_groups.size(), 1U);
  EXPECT_EQ(loaded.remarks.size(), 1U);
}

}  // namespace
}  // namespace berth::api
