// volcano-scheduler.conf: what is read, what has no effect and says so, what is refused.
#include "api/volcano_conf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "api/scheduler_config.h"

namespace berth::api {
namespace {

constexpr std::string_view kConf = R"(
actions: "enqueue, allocate, preempt, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
    enablePreemptable: false
  - name: conformance
- plugins:
  - name: overcommit
  - name: predicates
  - name: capacity
    enableHierarchy: true
  - name: nodeorder
    arguments:
      leastrequested.weight: 0
      nodeaffinity.weight: 7
  - name: binpack
    arguments: {binpack.weight: 10, binpack.cpu: 5, binpack.resources: "nvidia.com/gpu, example.com/foo", binpack.resources.nvidia.com/gpu: 8}
configurations:
- name: preempt
  arguments: {enableTopologyAwarePreemption: true}
)";

std::string error_of(std::string_view text) {
  const auto result = parse_scheduler_configuration(text, "v.conf");
  return result ? "" : result.error().to_string();
}

bool says(const volcano::SchedulerConf& conf, std::string_view text) {
  return std::ranges::any_of(conf.remarks,
                             [text](const Error& remark) { return remark.message.find(text) != std::string::npos; });
}

TEST(VolcanoConf, SelectsActionsPluginsAndScores) {
  const auto configuration = parse_scheduler_configuration(kConf, "v.conf");
  ASSERT_TRUE(configuration.has_value()) << configuration.error().to_string();
  ASSERT_TRUE(configuration->volcano.has_value());
  const volcano::SchedulerConf& conf = *configuration->volcano;
  EXPECT_TRUE(conf.runs("preempt"));
  EXPECT_FALSE(conf.runs("reclaim"));
  EXPECT_TRUE(conf.votes("priority", "enableJobOrder"));
  EXPECT_FALSE(conf.votes("gang", "enablePreemptable"));
  EXPECT_FALSE(conf.votes("proportion", "enableQueueOrder"));
  EXPECT_EQ(conf.plugin("nodeorder")->arguments.at("nodeaffinity.weight"), "7");
  const SchedulerProfile& profile = configuration->profiles.front();
  EXPECT_EQ(profile.node_resources_fit.strategy, ScoringStrategy::kMostAllocated);
  const std::vector<ResourceWeight> resources = {
      {"cpu", 5}, {"memory", 1}, {"nvidia.com/gpu", 8}, {"example.com/foo", 1}};
  EXPECT_EQ(profile.node_resources_fit.resources, resources);
  const auto weight = [&](Plugin plugin) {
    const auto found = std::ranges::find(profile.scores, plugin, &SchedulerProfile::Score::plugin);
    return found == profile.scores.end() ? 0 : found->weight;
  };
  EXPECT_EQ(weight(Plugin::kNodeResourcesFit), 10);
  EXPECT_EQ(weight(Plugin::kNodeAffinity), 7);
  EXPECT_EQ(weight(Plugin::kTaintToleration), 3);
}

TEST(VolcanoConf, WhatHasNoEffectSaysSo) {
  const auto configuration = parse_scheduler_configuration(kConf, "v.conf");
  ASSERT_TRUE(configuration.has_value());
  const volcano::SchedulerConf& conf = *configuration->volcano;
  EXPECT_TRUE(says(conf, "The action enqueue has no effect"));
  EXPECT_TRUE(says(conf, "The plugin overcommit has no effect"));
  EXPECT_TRUE(says(conf, "a gang at its minimum goes whole or not at all"));
  EXPECT_TRUE(says(conf, "not limited by arguments"));
  EXPECT_FALSE(says(conf, "capacity"));
}

TEST(VolcanoConf, TheConfigMapFormIsTheSame) {
  std::string map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  volcano-scheduler.conf: |\n";
  std::string_view rest = kConf;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    map += "    " + std::string(rest.substr(0, end + 1));
    rest.remove_prefix(end + 1);
  }
  const auto plain = parse_scheduler_configuration(kConf, "v.conf");
  const auto inside = parse_scheduler_configuration(map, "map.yaml");
  ASSERT_TRUE(inside.has_value()) << inside.error().to_string();
  EXPECT_EQ(inside->volcano->actions, plain->volcano->actions);
  EXPECT_EQ(inside->volcano->tiers, plain->volcano->tiers);
  EXPECT_EQ(inside->profiles, plain->profiles);
}

