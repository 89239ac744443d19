// Berth against kube-scheduler's own packages: every filter alone, every score raw and normalised, totals and
// preemption, for every pending pod of the data files (and of fresh ones: see tools/oracle).
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <iostream>

#include "oracle/answers.h"
#include "oracle/comparison.h"
#include "oracle/loaded_world.h"

namespace berth::oracle {
namespace {

// Filters and scores that the worlds must tell apart often enough for agreement to mean something.
constexpr std::string_view kMustBeTold[] = {"gates",
                                            "filter NodeName",
                                            "filter NodeUnschedulable",
                                            "filter TaintToleration",
                                            "filter NodeAffinity",
                                            "filter NodePorts",
                                            "filter NodeResourcesFit",
                                            "filter VolumeBinding",
                                            "filter VolumeRestrictions",
                                            "filter VolumeZone",
                                            "filter PodTopologySpread",
                                            "filter InterPodAffinity",
                                            "preemption",
                                            "score TaintToleration",
                                            "score NodeAffinity",
                                            "score NodeResourcesFit",
                                            "score NodeResourcesBalancedAllocation",
                                            "score PodTopologySpread",
                                            "score InterPodAffinity",
                                            "score ImageLocality",
                                            "score VolumeBinding"};

using Compare = std::function<void(const World&, const LoadedWorld&, Comparison&)>;

Comparison compare_all(const Compare& compare) {
  Comparison comparison;
  for (const std::string& file : data_files()) {
    const Result<DataFile> data = read_data_file(file);
    if (!data) {
      ADD_FAILURE() << data.error().to_string();
      continue;
    }
    EXPECT_EQ(data->module, "k8s.io/kubernetes v1.37.2") << file;
    const std::int64_t pods_before = comparison.pods();
    for (const World& world : data->worlds) {
      const Result<LoadedWorld> loaded = load_world(world);
      if (!loaded) {
        ADD_FAILURE() << world.name << ": " << loaded.error().to_string();
        continue;
      }
      compare(world, *loaded, comparison);
    }
    EXPECT_GT(comparison.pods(), pods_before) << file << " has no pod to compare";
    std::cout << std::filesystem::path(file).filename().string() << ": " << comparison.pods() - pods_before
              << " pods compared\n";  // tools/oracle looks for the line of its file
  }
  return comparison;
}

// That they agree, on enough, and that little was set aside.
void expect_agreement(const Comparison& comparison) {
  std::cout << comparison.summary() << '\n';
  EXPECT_EQ(comparison.differences(), 0) << comparison.report();
  EXPECT_GE(comparison.pods(), 4000) << comparison.report();
  EXPECT_LE(comparison.left_out() * 10, comparison.pods()) << comparison.report();
  EXPECT_LE(comparison.excused() * 1000, comparison.pods()) << comparison.report();
  for (const std::string_view name : kMustBeTold) {
    EXPECT_GE(comparison.told(std::string(name)), 20) << name << '\n' << comparison.report();
  }
}

TEST(KubeScheduler, TheTwinFindsWhatUpstreamFinds) { expect_agreement(compare_all(compare_twin)); }

TEST(KubeScheduler, TheEngineFindsWhatUpstreamFinds) { expect_agreement(compare_all(compare_engine)); }

}  // namespace
}  // namespace berth::oracle
