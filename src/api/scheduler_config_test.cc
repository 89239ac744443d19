#include "api/scheduler_config.h"
#include "support/source_directory.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace berth::api {
namespace {

std::string document(const std::string& profiles) {
  return "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" + profiles;
}

SchedulerConfiguration parse(const std::string& profiles) {
  auto result = parse_scheduler_configuration(document(profiles), "config.yaml");
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result ? *result : SchedulerConfiguration{};
}

std::string error_of(const std::string& profiles) {
  const auto result = parse_scheduler_configuration(document(profiles), "config.yaml");
  EXPECT_FALSE(result) << "the configuration should have been refused";
  return result ? "" : result.error().to_string();
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::int32_t weight_of(const SchedulerProfile& profile, Plugin plugin) {
  const auto found = std::ranges::find(profile.scores, plugin, &SchedulerProfile::Score::plugin);
  return found == profile.scores.end() ? 0 : found->weight;
}

bool filters(const SchedulerProfile& profile, Plugin plugin) {
  return std::ranges::find(profile.filters, plugin) != profile.filters.end();
}

TEST(SchedulerConfig, DefaultProfileIsUpstreams) {
  const SchedulerProfile profile = kube_default_profile();
  EXPECT_EQ(profile.scheduler_name, "default-scheduler");
  EXPECT_EQ(profile.filters.front(), Plugin::kNodeName);
  EXPECT_EQ(profile.filters[1], Plugin::kNodeUnschedulable);
  EXPECT_EQ(weight_of(profile, Plugin::kTaintToleration), 3);
  EXPECT_EQ(weight_of(profile, Plugin::kNodeAffinity), 2);
  EXPECT_EQ(weight_of(profile, Plugin::kNodeResourcesFit), 1);
  EXPECT_EQ(weight_of(profile, Plugin::kVolumeBinding), 1);
  EXPECT_EQ(weight_of(profile, Plugin::kPodTopologySpread), 2);
  EXPECT_EQ(weight_of(profile, Plugin::kInterPodAffinity), 2);
  EXPECT_EQ(weight_of(profile, Plugin::kNodeResourcesBalancedAllocation), 1);
  EXPECT_EQ(weight_of(profile, Plugin::kImageLocality), 1);
  EXPECT_TRUE(profile.preemption);
  EXPECT_EQ(parse("").profiles.at(0), profile);
  EXPECT_EQ(parse("profiles: []").profiles.at(0), profile);
  EXPECT_EQ(parse("profiles: [{}]").profiles.at(0), profile);
}

TEST(SchedulerConfig, EveryPluginHasOneNameOfItsOwn) {
  for (std::size_t i = 0; i < kPluginCount; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(name_of(static_cast<Plugin>(i)), name_of(static_cast<Plugin>(j)));
    }
  }
}

TEST(SchedulerConfig, CirculatingManifestIsReadUnchanged) {
  std::ifstream file(std::string(support::source_directory()) + "/examples/scheduler-config.yaml");
  ASSERT_TRUE(file) << "examples/scheduler-config.yaml is not here";
  std::ostringstream text;
  text << file.rdbuf();
  const auto result = parse_scheduler_configuration(text.str(), "scheduler-config.yaml");
  ASSERT_TRUE(result) << result.error().to_string();
  const auto& fit = result->profiles.at(0).node_resources_fit;
  EXPECT_EQ(fit.strategy, ScoringStrategy::kMostAllocated);
  EXPECT_EQ(fit.resources, (std::vector<ResourceWeight>{{"nvidia.com/gpu", 10}, {"cpu", 1}, {"memory", 1}}));
}

TEST(SchedulerConfig, MultiPointReplacesADefaultInPlaceAndKeepsItsOrder) {
  const auto profile =
      parse("profiles: [{plugins: {multiPoint: {enabled: [{name: NodeResourcesFit, weight: 7}]}}}]").profiles.at(0);
  const SchedulerProfile defaults = kube_default_profile();
  EXPECT_EQ(profile.filters, defaults.filters);
  EXPECT_EQ(weight_of(profile, Plugin::kNodeResourcesFit), 7);
  EXPECT_EQ(profile.scores.size(), defaults.scores.size());
  EXPECT_EQ(profile.scores[2].plugin, Plugin::kNodeResourcesFit);
}

TEST(SchedulerConfig, DisablingEverythingLeavesWhatIsEnabled) {
  const auto profile = parse(
                           "profiles: [{plugins: {multiPoint: {disabled: [{name: '*'}], "
                           "enabled: [{name: NodeResourcesFit}, {name: NodeName}, {name: PrioritySort}, {name: "
                           "DefaultBinder}]}}}]")
                           .profiles.at(0);
  EXPECT_EQ(profile.filters, (std::vector{Plugin::kNodeResourcesFit, Plugin::kNodeName}));
  ASSERT_EQ(profile.scores.size(), 1U);
  EXPECT_EQ(profile.scores[0], (SchedulerProfile::Score{Plugin::kNodeResourcesFit, 1}));
  EXPECT_FALSE(profile.preemption);
  EXPECT_FALSE(profile.scheduling_gates);
}

TEST(SchedulerConfig, PointOverridesMultiPointAndComesFirst) {
  const auto profile = parse(
                           "profiles: [{plugins: {score: {enabled: [{name: ImageLocality, weight: 5}], "
                           "disabled: [{name: PodTopologySpread}]}, filter: {disabled: [{name: NodePorts}]}}}]")
                           .profiles.at(0);
  EXPECT_EQ(profile.scores.front(), (SchedulerProfile::Score{Plugin::kImageLocality, 5}));
  EXPECT_EQ(weight_of(profile, Plugin::kPodTopologySpread), 0);
  EXPECT_TRUE(filters(profile, Plugin::kPodTopologySpread));
  EXPECT_FALSE(filters(profile, Plugin::kNodePorts));
}

TEST(SchedulerConfig, PointDisablingEverythingKeepsItsOwn) {
  const auto profile = parse(
                           "profiles: [{plugins: {score: {disabled: [{name: '*'}], "
                           "enabled: [{name: NodeAffinity}]}, postFilter: {disabled: [{name: '*'}]}}}]")
                           .profiles.at(0);
  ASSERT_EQ(profile.scores.size(), 1U);
  EXPECT_EQ(profile.scores[0], (SchedulerProfile::Score{Plugin::kNodeAffinity, 1}));
  EXPECT_FALSE(profile.preemption);
  EXPECT_TRUE(profile.scheduling_gates);
}

TEST(SchedulerConfig, BerthsDefaultValuesRoom) {
  const SchedulerProfile profile = berth_default_profile();
  EXPECT_EQ(weight_of(profile, Plugin::kRoomValue), 10);
  EXPECT_EQ(weight_of(profile, Plugin::kCardPacking), 0);
  const auto heavy =
      parse("profiles: [{plugins: {score: {enabled: [{name: RoomValue, weight: 100}]}}}]").profiles.at(0);
  EXPECT_EQ(weight_of(heavy, Plugin::kRoomValue), 100);
}

TEST(SchedulerConfig, RoomValueStandsAloneAndWithModestWeights) {
  const auto error = [](const std::string& enabled) {
    const auto result = parse_scheduler_configuration(
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
        "profiles: [{plugins: {score: {enabled: [" +
            enabled + "]}}}]",
        "config.yaml");
    return result ? std::string() : result.error().to_string();
  };
  EXPECT_NE(error("{name: RoomValue}, {name: CardPacking}").find("Enable one of them."), std::string::npos);
  EXPECT_NE(error("{name: RoomValue, weight: 101}").find("The weight of RoomValue is 101"), std::string::npos);
  EXPECT_NE(error("{name: RoomValue}, {name: NodeAffinity, weight: 1000}").find("The weight of NodeAffinity is 1000"),
            std::string::npos);
  EXPECT_EQ(error("{name: CardPacking}, {name: NodeAffinity, weight: 1000}"), "");
}

TEST(SchedulerConfig, ArgumentsOfEveryPluginAreRead) {
  const auto profile = parse(R"(
profiles:
- schedulerName: gpu
  pluginConfig:
  - name: NodeResourcesFit
    args:
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: NodeResourcesFitArgs
      ignoredResources: [example.com/a]
      ignoredResourceGroups: [example.org]
      scoringStrategy:
        type: RequestedToCapacityRatio
        resources: [{name: cpu, weight: 3}, {name: nvidia.com/gpu}]
        requestedToCapacityRatio: {shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]}
  - name: NodeResourcesBalancedAllocation
    args: {resources: [{name: memory, weight: 1}]}
  - name: InterPodAffinity
    args: {hardPodAffinityWeight: 0, ignorePreferredTermsOfExistingPods: true}
  - name: PodTopologySpread
    args:
      defaultingType: List
      defaultConstraints: [{maxSkew: 2, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]
  - name: NodeAffinity
    args:
      addedAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [gpu]}]}]
        preferredDuringSchedulingIgnoredDuringExecution:
        - {weight: 4, preference: {matchExpressions: [{key: size, operator: Gt, values: ["8"]}]}}
  - {name: DefaultPreemption, args: {minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 5}}
  - {name: VolumeBinding, args: {bindTimeoutSeconds: 10, shape: [{utilization: 50, score: 8}]}}
  - {name: DynamicResources, args: {filterTimeout: 5s}}
)")
                           .profiles.at(0);
  const auto& fit = profile.node_resources_fit;
  EXPECT_EQ(fit.strategy, ScoringStrategy::kRequestedToCapacityRatio);
  EXPECT_EQ(fit.resources, (std::vector<ResourceWeight>{{"cpu", 3}, {"nvidia.com/gpu", 1}}));
  EXPECT_EQ(fit.shape, (std::vector<UtilizationShapePoint>{{0, 0}, {100, 10}}));
  EXPECT_EQ(fit.ignored_resources, std::vector<std::string>{"example.com/a"});
  EXPECT_EQ(fit.ignored_resource_groups, std::vector<std::string>{"example.org"});
  EXPECT_EQ(profile.volume_binding_shape, (std::vector<UtilizationShapePoint>{{50, 8}}));
  EXPECT_EQ(profile.balanced_resources, (std::vector<ResourceWeight>{{"memory", 1}}));
  EXPECT_EQ(profile.inter_pod_affinity, (InterPodAffinityArgs{0, true}));
  EXPECT_EQ(profile.pod_topology_spread.defaulting, PodTopologySpreadArgs::Defaulting::kList);
  ASSERT_EQ(profile.pod_topology_spread.default_constraints.size(), 1U);
  EXPECT_EQ(profile.pod_topology_spread.default_constraints[0].max_skew, 2);
  ASSERT_TRUE(profile.added_affinity && profile.added_affinity->required);
  EXPECT_EQ(profile.added_affinity->required->terms.at(0).match_expressions.at(0).key, "pool");
  EXPECT_EQ(profile.added_affinity->preferred.at(0).weight, 4);
}

