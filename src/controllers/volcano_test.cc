// Volcano's controllers: names, the state machine with every action and event, and what makes jobs.
#include "controllers/volcano.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "api/load.h"

namespace berth::controllers {
namespace {

using api::PodPhase;
using api::volcano::JobPhase;

std::string job_of(std::string_view spec, std::string_view name = "j") {
  return "{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: " + std::string(name) +
         ", namespace: team}, spec: {" + std::string(spec) + "}}\n";
}

std::string task(std::string_view name, int replicas, std::string_view more = "") {
  return "{name: " + std::string(name) + ", replicas: " + std::to_string(replicas) +
         (more.empty() ? "" : ", " + std::string(more)) +
         ", template: {spec: {containers: [{name: m, image: i, resources: {requests: {cpu: 2}}}]}}}";
}

class VolcanoJobs : public testing::Test {
 protected:
  void load(const std::string& text) {
    api::Loaded loaded = api::load_text(text, "x.yaml");
    ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front().to_string();
    objects_ = std::move(loaded.objects);
  }
  // Until nothing changes, as a cluster's controllers would.
  void settle(std::vector<PodEvent> events = {}) {
    for (int round = 0; round < 20; ++round) {
      Expansion made = reconcile(objects_, {.now = now_, .pod_events = std::exchange(events, {})});
      ASSERT_TRUE(made.errors.empty()) << made.errors.front().to_string();
      look_again_ = made.look_again;
      const bool again = !made.volcano_jobs.empty() || !made.pods.empty() || !made.removed_pods.empty() ||
                         !made.job_flows.empty() || !made.volcano_queues.empty();
      removed_ += made.removed_pods.size();
      add(std::move(made), objects_);
      if (!again) return;
    }
    FAIL() << "the controllers never settle";
  }
  api::Pod& pod(std::string_view name) {
    const auto found = std::ranges::find_if(
        objects_.pods, [&](const api::Read<api::Pod>& read) { return read.object.metadata.name == name; });
    EXPECT_NE(found, objects_.pods.end()) << name;
    return found->object;
  }
  void set_phase(std::string_view name, PodPhase phase) {
    pod(name).status.phase = phase;
    pod(name).spec.node_name = "n";
  }
  void run_all() {
    for (auto& read : objects_.pods)
      if (read.object.status.phase == PodPhase::kPending) set_phase(read.object.metadata.name, PodPhase::kRunning);
    settle();
  }
  const api::volcano::Job& job(std::string_view name = "j") {
    const auto found = std::ranges::find_if(objects_.volcano_jobs, [&](const api::Read<api::volcano::Job>& read) {
      return read.object.metadata.name == name;
    });
    EXPECT_NE(found, objects_.volcano_jobs.end()) << name;
    return found->object;
  }
  JobPhase phase(std::string_view name = "j") { return job(name).status.phase.value(); }
  std::set<std::string> names() {
    std::set<std::string> names;
    for (const auto& read : objects_.pods) names.insert(read.object.metadata.name);
    return names;
  }
  void command(std::string_view action) {
    api::volcano::Command command;
    command.metadata.name = "c";
    command.metadata.namespace_ = "team";
    command.target.kind = "Job";
    command.target.name = "j";
    command.action = action == "AbortJob"       ? api::volcano::Command::Action::kAbortJob
                     : action == "ResumeJob"    ? api::volcano::Command::Action::kResumeJob
                     : action == "TerminateJob" ? api::volcano::Command::Action::kTerminateJob
                     : action == "RestartJob"   ? api::volcano::Command::Action::kRestartJob
                                                : api::volcano::Command::Action::kCompleteJob;
    objects_.volcano_commands.push_back({command, {}});
    settle();
    EXPECT_TRUE(objects_.volcano_commands.empty());
  }