TEST(VolcanoConf, WhatIsWrongIsNamedWithNearOnes) {
  EXPECT_NE(error_of("actions: \"allocate, premept\"\ntiers: []\n").find("preempt"), std::string::npos);
  EXPECT_NE(error_of("tiers: [{plugins: [{name: gnag}]}]\n").find("gang"), std::string::npos);
  EXPECT_NE(error_of("tiers: [{plugins: [{name: gang, enablePremptable: true}]}]\n").find("enablePreemptable"),
            std::string::npos);
  EXPECT_NE(error_of("tiers: [{plugins: [{name: gang}]}, {plugins: [{name: gang}]}]\n").find("there twice"),
            std::string::npos);
  EXPECT_NE(error_of("tiers: [{plugins: [{name: proportion}, {name: capacity}]}]\n").find("exclude each other"),
            std::string::npos);
  EXPECT_NE(error_of("tiers: [{plugins: [{name: drf, enableHierarchy: true}, {name: proportion}]}]\n")
                .find("exclude each other"),
            std::string::npos);
  EXPECT_NE(error_of("tiers: [{}]\n").find("The tier has no plugins"), std::string::npos);
  EXPECT_NE(error_of("tiers: [{}]\n").find("volcano-scheduler.conf"), std::string::npos);
  EXPECT_NE(error_of("configurations: [{name: fly}]\n").find("for an action"), std::string::npos);
  EXPECT_NE(error_of("tiers: [{plugins: [{enableJobOrder: true}]}]\n").find("has no name"), std::string::npos);
  EXPECT_NE(error_of("actions: allocate\nconfigurations: [{name: fly}]\n").find("for an action"), std::string::npos);
}

volcano::SchedulerConf conf_with(const std::string& plugins) {
  const auto result = parse_scheduler_configuration("tiers: [{plugins: [" + plugins + "]}]\n", "v.conf");
  EXPECT_TRUE(result.has_value()) << result.error().to_string();
  return result ? *result->volcano : volcano::SchedulerConf{};
}

TEST(VolcanoConf, BrokenArgumentsAreNotPassedInSilence) {
  for (const std::string argument :
       {"binpack, arguments: {binpack.weight: -5}", "binpack, arguments: {binpack.cpu: x}",
        "binpack, arguments: {binpack.resources.example.com/foo: 1.5}",
        "nodeorder, arguments: {leastrequested.weight: 1e400}", "nodeorder, arguments: {nodeaffinity.weight: \"\"}"}) {
    EXPECT_NE(error_of("tiers: [{plugins: [{name: " + argument + "}]}]\n").find("whole number from 0 to 100"),
              std::string::npos)
        << argument;
  }
  for (const std::string time : {"xyz", "-1h"})
    EXPECT_NE(error_of("tiers: [{plugins: [{name: sla, arguments: {sla-waiting-time: " + time + "}}]}]\n")
                  .find("duration such as 1h30m"),
              std::string::npos)
        << time;
  EXPECT_TRUE(says(conf_with("{name: binpack, arguments: {binpack.weight: 1000}}"), "above 100 count as 100"));
}

TEST(VolcanoConf, UnknownAndDeadArgumentsAndSwitchesSaySo) {
  EXPECT_TRUE(says(conf_with("{name: nodeorder, arguments: {leastrequsted.weight: 3}}"), "leastrequested.weight"));
  EXPECT_TRUE(says(conf_with("{name: predicates, arguments: {predicate.GPUSharingEnable: false}}"), "all filters"));
  EXPECT_TRUE(says(conf_with("{name: capacity, arguments: {ancestorReclaimLevel: 1}}"), "whole path of queues"));
  EXPECT_TRUE(says(conf_with("{name: priority, enablePreemptable: false}"), "Turning it off has no effect"));
  EXPECT_TRUE(says(conf_with("{name: capacity, enableReclaimable: false}"), "Turning it off has no effect"));
  EXPECT_FALSE(says(conf_with("{name: priority, enableJobOrder: false}"), "Turning it off"));
  EXPECT_FALSE(says(conf_with("{name: capacity, enableHierarchy: true}"), "Turning it off"));
  EXPECT_TRUE(says(conf_with("{name: drf}"), "The plugin gang is not named"));
  EXPECT_TRUE(says(conf_with("{name: gang}"), "The plugin predicates is not named"));
  EXPECT_EQ(conf_with("{name: gang, enableJobOrder: true}, {name: predicates}").remarks.size(), 2U)
      << "the actions enqueue and backfill";
}

TEST(VolcanoConf, HoursOfAZoneThatAreNoneAreAnError) {
  const auto with = [](const std::string& argument) {
    return error_of("tiers: [{plugins: [{name: tdm, arguments: {" + argument + "}}]}]\n");
  };
  EXPECT_NE(with("tdm.revocable-zone.rz1: 10:00").find("tdm.revocable-zone.rz1"), std::string::npos);
  EXPECT_NE(with("tdm.revocable-zone.rz1: 10:00-24:00").find("no part of a day"), std::string::npos);
  EXPECT_NE(with("tdm.evict.period: often").find("is no duration"), std::string::npos);
  EXPECT_NE(with("tdm.zone: x").find("no such argument"), std::string::npos);
}

}  // namespace
}  // namespace berth::api