TEST(SchedulerConfig, MissingResourcesDefaultToCpuAndMemory) {
  const auto profile =
      parse("profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated}}}]}]")
          .profiles.at(0);
  EXPECT_EQ(profile.node_resources_fit.resources, (std::vector<ResourceWeight>{{"cpu", 1}, {"memory", 1}}));
}

TEST(SchedulerConfig, UnknownNamesAreErrorsWithNearOnes) {
  const std::string plugin = error_of("profiles: [{plugins: {score: {enabled: [{name: NodeResourceFit}]}}}]");
  EXPECT_TRUE(says(plugin, "NodeResourceFit")) << plugin;
  EXPECT_TRUE(says(plugin, "Did you mean NodeResourcesFit")) << plugin;
  EXPECT_TRUE(says(plugin, "config.yaml line 3")) << plugin;
  EXPECT_TRUE(says(plugin, "profiles[0].plugins.score.enabled[0].name")) << plugin;

  const std::string argument =
      error_of("profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWieght: 3}}]}]");
  EXPECT_TRUE(says(argument, "hardPodAffinityWieght")) << argument;
  EXPECT_TRUE(says(argument, "Did you mean hardPodAffinityWeight")) << argument;

  EXPECT_TRUE(says(error_of("profile: []"), "Did you mean profiles"));
  EXPECT_TRUE(says(error_of("profiles: [{pluginConfig: [{name: Coscheduling, args: {}}]}]"), "Coscheduling"));
  EXPECT_TRUE(says(error_of("profiles: [{plugins: {multipoint: {}}}]"), "Did you mean multiPoint"));
  EXPECT_TRUE(says(error_of("profiles: [{plugins: {filter: {enabled: [{name: EBSLimits}]}}}]"), "was removed"));
}

