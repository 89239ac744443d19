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

}  // namespace
}  // namespace berth::controllers
