#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "controllers/test_objects.h"

namespace berth::controllers {
namespace {

struct Jobs : testing::Test, TestObjects {
  api::Job& job(std::optional<std::int32_t> parallelism, std::optional<std::int32_t> completions) {
    api::Job result;
    result.metadata = named("train");
    result.spec.parallelism = parallelism;
    result.spec.completions = completions;
    result.spec.pod_template = pod_template();
    return objects.jobs.emplace_back(result, Place{}).object;
  }
  api::Job& indexed(std::int32_t parallelism, std::int32_t completions) {
    api::Job& result = job(parallelism, completions);
    result.spec.indexed = true;
    return result;
  }
  api::Pod& pod_of_index(int index) {
    api::Pod& result = pod("train-" + std::to_string(index), "Job", "train");
    result.metadata.annotations["batch.kubernetes.io/job-completion-index"] = std::to_string(index);
    return result;
  }
  // Of the pods that are made.
  [[nodiscard]] std::vector<std::string> indexes() const {
    std::vector<std::string> result;
    for (const auto& read : run().pods)
      result.push_back(read.object.metadata.annotations.at("batch.kubernetes.io/job-completion-index"));
    return result;
  }
};

TEST_F(Jobs, MakeAsManyAsRunAtOnceAndAreStillToComplete) {
  auto& from = job(3, 5);
  EXPECT_EQ(made(), 3U);
  from.status.succeeded = 4;
  EXPECT_EQ(made(), 1U);
  from.status.succeeded = 9;
  EXPECT_EQ(made(), 0U);
  from.status.succeeded = 0;
  pod("a", "Job", "train");
  EXPECT_EQ(made(), 2U);
  pod("b", "Job", "train").metadata.deletion_timestamp = 1;  // replaced at once
  EXPECT_EQ(made(), 2U);
  for (int i = 0; i < 4; ++i) {
    pod("done-" + std::to_string(i), "Job", "train").status.phase = api::PodPhase::kSucceeded;
  }
  EXPECT_EQ(made(), 0U);
  objects.pods.erase(objects.pods.begin());
  EXPECT_EQ(made(), 1U);
}

TEST_F(Jobs, OneByDefaultAndAWorkQueueEndsWithItsFirstSuccess) {
  job(std::nullopt, std::nullopt);
  EXPECT_EQ(made(), 1U);
  EXPECT_EQ(run().pods[0].object.metadata.labels.at("job-name"), "train");
  objects.jobs[0].object.spec.parallelism = 4;
  EXPECT_EQ(made(), 4U);
  objects.jobs[0].object.status.succeeded = 1;
  EXPECT_EQ(made(), 0U);
}

TEST_F(Jobs, SuspendedFinishedAndFailedOnesMakeNone) {
  auto& from = job(1, 1);
  from.spec.suspend = true;
  EXPECT_EQ(made(), 0U);
  from.spec.suspend = false;
  from.status.conditions = {{"Complete", "True", "", "", std::nullopt}};
  EXPECT_EQ(made(), 0U);
  from.status.conditions = {{"Failed", "False", "", "", std::nullopt}};
  EXPECT_EQ(made(), 1U);
  from.spec.backoff_limit = 2;
  from.status.failed = 2;
  EXPECT_EQ(made(), 1U);
  from.status.failed = 3;
  EXPECT_EQ(made(), 0U);
  EXPECT_EQ(run().remarks.size(), 1U);
}

TEST_F(Jobs, IndexedOnesMakeTheLowestMissingIndexes) {
  auto& from = job(4, 8);
  from.spec.indexed = true;
  from.status.completed_indexes = "0,2-3";
  from.status.succeeded = 3;
  pod("train-1-x", "Job", "train").metadata.annotations["batch.kubernetes.io/job-completion-index"] = "1";
  const Expansion expansion = run();
  std::vector<std::string> indexes;
  for (const auto& read : expansion.pods) {
    indexes.push_back(read.object.metadata.annotations.at("batch.kubernetes.io/job-completion-index"));
  }
  EXPECT_EQ(indexes, (std::vector<std::string>{"4", "5", "6"}));
  EXPECT_TRUE(expansion.pods[0].object.metadata.name.starts_with("train-4-"));
  from.status.completed_indexes = "5-";
  EXPECT_EQ(run().remarks.size(), 1U);
}

TEST_F(Jobs, OfAnotherControllerMakeNoPods) {
  auto& from = job(2, 2);
  from.spec.managed_by = "kueue.x-k8s.io/multikueue";
  EXPECT_EQ(made(), 0U);
  EXPECT_NE(remark().find("managedBy"), std::string::npos) << remark();
  from.spec.managed_by = "kubernetes.io/job-controller";
  EXPECT_EQ(made(), 2U);
}

TEST_F(Jobs, WithSuccessCriteriaMetOrFailureTargetMakeNoPods) {
  auto& from = job(2, 2);
  for (const char* type : {"SuccessCriteriaMet", "FailureTarget"}) {
    from.status.conditions = {{type, "True", "", "", std::nullopt}};
    EXPECT_EQ(made(), 0U) << type;
    from.status.conditions[0].status = "False";
    EXPECT_EQ(made(), 2U) << type;
  }
}

TEST_F(Jobs, AFailedIndexIsNotMadeAgain) {
  auto& from = indexed(4, 4);
  from.spec.backoff_limit_per_index = 1;
  from.status.failed_indexes = "1";
  from.status.completed_indexes = "0";
  EXPECT_EQ(indexes(), (std::vector<std::string>{"2", "3"}));
  from.spec.max_failed_indexes = 0;
  EXPECT_EQ(made(), 0U);
  from.spec.max_failed_indexes.reset();
  from.status.completed_indexes = "0,2-3";
  EXPECT_EQ(made(), 0U);
  EXPECT_NE(remark().find("no index left"), std::string::npos) << remark();
}

TEST_F(Jobs, AnIndexHasItsOwnBackoff) {
  indexed(2, 2).spec.backoff_limit_per_index = 1;
  auto& first = pod_of_index(0);
  first.status.phase = api::PodPhase::kFailed;
  ASSERT_EQ(indexes(), (std::vector<std::string>{"0", "1"}));
  // The next one knows how often its index failed.
  const Expansion made = run();
  const auto& annotations = made.pods[0].object.metadata.annotations;
  EXPECT_EQ(annotations.at("batch.kubernetes.io/job-index-failure-count"), "1");
  first.metadata.annotations["batch.kubernetes.io/job-index-failure-count"] = "1";
  EXPECT_EQ(indexes(), (std::vector<std::string>{"1"}));
}

TEST_F(Jobs, ThatReplaceOnlyFailedPodsWaitForTheOneThatGoes) {
  auto& from = job(1, 1);
  pod("a", "Job", "train").metadata.deletion_timestamp = 5;
  EXPECT_EQ(made(), 1U);
  from.spec.replace_failed_only = true;
  EXPECT_EQ(made(), 0U);
  objects.pods[0].object.status.phase = api::PodPhase::kFailed;
  EXPECT_EQ(made(), 1U);
  objects.jobs.clear();
  objects.pods.clear();
  auto& shards = indexed(3, 3);
  pod_of_index(1).metadata.deletion_timestamp = 5;
  EXPECT_EQ(indexes(), (std::vector<std::string>{"0", "1", "2"}));
  shards.spec.replace_failed_only = true;
  EXPECT_EQ(indexes(), (std::vector<std::string>{"0", "2"}));
}

TEST_F(Jobs, ADeletedPodIsAFailureWhereItIsReplacedAtOnce) {
  auto& from = job(1, 1);
  from.spec.backoff_limit = 0;
  pod("a", "Job", "train").metadata.deletion_timestamp = 5;
  EXPECT_EQ(made(), 0U);
  from.spec.backoff_limit = 1;
  EXPECT_EQ(made(), 1U);
}

TEST_F(Jobs, PodsThatAreNotCountedYetCountForTheBackoff) {
  auto& from = job(1, 9);
  from.spec.backoff_limit = 2;
  from.status.failed = 2;
  EXPECT_EQ(made(), 1U);
  from.status.uncounted_failed = 1;
  EXPECT_EQ(made(), 0U);
}

TEST_F(Jobs, RestartsInPlaceReachTheBackoffToo) {
  auto& from = job(1, 2);
  from.spec.backoff_limit = 3;
  pod("a", "Job", "train").status.container_statuses = {{.name = "main", .restart_count = 3}};
  from.spec.parallelism = 2;
  EXPECT_EQ(made(), 1U);
  from.spec.pod_template.spec.restart_policy = api::RestartPolicy::kOnFailure;
  EXPECT_EQ(made(), 0U);
}

TEST_F(Jobs, PastTheirDeadlineMakeNoPods) {
  auto& from = job(1, 1);
  from.spec.active_deadline_seconds = 60;
  EXPECT_EQ(made(), 1U);  // has not started
  from.status.start_time = options.now - 59;
  EXPECT_EQ(made(), 1U);
  from.status.start_time = options.now - 60;
  EXPECT_EQ(made(), 0U);
  EXPECT_NE(remark().find("activeDeadlineSeconds of 60"), std::string::npos) << remark();
}

TEST_F(Jobs, ASuccessPolicyEndsThem) {
  auto& from = indexed(4, 4);
  from.spec.success_policy = {{"0-1", 1}, {std::nullopt, 3}};
  from.status.completed_indexes = "2";
  EXPECT_EQ(made(), 3U);
  from.status.completed_indexes = "1";
  EXPECT_EQ(made(), 0U);
  from.spec.success_policy[0].succeeded_count.reset();
  EXPECT_EQ(made(), 3U);
  from.status.completed_indexes = "1-3";
  EXPECT_EQ(made(), 0U);
}

TEST_F(Jobs, APodFailurePolicyDecidesWhatAFailureMeans) {
  using Rule = api::PodFailureRule;
  auto& from = job(1, 1);
  from.spec.backoff_limit = 0;
  auto& failed = pod("a", "Job", "train");
  failed.status.phase = api::PodPhase::kFailed;
  failed.status.conditions = {{"DisruptionTarget", "True", "", "", std::nullopt}};
  failed.status.container_statuses = {{.name = "main", .exit_code = 42}};
  EXPECT_EQ(made(), 0U);
  from.spec.pod_failure_policy = {Rule{Rule::Action::kIgnore, std::nullopt, {{"DisruptionTarget", "True"}}}};
  EXPECT_EQ(made(), 1U);
  from.spec.backoff_limit = 6;
  from.spec.pod_failure_policy->front() = {Rule::Action::kFailJob, api::PodFailureExitCodes{"main", true, {42}}, {}};
  EXPECT_EQ(made(), 0U);
  EXPECT_NE(remark().find("podFailurePolicy"), std::string::npos) << remark();
  from.spec.pod_failure_policy->front().on_exit_codes->in = false;
  EXPECT_EQ(made(), 1U);
  from.spec.pod_failure_policy->front().on_exit_codes = api::PodFailureExitCodes{"other", true, {42}};
  EXPECT_EQ(made(), 1U);
}

TEST_F(Jobs, TwoPodsOfOneIndexAreOne) {
  indexed(2, 3);
  pod_of_index(0);
  pod_of_index(0).metadata.name = "twin";
  EXPECT_EQ(indexes(), (std::vector<std::string>{"1"}));
}

}  // namespace
}  // namespace berth::controllers