struct Refused {
  const char* config;
  const char* says;
};

class SchedulerConfigRefuses : public testing::TestWithParam<Refused> {};

TEST_P(SchedulerConfigRefuses, WhatUpstreamRefuses) {
  const std::string text = error_of(GetParam().config);
  EXPECT_TRUE(says(text, GetParam().says)) << text;
}

std::string fit(const std::string& strategy) {
  return "profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: " + strategy + "}}]}]";
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SchedulerConfigRefuses,
    testing::Values(
        Refused{"profiles: [{schedulerName: a}, {schedulerName: a}]", "Two profiles are named a"},
        Refused{"profiles: [{schedulerName: a}, {}]", "each needs a name"},
        Refused{"profiles: [{schedulerName: ''}]", "Name the profile"}, Refused{"profiles: {}", "must be an array"},
        Refused{"profiles: [3]", "must be an object"}, Refused{"parallelism: 0", "from 1 to"},
        Refused{"percentageOfNodesToScore: 101", "from 0 to 100"},
        Refused{"podInitialBackoffSeconds: 20", "at least podInitialBackoffSeconds"},
        Refused{"extenders: [{urlPrefix: 'http://x'}]", "Extenders"},
        Refused{"profiles: [{plugins: {score: {enabled: [{name: NodeName}]}}}]", "has no part in score"},
        Refused{"profiles: [{plugins: {score: {enabled: [{name: NodeAffinity}, {name: NodeAffinity}]}}}]", "twice"},
        Refused{"profiles: [{plugins: {score: {enabled: [{name: NodeAffinity, weight: -1}]}}}]", "whole number"},
        Refused{"profiles: [{plugins: {score: {enabled: [{name: NodeAffinity, weight: 99999999999}]}}}]", "whole"},
        Refused{"profiles: [{pluginConfig: [{name: NodeAffinity}, {name: NodeAffinity}]}]", "configured twice"},
        Refused{"profiles: [{pluginConfig: [{name: NodeName, args: {a: 1}}]}]", "takes no arguments"},
        Refused{"profiles: [{pluginConfig: [{name: NodeAffinity, args: {kind: NodeResourcesFitArgs}}]}]", "of kind"},
        Refused{"profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: 101}}]}]", "100"},
        Refused{"profiles: [{pluginConfig: [{name: PodTopologySpread, args: {defaultConstraints: "
                "[{maxSkew: 1, topologyKey: a, whenUnsatisfiable: ScheduleAnyway}]}}]}]",
                "defaultingType: List"},
        Refused{"profiles: [{pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesPercentage: 0, "
                "minCandidateNodesAbsolute: 0}}]}]",
                "cannot both be 0"},
        Refused{"profiles: [{pluginConfig: [{name: NodeResourcesBalancedAllocation, args: {resources: "
                "[{name: cpu, weight: 2}]}}]}]",
                "must be 1"},
        Refused{"profiles: [{pluginConfig: [{name: NodeResourcesBalancedAllocation, args: {resources: "
                "[{name: cpu}, {name: cpu}]}}]}]",
                "listed twice"},
        Refused{"profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {ignoredResources: [cpu, 'bad res!']}}]}]",
                "ignoredResources: The name of a resource: \"bad res!\" is no label key"},
        Refused{"profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {ignoredResourceGroups: ['a b']}}]}]",
                "\"a b\" is no label key"}));

