#include "sim/philly/study.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/philly/results.h"
#include "support/source_directory.h"
#include "text/input.h"

namespace berth::sim::philly {
namespace {

Study study_of(const std::vector<TraceJob>& jobs, const std::vector<TraceCluster>& clusters,
               std::int32_t percent = 25) {
  auto study = make_study(jobs, clusters, percent);
  EXPECT_TRUE(study) << study.error().to_string();
  return std::move(*study);
}

const WayResult& of(const Results& results, Way way) { return results.ways[static_cast<std::size_t>(way)]; }

TEST(PhillyStudy, ReadsTimesAndDurations) {
  const auto jobs =
      parse_jobs("timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09 07:01:55,66.0,12,792.0,a\n", "jobs.csv");
  ASSERT_TRUE(jobs) << jobs.error().to_string();
  ASSERT_EQ(jobs->size(), 1U);
  EXPECT_EQ(jobs->front().submitted, 1507532515);  // 2017-10-09T07:01:55Z
  EXPECT_EQ(jobs->front().runs_for, 66);
  EXPECT_EQ(jobs->front().gpus, 12);
  EXPECT_EQ(jobs->front().cluster, "a");
}

TEST(PhillyStudy, SaysWhichCellIsWrong) {
  for (const std::string row :
       {"2017-13-09 07:01:55,66.0,1,a", "2017-02-30 07:01:55,66.0,1,a", "2017-10-09 07:01:55,-1,1,a",
        "2017-10-09 07:01:55,nan,1,a", "2017-10-09 07:01:55,66.0,0,a", "2017-10-09 07:01:55,66.0,1,"}) {
    const auto jobs = parse_jobs("timestamp,duration,num_gpus,cluster\n" + row + "\n", "jobs.csv");
    ASSERT_FALSE(jobs) << row;
    EXPECT_NE(jobs.error().to_string().find("jobs.csv"), std::string::npos);
  }
  EXPECT_FALSE(parse_jobs("a,b\n1,2\n", "jobs.csv"));
  EXPECT_FALSE(parse_clusters("vc,node num\na,-1\n", "nodes.csv"));
  EXPECT_FALSE(parse_clusters("vc,node num\na,1\na,2\n", "nodes.csv"));
}

TEST(PhillyStudy, ScalesNodesButNotBelowTheLargestJob) {
  const Study study = study_of({{100, 10, 1, "small"}, {50, 10, 20, "wide"}, {70, 10, 9, "guest"}},
                               {{"wide", 4}, {"small", 5}, {"empty", 64}});
  ASSERT_EQ(study.clusters.size(), 3U);
  EXPECT_EQ(study.clusters[0].name, "guest");
  EXPECT_EQ(study.clusters[0].nodes, 0);
  EXPECT_EQ(study.clusters[1].nodes, 2) << "5 nodes, a quarter, rounded up";
  EXPECT_EQ(study.clusters[2].nodes, 3) << "20 GPUs need 3 nodes";
  EXPECT_EQ(study.nodes(), 5);
  // In order of submission, times from zero, pods of at most 8 GPUs.
  EXPECT_EQ(study.jobs[0].pods.size(), 3U);
  EXPECT_EQ(study.jobs[0].pods[2].cards, 4);
  EXPECT_EQ(study.jobs[0].submitted(), 0);
  EXPECT_EQ(study.jobs[1].pods.size(), 2U);
  EXPECT_EQ(study.last_submission, 50);
  EXPECT_FALSE(make_study({}, {{"a", 1}}, 25));
  EXPECT_FALSE(make_study({{0, 1, 1, "a"}}, {{"b", 1}}, 25));
}

// Two virtual clusters of a node each. a's first job takes its node, its second borrows b's from 10 on. b comes at 60
// and takes its node back: the second job of a has lost 50 s on 8 GPUs and waits until the first ends at 100.
TEST(PhillyStudy, BorrowsAndTakesBackToTheSecond) {
  const Study study = study_of({{0, 100, 8, "a"}, {10, 100, 8, "a"}, {60, 30, 8, "b"}}, {{"a", 1}, {"b", 1}}, 100);
  const Results results = run_all(study, 1);
  const WayResult& borrow = of(results, Way::kBorrow);
  EXPECT_EQ(borrow.evictions, 1);
  EXPECT_EQ(borrow.lost, 50 * 8);
  EXPECT_EQ(borrow.idle, 0);
  EXPECT_EQ(borrow.per_cluster[0].most, 80) << "at 90 b has ended, and the second job of a starts again";
  EXPECT_EQ(borrow.per_cluster[1].most, 0);
  EXPECT_EQ(borrow.ended, 190);
  const WayResult& partition = of(results, Way::kPartition);
  EXPECT_EQ(partition.evictions, 0);
  EXPECT_EQ(partition.per_cluster[0].most, 90);
  EXPECT_EQ(partition.per_cluster[0].p50, 0);
  EXPECT_EQ(partition.per_cluster[0].mean, 45);
  EXPECT_EQ(partition.ended, 200);
  // Pod by pod nobody is evicted and b waits for the end of a's first job.
  EXPECT_EQ(of(results, Way::kPods).per_cluster[1].most, 40);
  EXPECT_EQ(results.promise.longer, 0);
  EXPECT_EQ(results.promise.jobs, 2) << "a's first and b's";
  // Up to 60: 60 s of the first job, 50 of the second, on 16 GPUs.
  EXPECT_DOUBLE_EQ(borrow.utilisation, (60 + 50) * 8 / (60.0 * 16));
}

TEST(PhillyStudy, AVirtualClusterWithoutNodesRunsOnWhatIsIdle) {
  const Study study = study_of({{0, 10, 8, "guest"}, {5, 10, 8, "a"}}, {{"a", 1}}, 100);
  const Results results = run_all(study, 1);
  EXPECT_EQ(of(results, Way::kPartition).per_cluster[1].never_ran, 1);
  const WayResult& borrow = of(results, Way::kBorrow);
  EXPECT_EQ(borrow.per_cluster[0].most, 0);
  EXPECT_EQ(borrow.evictions, 1);
  EXPECT_EQ(borrow.per_cluster[1].most, 15);
}

std::string example(const std::string& name) {
  return std::string(support::source_directory()) + "/examples/philly/" + name + ".csv";
}

TEST(PhillyStudy, TheExampleIsTheSameForAnyNumberOfThreads) {
  const auto jobs = read_jobs(example("jobs"));
  const auto clusters = read_clusters(example("nodes"));
  ASSERT_TRUE(jobs && clusters);
  const Study study = study_of(*jobs, *clusters);
  EXPECT_EQ(study.clusters.size(), 4U) << "archive has no job";
  const Results results = run_all(study, 1);
  EXPECT_GT(results.promise.jobs, 0);
  EXPECT_GT(of(results, Way::kBorrow).evictions, 0);
  EXPECT_LT(of(results, Way::kBorrow).all.mean, of(results, Way::kPartition).all.mean);
  const std::string json = render_json(study, results);
  EXPECT_EQ(json, render_json(study, run_all(study, 4)));
  const std::string table = render_table(study, results, {});
  std::size_t start = 0;
  for (std::size_t end = table.find('\n'); end != std::string::npos; start = end + 1, end = table.find('\n', start)) {
    EXPECT_LE(end - start, 80U) << table.substr(start, end - start);
  }
}

}  // namespace
}  // namespace berth::sim::philly
