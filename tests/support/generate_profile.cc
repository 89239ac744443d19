// Scheduler profiles away from the default.
#include <algorithm>

#include "support/builders.h"
#include "support/generate.h"
#include "support/pick.h"

namespace berth::support {
namespace {

using api::Plugin;

void vary_fit(Random& random, api::SchedulerProfile& profile) {
  auto& fit = profile.node_resources_fit;
  fit.strategy = pick(random, {api::ScoringStrategy::kLeastAllocated, api::ScoringStrategy::kMostAllocated,
                               api::ScoringStrategy::kRequestedToCapacityRatio});
  fit.resources = {{"cpu", random.between(1, 10)}};
  if (random.chance(2, 3)) fit.resources.push_back({"memory", random.between(1, 3)});
  if (random.chance(1, 2)) fit.resources.push_back({"nvidia.com/gpu", random.between(1, 10)});
  if (random.chance(1, 4)) fit.resources.push_back({std::string(reference::kCardResource), 5});
  if (random.chance(1, 6)) fit.resources.push_back({"example.com/nic", 2});
  if (fit.strategy == api::ScoringStrategy::kRequestedToCapacityRatio) {
    fit.shape = random.chance(1, 2) ? std::vector<api::UtilizationShapePoint>{{0, 0}, {100, 10}}
                                    : std::vector<api::UtilizationShapePoint>{{0, 10}, {35, 2}, {70, 7}, {100, 0}};
  }
  if (random.chance(1, 8)) fit.ignored_resources = {"example.com/nic"};
  if (random.chance(1, 8)) fit.ignored_resource_groups = {"example.com"};
}

void vary_spread_and_affinity(Random& random, api::SchedulerProfile& profile) {
  if (random.chance(1, 3)) {
    api::TopologySpreadConstraint constraint;
    constraint.max_skew = static_cast<std::int32_t>(1 + random.below(2));
    constraint.topology_key = random_topology_key(random);
    if (random.chance(1, 2)) constraint.when_unsatisfiable = api::UnsatisfiableAction::kScheduleAnyway;
    profile.pod_topology_spread.defaulting = api::PodTopologySpreadArgs::Defaulting::kList;
    profile.pod_topology_spread.default_constraints = {constraint};
  }
  profile.inter_pod_affinity.hard_pod_affinity_weight = pick(random, {0, 1, 1, 50, 100});
  profile.inter_pod_affinity.ignore_preferred_terms_of_existing_pods = random.chance(1, 4);
  if (random.chance(1, 6)) {
    auto& added = profile.added_affinity.emplace();
    if (random.chance(1, 2)) {
      added.required.emplace().terms.push_back(node_term("disk", api::SelectorOperator::kNotIn, {"hdd"}));
    }
    added.preferred.push_back({40, node_term("rack", api::SelectorOperator::kExists, {})});
  }
}

}  // namespace

api::SchedulerProfile random_profile(Random& random) {
  api::SchedulerProfile profile = upstream_profile();
  if (random.chance(1, 3)) return profile;
  vary_fit(random, profile);
  vary_spread_and_affinity(random, profile);
  if (random.chance(1, 5)) {
    profile.balanced_resources = {{"cpu", 1}, {"memory", 1}, {"nvidia.com/gpu", 1}};
  }
  if (random.chance(1, 4)) profile.volume_binding_shape = {{0, 0}, {60, 9}, {100, 5}};
  for (auto& score : profile.scores) {
    if (random.chance(1, 3)) score.weight = static_cast<std::int32_t>(1 + random.below(20));
  }
  if (random.chance(1, 4)) {
    profile.scores.erase(profile.scores.begin() + static_cast<std::ptrdiff_t>(random.below(profile.scores.size())));
    profile.scores.push_back({Plugin::kCardPacking, 10});
  }
  if (random.chance(1, 6)) {
    const auto left_out = pick(random, {Plugin::kTaintToleration, Plugin::kPodTopologySpread, Plugin::kInterPodAffinity,
                                        Plugin::kNodePorts, Plugin::kNodeAffinity, Plugin::kNodeUnschedulable});
    std::erase(profile.filters, left_out);
  }
  profile.preemption = random.chance(5, 6);
  return profile;
}

void value_rooms(Random& random, api::SchedulerProfile& profile) {
  std::erase_if(profile.scores, [](const auto& score) { return score.plugin == Plugin::kCardPacking; });
  profile.scores.push_back({Plugin::kRoomValue, pick(random, {1, 10, 10, 100})});
}

}  // namespace berth::support