TEST(SchedulerConfig, AProfileThatCannotSortOrBindIsRefused) {
  const std::string all = "disabled: [{name: '*'}]";
  EXPECT_TRUE(says(error_of("profiles: [{plugins: {multiPoint: {" + all + "}}}]"), "No plugin sorts the queue"));
  EXPECT_TRUE(
      says(error_of("profiles: [{plugins: {queueSort: {" + all + "}}}]"), "profiles[0].plugins: No plugin sorts"));
  EXPECT_TRUE(says(error_of("profiles: [{plugins: {multiPoint: {disabled: [{name: DefaultBinder}]}}}]"),
                   "No plugin binds the pods"));
  EXPECT_TRUE(says(error_of("profiles: [{plugins: {multiPoint: {" + all +
                            "}, queueSort: {enabled: [{name: "
                            "PrioritySort}]}}}]"),
                   "Enable DefaultBinder at multiPoint or bind"));
  EXPECT_TRUE(parse("profiles: [{plugins: {multiPoint: {" + all +
                    "}, queueSort: {enabled: [{name: PrioritySort}]}, "
                    "bind: {enabled: [{name: DefaultBinder}]}}}]")
                  .profiles.at(0)
                  .filters.empty());
  EXPECT_TRUE(says(error_of("profiles: [{plugins: {bind: {enabled: [{name: NodeName}]}}}]"), "has no part in bind"));
}

