// Arguments that weigh resources: NodeResourcesFit, NodeResourcesBalancedAllocation and VolumeBinding.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/config_words.h"
#include "api/scheduler_args_readers.h"
#include "api/selector.h"

namespace berth::api {

namespace {

Result<std::vector<ResourceWeight>> read_resources(ConfigFields& parent, std::string_view name, std::int64_t most) {
  std::vector<ResourceWeight> result;
  BERTH_TRY(const text::Value* list, parent.array(name));
  if (list != nullptr) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      ConfigFields fields(list->items()[i], parent.path(name, i), parent.file());
      BERTH_TRY_VOID(fields.check());
      BERTH_TRY(const auto resource, fields.text("name"));
      // 0 is a weight that was not given.
      BERTH_TRY(const auto weight, fields.integer("weight", 0, most));
      BERTH_TRY_VOID(fields.finish());
      if (!resource || resource->empty()) return fields.error("name", "Name the resource that has this weight.");
      result.push_back({std::string(*resource), weight.value_or(0) == 0 ? 1 : *weight});
    }
  }
  if (result.empty()) result = {{"cpu", 1}, {"memory", 1}};
  return result;
}

Result<std::vector<UtilizationShapePoint>> read_shape(ConfigFields& parent, bool required) {
  std::vector<UtilizationShapePoint> result;
  BERTH_TRY(const text::Value* list, parent.array("shape"));
  if (list != nullptr) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      ConfigFields fields(list->items()[i], parent.path("shape", i), parent.file());
      BERTH_TRY_VOID(fields.check());
      BERTH_TRY(const auto utilization, fields.integer("utilization", 0, 100));
      BERTH_TRY(const auto score, fields.integer("score", 0, 10));
      BERTH_TRY_VOID(fields.finish());
      const UtilizationShapePoint point{static_cast<std::int32_t>(utilization.value_or(0)),
                                        static_cast<std::int32_t>(score.value_or(0))};
      if (!result.empty() && result.back().utilization >= point.utilization) {
        return fields.error("utilization", "Utilizations must rise from point to point. Sort the points.");
      }
      result.push_back(point);
    }
  }
  if (required && result.empty()) return parent.error("shape", "Give at least one point {utilization, score}.");
  return result;
}

Result<void> read_scoring_strategy(const text::Value& value, std::string path, NodeResourcesFitArgs& args,
                                   std::string_view file) {
  constexpr std::array kStrategies =
      std::to_array<Word<ScoringStrategy>>({{"LeastAllocated", ScoringStrategy::kLeastAllocated},
                                            {"MostAllocated", ScoringStrategy::kMostAllocated},
                                            {"RequestedToCapacityRatio", ScoringStrategy::kRequestedToCapacityRatio}});
  ConfigFields fields(value, std::move(path), file);
  BERTH_TRY_VOID(fields.check());
  BERTH_TRY(const auto strategy, word(fields, "type", kStrategies));
  BERTH_TRY(auto resources, read_resources(fields, "resources", 100));
  BERTH_TRY(const text::Value* ratio, fields.object("requestedToCapacityRatio"));
  BERTH_TRY_VOID(fields.finish());
  if (!strategy) {
    return fields.error("type", "Give the type: LeastAllocated, MostAllocated or RequestedToCapacityRatio.");
  }
  args.strategy = *strategy;
  args.resources = std::move(resources);
  const bool wants_ratio = args.strategy == ScoringStrategy::kRequestedToCapacityRatio;
  if (ratio == nullptr) {
    if (!wants_ratio) return {};
    return fields.error("requestedToCapacityRatio", "The type RequestedToCapacityRatio needs a shape here.");
  }
  if (!wants_ratio) {
    return fields.error("requestedToCapacityRatio",
                        "This goes with the type RequestedToCapacityRatio only. Remove it or change the type.");
  }
  ConfigFields inner(*ratio, fields.path("requestedToCapacityRatio"), file);
  BERTH_TRY(args.shape, read_shape(inner, true));
  return inner.finish();
}

}  // namespace

Result<void> read_fit_args(ConfigFields& fields, SchedulerProfile& profile) {
  NodeResourcesFitArgs& args = profile.node_resources_fit;
  BERTH_TRY(const auto ignored, fields.texts("ignoredResources"));
  BERTH_TRY(const auto groups, fields.texts("ignoredResourceGroups"));
  BERTH_TRY(const text::Value* strategy, fields.object("scoringStrategy"));
  for (const std::string_view resource : ignored) {
    if (auto fault = label_key_fault(resource))
      return fields.error("ignoredResources", "The name of a resource: " + *fault);
    args.ignored_resources.emplace_back(resource);
  }
  for (const std::string_view group : groups) {
    if (group.find('/') != std::string_view::npos) {
      return fields.error("ignoredResourceGroups", "\"" + std::string(group) +
                                                       "\" has a slash; a group is the part before it. "
                                                       "Name single resources in ignoredResources.");
    }
    if (auto fault = label_key_fault(group)) return fields.error("ignoredResourceGroups", "A group: " + *fault);
    args.ignored_resource_groups.emplace_back(group);
  }
  if (strategy == nullptr) return {};
  return read_scoring_strategy(*strategy, fields.path("scoringStrategy"), args, fields.file());
}

Result<void> read_balanced_allocation_args(ConfigFields& fields, SchedulerProfile& profile) {
  BERTH_TRY(auto resources, read_resources(fields, "resources", kMaxInt64));
  for (std::size_t i = 0; i < resources.size(); ++i) {
    if (resources[i].weight != 1) {
      return fields.error("resources", "The weight of " + resources[i].name + " must be 1 for balanced allocation.");
    }
    const auto rest = std::span(resources).subspan(i + 1);
    if (std::ranges::find(rest, resources[i].name, &ResourceWeight::name) != rest.end()) {
      return fields.error("resources", "The resource " + resources[i].name + " is listed twice. Remove one entry.");
    }
  }
  profile.balanced_resources = std::move(resources);
  return {};
}

Result<void> read_volume_binding_args(ConfigFields& fields, SchedulerProfile& profile) {
  // Binding and its timeout are the API server's and the kubelet's part.
  BERTH_TRY([[maybe_unused]] const auto timeout, fields.integer("bindTimeoutSeconds", 0, kMaxInt64));
  BERTH_TRY(auto shape, read_shape(fields, false));
  if (!shape.empty()) profile.volume_binding_shape = std::move(shape);
  return {};
}

}  // namespace berth::api
