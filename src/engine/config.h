// The engine's configuration: profiles of filters and scores. Made by src/dialects/kubernetes from
// api::SchedulerProfile, or by hand for studies.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/devices/features.h"
#include "engine/ids.h"
#include "engine/input.h"

namespace berth::engine {

namespace devices {
class SelectorAnswers;  // devices/selector_answers.h
}

class PlacementPolicy;  // score/placement_policy.h

enum class Filter : std::uint8_t {
  kNodeUnschedulable,
  kNodeName,
  kTaintToleration,
  kNodeAffinity,
  kNodePorts,
  kNodeResourcesFit,
  kVolumeRestrictions,
  kVolumeBinding,
  kPodTopologySpread,
  kInterPodAffinity,
  kDynamicResources,
  kNodeDeclaredFeatures,
};
inline constexpr std::size_t kFilterCount = 12;

enum class Score : std::uint8_t {
  kNodeResourcesFit,
  kBalancedAllocation,
  kNodeAffinity,
  kTaintToleration,
  kPodTopologySpread,
  kInterPodAffinity,
  kImageLocality,
  kVolumeBinding,
  kDynamicResources,
  kPlacementPolicy,
};

struct WeightedResource {
  ResourceId resource;
  std::int64_t weight = 1;
};

struct Profile {
  ProfileId id;
  std::vector<Filter> filters;  // in order
  struct WeightedScore {
    Score score;
    std::int64_t weight = 1;
  };
  std::vector<WeightedScore> scores;  // in order
  bool preemption = true;

  enum class Strategy : std::uint8_t { kLeastAllocated, kMostAllocated, kRequestedToCapacityRatio };
  Strategy strategy = Strategy::kLeastAllocated;
  std::vector<WeightedResource> fit_resources;
  struct ShapePoint {
    std::int64_t utilization = 0;  // 0..100
    std::int64_t score = 0;        // 0..10
  };
  std::vector<ShapePoint> ratio_shape;
  std::vector<ShapePoint> volume_shape;  // for Score::kVolumeBinding
  std::vector<WeightedResource> balanced_resources;
  std::int32_t hard_pod_affinity_weight = 1;
  bool ignore_preferred_terms_of_existing_pods = false;
  // For Score::kPlacementPolicy, from one of these: the engine's own policy berth (score/policy_keeper.h), or one that
  // is borrowed and must outlive the engine (the openb studies, CardPacking).
  bool values_room = false;
  const PlacementPolicy* placement_policy = nullptr;
};

struct Config {
  std::vector<Profile> profiles;
  std::uint64_t seed = 0;  // draws the tie order
  // Equal scores go to a node drawn anew for each pod (from the seed and the number of decisions so far) instead of the
  // lowest in the one tie order. For studies of how much a policy leans on ties.
  bool random_ties = false;
  bool not_ready_nodes_excluded = true;  // a node that is not Ready is tainted so, whoever forgot to
  // StepResult::pending carries the exact reason class, which costs O(nodes) per shape that failed in the step. Studies
  // that only count placements leave it out; explain() answers all the same.
  bool classify_pending = true;
  // What selectors say about devices; borrowed, must outlive the engine. Null: no to all.
  const devices::SelectorAnswers* selectors = nullptr;
  devices::Features device_features;
  bool strict_devices = false;  // devices as upstream chooses them, instead of those that leave the most valuable rest
};

}  // namespace berth::engine