TEST(SchedulerConfig, AnAddedAffinityThatNoNodeCanMatchIsRefused) {
  const auto with = [](const std::string& terms) {
    return "profiles: [{pluginConfig: [{name: NodeAffinity, args: {addedAffinity: "
           "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " +
           terms + "}}}}]}]";
  };
  EXPECT_TRUE(says(error_of(with("[]")), "nodeSelectorTerms: Give at least one term"));
  EXPECT_TRUE(says(error_of(with("null")), "no pod of this profile could run"));
  EXPECT_TRUE(says(error_of(with("[{matchFields: [{key: metadata.name, operator: In, values: [a, b]}]}]")),
                   "exactly one value, not 2"));
  EXPECT_TRUE(says(error_of(with("[{matchExpressions: [{key: a b, operator: Exists}]}]")), "is no label key"));
  EXPECT_TRUE(says(error_of(with("[{matchExpressions: [{key: a, operator: In, values: [b c]}]}]")), "no label value"));
  EXPECT_TRUE(says(error_of(with("[{matchExpressions: [{key: a, operator: Gt, values: [b]}]}]")), "one integer"));
}

TEST(SchedulerConfig, ScoringStrategyIsValidated) {
  EXPECT_TRUE(says(error_of(fit("{type: MostAlocated}")), "Did you mean MostAllocated"));
  EXPECT_TRUE(says(error_of(fit("{resources: [{name: cpu}]}")), "Give the type"));
  EXPECT_TRUE(says(error_of(fit("{type: MostAllocated, resources: [{name: cpu, weight: 101}]}")), "from 0 to 100"));
  EXPECT_TRUE(says(error_of(fit("{type: RequestedToCapacityRatio}")), "needs a shape"));
  EXPECT_TRUE(
      says(error_of(fit("{type: MostAllocated, requestedToCapacityRatio: {}}")), "RequestedToCapacityRatio only"));
  EXPECT_TRUE(
      says(error_of(fit("{type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: []}}")), "at least one"));
  EXPECT_TRUE(says(error_of(fit("{type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: "
                                "[{utilization: 5, score: 1}, {utilization: 5, score: 2}]}}")),
                   "must rise"));
}

TEST(SchedulerConfig, VersionsAndKinds) {
  EXPECT_TRUE(parse_scheduler_configuration(
      "apiVersion: kubescheduler.config.k8s.io/v1beta3\nkind: KubeSchedulerConfiguration\n", "c"));
  const auto old = parse_scheduler_configuration(
      "apiVersion: kubescheduler.config.k8s.io/v1beta2\nkind: KubeSchedulerConfiguration\n", "c");
  ASSERT_FALSE(old);
  EXPECT_TRUE(says(old.error().to_string(), "v1beta2"));
  const auto pod = parse_scheduler_configuration("apiVersion: v1\nkind: Pod\n", "c");
  ASSERT_FALSE(pod);
  EXPECT_TRUE(says(pod.error().to_string(), "kind must be KubeSchedulerConfiguration"));
  const auto broken = parse_scheduler_configuration("a: [", "c.yaml");
  ASSERT_FALSE(broken);
  EXPECT_TRUE(says(broken.error().to_string(), "c.yaml"));
  EXPECT_FALSE(parse_scheduler_configuration("", "c"));
  EXPECT_FALSE(parse_scheduler_configuration("[]", "c"));
}

}  // namespace
}  // namespace berth::api