  api::ObjectSet objects_;
  api::Time now_ = 1000;
  std::optional<api::Time> look_again_;
  std::size_t removed_ = 0;
};

TEST_F(VolcanoJobs, AJobOfTwoThousandMillionPodsIsRefusedAtOnce) {
  load(job_of("minAvailable: 1, tasks: [" + task("w", 2'147'483'647, "minAvailable: 1") + "]"));
  const Expansion made = reconcile(objects_, {.now = now_});
  EXPECT_TRUE(made.pods.empty());
  ASSERT_EQ(made.errors.size(), 1U);
  EXPECT_NE(made.errors.front().message.find("asks for 2147483647 new pods"), std::string::npos);
}

TEST_F(VolcanoJobs, OnlyTheMissingPodsAreMade) {
  load(job_of("tasks: [" + task("w", 12) + "]"));
  settle();
  ASSERT_EQ(objects_.pods.size(), 12U);
  std::erase_if(objects_.pods, [](const auto& read) {
    return read.object.metadata.name == "j-w-3" || read.object.metadata.name == "j-w-11";
  });
  // Not a name that the controller gives.
  pod("j-w-7").metadata.name = "j-w-07";
  const Expansion made = reconcile(objects_, {.now = now_});
  std::set<std::string> names;
  for (const auto& read : made.pods) names.insert(read.object.metadata.name);
  EXPECT_EQ(names, (std::set<std::string>{"j-w-11", "j-w-3", "j-w-7"}));
}

TEST_F(VolcanoJobs, AJobThatIsRestartedWholeQueuesAgain) {
  load(job_of("tasks: [" + task("w", 1) + "]"));
  objects_.volcano_jobs.front().object.metadata.creation_timestamp = 10;
  settle();
  ASSERT_EQ(objects_.volcano_pod_groups.size(), 1U);
  EXPECT_EQ(objects_.volcano_pod_groups.front().object.metadata.creation_timestamp, 10);
  run_all();
  now_ = 2000;
  command("RestartJob");
  ASSERT_EQ(objects_.volcano_pod_groups.size(), 1U);
  EXPECT_EQ(objects_.volcano_pod_groups.front().object.metadata.creation_timestamp, 2000);
}

TEST_F(VolcanoJobs, ExitCodesOfPodsThatAreFoundFailedCount) {
  load(job_of("policies: [{exitCode: 3, action: AbortJob}], tasks: [" + task("w", 2) + "]"));
  settle();
  run_all();
  set_phase("j-w-0", PodPhase::kFailed);
  pod("j-w-0").status.container_statuses = {{.name = "m", .exit_code = 4}};
  settle();
  EXPECT_EQ(phase(), JobPhase::kRunning);
  pod("j-w-0").status.container_statuses = {{.name = "m", .exit_code = 3}};
  settle();
  EXPECT_EQ(phase(), JobPhase::kAborted);
}

TEST_F(VolcanoJobs, ATaskThatWaitsForItsOwnGangSaysSo) {
  const auto remarks = [&](const std::string& least) {
    load(job_of(least + "tasks: [" + task("a", 1) + ", " + task("b", 2, "dependsOn: {name: [a]}") + "]"));
    return reconcile(objects_, {.now = now_}).remarks;
  };
  const std::vector<Error> waiting = remarks("");
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_NE(waiting.front().message.find("the task b waits for another task"), std::string::npos);
  EXPECT_TRUE(remarks("minAvailable: 1, ").empty());
  EXPECT_EQ(remarks("minAvailable: 2, ").size(), 1U);
}

TEST_F(VolcanoJobs, PodsAndGroupHaveVolcanosNames) {
  load(job_of("queue: q, priorityClassName: high, minAvailable: 2, tasks: [" + task("ps", 1) + ", " +
              task("w", 4, "partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 1}") + "]"));
  objects_.volcano_jobs.front().object.metadata.uid = "u1";
  settle();
  EXPECT_EQ(names(), (std::set<std::string>{"j-ps-0", "j-w-0", "j-w-1", "j-w-2", "j-w-3"}));
  const api::Pod& last = pod("j-w-3");
  EXPECT_EQ(last.metadata.annotations.at("scheduling.k8s.io/group-name"), "j-u1");
  EXPECT_EQ(last.metadata.annotations.at("volcano.sh/task-spec"), "w");
  EXPECT_EQ(last.metadata.annotations.at("volcano.sh/job-version"), "0");
  EXPECT_EQ(last.metadata.annotations.at("volcano.sh/template-uid"), "j-w");
  EXPECT_EQ(last.metadata.labels.at("volcano.sh/job-name"), "j");
  EXPECT_EQ(last.metadata.labels.at("volcano.sh/job-namespace"), "team");
  EXPECT_EQ(last.metadata.labels.at("volcano.sh/queue-name"), "q");
  EXPECT_EQ(last.metadata.labels.at("volcano.sh/task-index"), "3");
  EXPECT_EQ(last.metadata.labels.at("volcano.sh/partition-id"), "1");
  EXPECT_EQ(last.spec.scheduler_name, "volcano");
  ASSERT_EQ(objects_.volcano_pod_groups.size(), 1U);
  const api::volcano::PodGroup& group = objects_.volcano_pod_groups.front().object;
  EXPECT_EQ(group.metadata.name, "j-u1");
  EXPECT_EQ(group.min_member, 2);
  EXPECT_EQ(group.queue, "q");
  EXPECT_EQ(group.priority_class_name, "high");
  EXPECT_EQ(group.min_task_member.at("w"), 2);
  ASSERT_EQ(group.sub_group_policy.size(), 1U);
  EXPECT_EQ(group.sub_group_policy[0].sub_group_size, 2);
  EXPECT_EQ(group.min_resources->at("cpu").to_string(), "4");
  EXPECT_EQ(phase(), JobPhase::kPending);
  EXPECT_EQ(job().status.pending, 5);
}

TEST_F(VolcanoJobs, RunsAndCompletes) {
  load(job_of("tasks: [" + task("w", 2) + "]"));
  settle();
  run_all();
  EXPECT_EQ(phase(), JobPhase::kRunning);
  EXPECT_EQ(job().status.running, 2);
  EXPECT_EQ(job().status.task_status_count.at("w").at(PodPhase::kRunning), 2);
  set_phase("j-w-0", PodPhase::kSucceeded);
  set_phase("j-w-1", PodPhase::kSucceeded);
  settle();
  EXPECT_EQ(phase(), JobPhase::kCompleted);
  EXPECT_EQ(removed_, 0U);
}

TEST_F(VolcanoJobs, ATaskWithTooFewSuccessesFailsTheJob) {
  load(job_of("tasks: [" + task("w", 2) + "]"));
  settle();
  run_all();
  set_phase("j-w-0", PodPhase::kSucceeded);
  set_phase("j-w-1", PodPhase::kFailed);
  settle();
  EXPECT_EQ(phase(), JobPhase::kFailed);
}

// A pod that failed, and what each action makes of the job of three.
struct Answer {
  std::string_view action;
  JobPhase phase;
  std::size_t removed;
  std::int32_t retries;
};

TEST_F(VolcanoJobs, EveryActionAnswersAFailedPod) {
  const std::vector<Answer> answers = {
      {"RestartJob", JobPhase::kPending, 3, 1},    {"RestartTask", JobPhase::kPending, 2, 1},
      {"RestartPod", JobPhase::kPending, 1, 1},    {"RestartPartition", JobPhase::kPending, 2, 1},
      {"AbortJob", JobPhase::kAborted, 2, 0},      {"TerminateJob", JobPhase::kTerminated, 2, 0},
      {"CompleteJob", JobPhase::kCompleted, 2, 0},
  };
  for (const Answer& answer : answers) {
    removed_ = 0;
    load(job_of("minAvailable: 3, policies: [{event: PodFailed, action: " + std::string(answer.action) +
                "}], tasks: [" + task("ps", 1) + ", " + task("w", 2) + "]"));
    settle();
    run_all();
    set_phase("j-w-1", PodPhase::kFailed);
    settle();
    EXPECT_EQ(phase(), answer.phase) << answer.action;
    EXPECT_EQ(removed_, answer.removed) << answer.action;
    EXPECT_EQ(job().status.retry_count, answer.retries) << answer.action;
    EXPECT_EQ(names().size(), answer.retries > 0 ? 3U : 1U) << answer.action;
  }
}

// Targeted kills keep the group, and the job does not stay in Restarting.
TEST_F(VolcanoJobs, RestartPodKeepsTheGroup) {
  load(job_of("tasks: [" + task("w", 2, "policies: [{event: PodFailed, action: RestartPod}]") + "]"));
  settle();
  run_all();
  set_phase("j-w-0", PodPhase::kFailed);
  settle();
  EXPECT_EQ(objects_.volcano_pod_groups.size(), 1U);
  EXPECT_EQ(pod("j-w-0").status.phase, PodPhase::kPending);
  EXPECT_EQ(pod("j-w-1").status.phase, PodPhase::kRunning);
  run_all();
  EXPECT_EQ(phase(), JobPhase::kRunning);
}

// The last retry: Failed, and nothing of it runs on.
TEST_F(VolcanoJobs, AJobOutOfRetriesLeavesNothingRunning) {
  load(job_of("maxRetry: 2, policies: [{event: PodFailed, action: RestartJob}], tasks: [" + task("w", 2) + "]"));
  settle();
  for (int retry = 0; retry < 2; ++retry) {
    run_all();
    set_phase("j-w-0", PodPhase::kFailed);
    settle();
  }
  EXPECT_EQ(phase(), JobPhase::kFailed);
  EXPECT_EQ(job().status.retry_count, 2);
  EXPECT_EQ(names(), (std::set<std::string>{"j-w-0"}));  // what failed stays to be looked at
}

TEST_F(VolcanoJobs, EveryEventIsHeard) {
  const auto with = [&](std::string_view event, std::string_view more = "") {
    removed_ = 0;
    load(job_of("policies: [{event: " + std::string(event) + ", action: TerminateJob" + std::string(more) +
                "}], tasks: [" + task("w", 2) + "]"));
    settle();
  };
  with("PodEvicted");
  run_all();
  const api::Pod lost = pod("j-w-0");
  std::erase_if(objects_.pods, [](const auto& read) { return read.object.metadata.name == "j-w-0"; });
  settle({{PodEvent::Kind::kLost, lost, {}}});
  EXPECT_EQ(phase(), JobPhase::kTerminated);

  with("TaskCompleted");
  run_all();
  set_phase("j-w-0", PodPhase::kSucceeded);
  settle();
  EXPECT_EQ(phase(), JobPhase::kRunning);
  set_phase("j-w-1", PodPhase::kSucceeded);
  settle();
  EXPECT_EQ(phase(), JobPhase::kTerminated);

  with("TaskFailed");
  run_all();
  pod("j-w-0").status.container_statuses = {{.name = "m", .restart_count = 2}};
  settle();
  EXPECT_EQ(phase(), JobPhase::kRunning);
  pod("j-w-1").status.container_statuses = {{.name = "m", .restart_count = 1}};
  settle();
  EXPECT_EQ(phase(), JobPhase::kTerminated);

  with("Unknown");
  run_all();
  objects_.volcano_pod_groups.front().object.status.phase = api::volcano::PodGroupPhase::kUnknown;
  settle();
  EXPECT_EQ(phase(), JobPhase::kTerminated);

  with("'*'");
  run_all();
  set_phase("j-w-0", PodPhase::kFailed);
  settle();
  EXPECT_EQ(phase(), JobPhase::kTerminated);

  with("PodPending", ", timeout: 30s");
  EXPECT_EQ(phase(), JobPhase::kPending);
  EXPECT_EQ(look_again_, 1030);
  now_ = 1029;
  settle();
  EXPECT_EQ(phase(), JobPhase::kPending);
  now_ = 1030;
  settle();
  EXPECT_EQ(phase(), JobPhase::kTerminated);
}

TEST_F(VolcanoJobs, PendingPodsAreNoEventWithoutATimeout) {
  load(job_of("policies: [{event: PodPending, action: AbortJob}], tasks: [" + task("w", 2) + "]"));
  settle();
  EXPECT_EQ(phase(), JobPhase::kPending);
}

TEST_F(VolcanoJobs, ExitCodesAreToldByWhoSawThem) {
  load(job_of("policies: [{exitCode: 3, action: AbortJob}], tasks: [" + task("w", 2) + "]"));
  settle();
  run_all();
  settle({{PodEvent::Kind::kFailed, pod("j-w-0"), 4}});
  EXPECT_EQ(phase(), JobPhase::kRunning);
  settle({{PodEvent::Kind::kFailed, pod("j-w-0"), 3}});
  EXPECT_EQ(phase(), JobPhase::kAborted);
}

TEST_F(VolcanoJobs, TaskPoliciesComeBeforeTheJobs) {
  load(job_of("policies: [{event: PodFailed, action: TerminateJob}], tasks: [" +
              task("w", 2, "policies: [{event: PodFailed, action: RestartPod}]") + "]"));
  settle();
  run_all();
  set_phase("j-w-0", PodPhase::kFailed);
  settle();
  EXPECT_EQ(phase(), JobPhase::kPending);
}

TEST_F(VolcanoJobs, WhatHappenedToAnOlderVersionIsHistory) {
  load(job_of("policies: [{event: PodEvicted, action: RestartJob}], tasks: [" + task("w", 2) + "]"));
  settle();
  run_all();
  const api::Pod old = pod("j-w-0");
  settle({{PodEvent::Kind::kLost, old, {}}});
  EXPECT_EQ(job().status.version, 1);
  settle({{PodEvent::Kind::kLost, old, {}}});
  EXPECT_EQ(job().status.version, 1);
  EXPECT_EQ(job().status.retry_count, 1);
}

TEST_F(VolcanoJobs, CommandsAbortResumeRestartTerminateAndComplete) {
  load(job_of("tasks: [" + task("w", 2) + "]"));
  settle();
  run_all();
  command("AbortJob");
  EXPECT_EQ(phase(), JobPhase::kAborted);
  EXPECT_TRUE(names().empty());
  command("ResumeJob");
  EXPECT_EQ(phase(), JobPhase::kPending);
  EXPECT_EQ(names().size(), 2U);
  run_all();
  command("RestartJob");
  EXPECT_EQ(phase(), JobPhase::kPending);
  run_all();
  command("CompleteJob");
  EXPECT_EQ(phase(), JobPhase::kCompleted);
  command("TerminateJob");
  EXPECT_EQ(phase(), JobPhase::kCompleted);  // over is over
}

TEST_F(VolcanoJobs, DependentTasksWait) {
  load(job_of("minAvailable: 1, tasks: [" + task("a", 2) + ", " + task("b", 1, "dependsOn: {name: [a]}") + ", " +
              task("c", 1, "dependsOn: {name: [a, b], iteration: any}") + "]"));
  settle();
  EXPECT_EQ(names(), (std::set<std::string>{"j-a-0", "j-a-1"}));
  set_phase("j-a-0", PodPhase::kRunning);
  settle();
  EXPECT_EQ(names().size(), 2U);  // a needs both
  set_phase("j-a-1", PodPhase::kSucceeded);
  settle();
  EXPECT_EQ(names(), (std::set<std::string>{"j-a-0", "j-a-1", "j-b-0", "j-c-0"}));
}

TEST_F(VolcanoJobs, ScalingInTakesThePodsBeyond) {
  load(job_of("minAvailable: 1, tasks: [" + task("w", 3) + "]"));
  settle();
  objects_.volcano_jobs.front().object.spec.tasks.front().replicas = 1;
  settle();
  EXPECT_EQ(names(), (std::set<std::string>{"j-w-0"}));
}

TEST_F(VolcanoJobs, PluginsMakeWhatASchedulerSees) {
  load(
      job_of("plugins: {pytorch: ['--port=1234']}, volumes: [{mountPath: /d, volumeClaim: {accessModes: "
             "[ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}], tasks: [" +
             task("master", 1) + ", " + task("worker", 1) + ", " + task("other", 1) + "]"));
  settle();
  ASSERT_EQ(objects_.services.size(), 1U);  // pytorch needs svc
  EXPECT_EQ(objects_.services.front().object.metadata.name, "j");
  EXPECT_TRUE(std::ranges::all_of(objects_.services.front().object.selector, [&](const auto& entry) {
    return pod("j-other-0").metadata.labels.at(entry.first) == entry.second;
  }));
  EXPECT_EQ(pod("j-worker-0").spec.containers.front().ports.front().container_port, 1234);
  EXPECT_TRUE(pod("j-other-0").spec.containers.front().ports.empty());
  ASSERT_EQ(objects_.persistent_volume_claims.size(), 1U);
  EXPECT_EQ(pod("j-other-0").spec.volumes.front().persistent_volume_claim,
            objects_.persistent_volume_claims.front().object.metadata.name);
}

TEST_F(VolcanoJobs, TheLifeAfterTheEndIsLimited) {
  load(job_of("ttlSecondsAfterFinished: 60, tasks: [" + task("w", 1) + "]"));
  settle();
  run_all();
  set_phase("j-w-0", PodPhase::kSucceeded);
  settle();
  EXPECT_EQ(look_again_, 1060);
  now_ = 1060;
  settle();
  EXPECT_TRUE(objects_.volcano_jobs.empty());
  EXPECT_TRUE(names().empty());
}

TEST_F(VolcanoJobs, BarePodsGetTheGroupsThatVolcanoMakes) {
  load(R"({apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web, namespace: team, uid: u7,
      annotations: {scheduling.volcano.sh/group-min-member: "2"}}, spec: {replicas: 3, selector: {matchLabels: {a: b}},
      template: {metadata: {labels: {a: b}, annotations: {scheduling.volcano.sh/queue-name: q}}, spec: {schedulerName: volcano,
      containers: [{name: m, image: i, resources: {requests: {cpu: 2}}}]}}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: alone, namespace: team}, spec: {schedulerName: volcano, containers: [{name: m, image: i}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: other, namespace: team}, spec: {containers: [{name: m, image: i}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: named, namespace: team, annotations: {scheduling.k8s.io/group-name: g}},
 spec: {schedulerName: volcano, containers: [{name: m, image: i}]}}
)");
  settle();
  ASSERT_EQ(objects_.volcano_pod_groups.size(), 2U);
  const api::volcano::PodGroup& alone = objects_.volcano_pod_groups[0].object;
  EXPECT_EQ(alone.metadata.name, "podgroup-alone");
  EXPECT_EQ(alone.min_member, 1);
  const api::volcano::PodGroup& web = objects_.volcano_pod_groups[1].object;
  EXPECT_EQ(web.metadata.name, "podgroup-u7");
  EXPECT_EQ(web.min_member, 2);
  EXPECT_EQ(web.queue, "q");
  EXPECT_EQ(web.min_resources->at("cpu").to_string(), "4");
}

TEST_F(VolcanoJobs, AFlowGoesStepByStepAndCleansUp) {
  const std::string from =
      "{apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {namespace: team, name: ";
  load(from + "a}, spec: {tasks: [" + task("w", 1) + "]}}\n---\n" + from + "b}, spec: {tasks: [" + task("w", 1) +
       "]}}\n---\n{apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f, namespace: team}, spec: "
       "{jobRetainPolicy: delete, flows: [{name: b, dependsOn: {targets: [a]}}, {name: a}]}}\n");
  settle();
  EXPECT_EQ(names(), (std::set<std::string>{"f-a-w-0"}));
  run_all();
  EXPECT_EQ(objects_.job_flows.front().object.phase, api::volcano::JobFlowPhase::kRunning);
  set_phase("f-a-w-0", PodPhase::kSucceeded);
  settle();
  EXPECT_TRUE(names().contains("f-b-w-0"));
  run_all();
  set_phase("f-b-w-0", PodPhase::kSucceeded);
  settle();
  EXPECT_EQ(objects_.job_flows.front().object.phase, api::volcano::JobFlowPhase::kSucceed);
  EXPECT_TRUE(objects_.volcano_jobs.empty());
  EXPECT_TRUE(names().empty());
}

TEST_F(VolcanoJobs, AFlowStartsWhenTheTaskOfItsProbeRuns) {
  const std::string from =
      "{apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {namespace: team, name: ";
  load(from + "a}, spec: {tasks: [" + task("w", 2) + "]}}\n---\n" + from + "b}, spec: {tasks: [" + task("w", 1) +
       "]}}\n---\n{apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f, namespace: team}, spec: "
       "{flows: [{name: b, dependsOn: {targets: [a], probe: {taskStatusList: [{taskName: w, phase: Running}]}}, patch: "
       "{spec: {priorityClassName: high, tasks: [{name: w, replicas: 3}, {name: x, replicas: 1, template: {spec: "
       "{containers: [{name: m, image: i}]}}}]}}}, {name: a}]}}\n");
  settle();
  set_phase("f-a-w-0", PodPhase::kRunning);
  settle();
  EXPECT_EQ(names().size(), 2U) << "one of two runs, and both are needed";
  run_all();
  settle();
  EXPECT_EQ(names(), (std::set<std::string>{"f-a-w-0", "f-a-w-1", "f-b-w-0", "f-b-w-1", "f-b-w-2", "f-b-x-0"}));
  const api::volcano::JobSpec& made = objects_.volcano_jobs.back().object.spec;
  EXPECT_EQ(made.priority_class_name, "high");
  EXPECT_EQ(made.tasks.front().min_available, 3) << "who needs all goes on to need all";
  EXPECT_EQ(made.min_available, 4);
}

TEST_F(VolcanoJobs, ACronJobMakesTheJobOfItsNextTime) {
  load(
      "{apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c, namespace: team}, spec: {schedule: "
      "'0 3 * * *', jobTemplate: {spec: {tasks: [" +
      task("w", 2) + "]}}}}\n");
  settle();
  ASSERT_EQ(objects_.volcano_jobs.size(), 1U);
  EXPECT_EQ(names().size(), 2U);
}

}  // namespace
}  // namespace berth::controllers
