#include "engine/mutants.h"

#include <vector>

#include "base/mutant.h"

namespace berth::engine {
namespace {

bool switched_off(Filter filter) {
  switch (filter) {
    case Filter::kNodeUnschedulable:
      return mutant("Filter.NodeUnschedulable");
    case Filter::kNodeName:
      return mutant("Filter.NodeName");
    case Filter::kTaintToleration:
      return mutant("Filter.TaintToleration");
    case Filter::kNodeAffinity:
      return mutant("Filter.NodeAffinity");
    case Filter::kNodePorts:
      return mutant("Filter.NodePorts");
    case Filter::kNodeResourcesFit:
      return mutant("Filter.NodeResourcesFit");
    case Filter::kVolumeRestrictions:
      return mutant("Filter.VolumeRestrictions");
    case Filter::kVolumeBinding:
      return mutant("Filter.VolumeBinding");
    case Filter::kPodTopologySpread:
      return mutant("Filter.PodTopologySpread");
    case Filter::kInterPodAffinity:
      return mutant("Filter.InterPodAffinity");
    case Filter::kDynamicResources:
      return mutant("Filter.DynamicResources");
    case Filter::kNodeDeclaredFeatures:
      return mutant("Filter.NodeDeclaredFeatures");
  }
  return false;
}

bool switched_off(Score score) {
  switch (score) {
    case Score::kNodeResourcesFit:
      return mutant("Score.NodeResourcesFit");
    case Score::kBalancedAllocation:
      return mutant("Score.BalancedAllocation");
    case Score::kNodeAffinity:
      return mutant("Score.NodeAffinity");
    case Score::kTaintToleration:
      return mutant("Score.TaintToleration");
    case Score::kPodTopologySpread:
      return mutant("Score.PodTopologySpread");
    case Score::kInterPodAffinity:
      return mutant("Score.InterPodAffinity");
    case Score::kImageLocality:
      return mutant("Score.ImageLocality");
    case Score::kVolumeBinding:
      return mutant("Score.VolumeBinding");
    case Score::kDynamicResources:
      return mutant("Score.DynamicResources");
    case Score::kPlacementPolicy:
      return mutant("Score.PlacementPolicy");
  }
  return false;
}

}  // namespace

Config without_mutants(Config config) {
  for (Profile& profile : config.profiles) {
    std::erase_if(profile.filters, [](Filter filter) { return switched_off(filter); });
    std::erase_if(profile.scores, [](const Profile::WeightedScore& entry) { return switched_off(entry.score); });
  }
  return config;
}

}  // namespace berth::engine
