#include "api/scheduler_args.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "api/config_fields.h"
#include "api/scheduler_plugins.h"
#include "api/selector.h"

namespace berth::api {
namespace {

constexpr std::int64_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMaxInt64 = std::numeric_limits<std::int64_t>::max();

// One of a few words. `what` lists them for the message.
template <class T>
struct Word {
  std::string_view text;
  T value;
};

template <class T, std::size_t kCount>
Result<std::optional<T>> word(ConfigFields& fields, std::string_view name, const std::array<Word<T>, kCount>& words) {
  BERTH_TRY(const auto text, fields.text(name));
  if (!text) return std::nullopt;
  const auto found = std::ranges::find(words, *text, &Word<T>::text);
  if (found != words.end()) return found->value;
  std::vector<std::string> known;
  std::string list;
  for (const auto& one : words) {
    known.emplace_back(one.text);
    list += (list.empty() ? "" : ", ") + known.back();
  }
  return fields.error(name, "\"" + std::string(*text) + "\" is none of: " + list + "." + suggestion(*text, known));
}

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

Result<void> read_fit(ConfigFields& fields, SchedulerProfile& profile) {
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

Result<void> read_balanced(ConfigFields& fields, SchedulerProfile& profile) {
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

Result<void> read_preemption(ConfigFields& fields, SchedulerProfile& /*profile*/) {
  BERTH_TRY(const auto percentage, fields.integer("minCandidateNodesPercentage", 0, 100));
  BERTH_TRY(const auto absolute, fields.integer("minCandidateNodesAbsolute", 0, kMaxInt32));
  if (percentage.value_or(10) == 0 && absolute.value_or(100) == 0) {
    return fields.error("minCandidateNodesPercentage", "This and minCandidateNodesAbsolute cannot both be 0.");
  }
  return {};  // every node is a candidate here, which no minimum can forbid
}

Result<void> read_inter_pod_affinity(ConfigFields& fields, SchedulerProfile& profile) {
  BERTH_TRY(const auto weight, fields.integer("hardPodAffinityWeight", 0, 100));
  BERTH_TRY(const auto ignore, fields.boolean("ignorePreferredTermsOfExistingPods"));
  profile.inter_pod_affinity.hard_pod_affinity_weight = static_cast<std::int32_t>(weight.value_or(1));
  profile.inter_pod_affinity.ignore_preferred_terms_of_existing_pods = ignore.value_or(false);
  return {};
}

constexpr std::array kPolicies =
    std::to_array<Word<InclusionPolicy>>({{"Honor", InclusionPolicy::kHonor}, {"Ignore", InclusionPolicy::kIgnore}});

Result<TopologySpreadConstraint> read_constraint(const text::Value& value, std::string path, std::string_view file) {
  constexpr std::array kActions =
      std::to_array<Word<UnsatisfiableAction>>({{"DoNotSchedule", UnsatisfiableAction::kDoNotSchedule},
                                                {"ScheduleAnyway", UnsatisfiableAction::kScheduleAnyway}});
  TopologySpreadConstraint result;
  ConfigFields fields(value, std::move(path), file);
  BERTH_TRY_VOID(fields.check());
  BERTH_TRY(const auto skew, fields.integer("maxSkew", 1, kMaxInt32));
  BERTH_TRY(const auto key, fields.text("topologyKey"));
  BERTH_TRY(const auto action, word(fields, "whenUnsatisfiable", kActions));
  BERTH_TRY(const text::Value* selector, fields.object("labelSelector"));
  BERTH_TRY(const auto domains, fields.integer("minDomains", 1, kMaxInt32));
  BERTH_TRY(const auto affinity, word(fields, "nodeAffinityPolicy", kPolicies));
  BERTH_TRY(const auto taints, word(fields, "nodeTaintsPolicy", kPolicies));
  BERTH_TRY(const auto label_keys, fields.texts("matchLabelKeys"));
  BERTH_TRY_VOID(fields.finish());
  if (!skew) return fields.error("maxSkew", "Give maxSkew, at least 1.");
  if (!key || key->empty()) return fields.error("topologyKey", "Give the label that names a node's domain.");
  if (!action) return fields.error("whenUnsatisfiable", "Say DoNotSchedule or ScheduleAnyway.");
  if (selector != nullptr || !label_keys.empty()) {
    return fields.error("labelSelector", "A default constraint finds its pods by itself. Remove the selector.");
  }
  result.max_skew = static_cast<std::int32_t>(*skew);
  result.topology_key = *key;
  result.when_unsatisfiable = *action;
  if (domains) result.min_domains = static_cast<std::int32_t>(*domains);
  result.node_affinity_policy = affinity.value_or(InclusionPolicy::kHonor);
  result.node_taints_policy = taints.value_or(InclusionPolicy::kIgnore);
  return result;
}

Result<void> read_topology_spread(ConfigFields& fields, SchedulerProfile& profile) {
  using Defaulting = PodTopologySpreadArgs::Defaulting;
  constexpr std::array kDefaulting =
      std::to_array<Word<Defaulting>>({{"System", Defaulting::kSystem}, {"List", Defaulting::kList}});
  PodTopologySpreadArgs& args = profile.pod_topology_spread;
  BERTH_TRY(const auto defaulting, word(fields, "defaultingType", kDefaulting));
  BERTH_TRY(const text::Value* list, fields.array("defaultConstraints"));
  args.defaulting = defaulting.value_or(Defaulting::kSystem);
  if (list == nullptr) return {};
  if (args.defaulting == Defaulting::kSystem && list->size() > 0) {
    return fields.error("defaultConstraints", "Constraints of your own need defaultingType: List.");
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string path = fields.path("defaultConstraints", i);
    BERTH_TRY(auto one, read_constraint(list->items()[i], path, fields.file()));
    const bool repeated = std::ranges::any_of(args.default_constraints, [&one](const auto& other) {
      return other.topology_key == one.topology_key && other.when_unsatisfiable == one.when_unsatisfiable;
    });
    if (repeated) {
      return fields.error(
          "defaultConstraints",
          "The key " + one.topology_key + " has two constraints with the same whenUnsatisfiable. Remove one.");
    }
    args.default_constraints.push_back(std::move(one));
  }
  return {};
}

Result<SelectorRequirement> read_requirement(const text::Value& value, std::string path, std::string_view file,
                                             SelectorScope scope) {
  constexpr std::array kOperators = std::to_array<Word<SelectorOperator>>({
      {"In", SelectorOperator::kIn},
      {"NotIn", SelectorOperator::kNotIn},
      {"Exists", SelectorOperator::kExists},
      {"DoesNotExist", SelectorOperator::kDoesNotExist},
      {"Gt", SelectorOperator::kGreaterThan},
      {"Lt", SelectorOperator::kLessThan},
  });
  ConfigFields fields(value, std::move(path), file);
  BERTH_TRY_VOID(fields.check());
  BERTH_TRY(const auto key, fields.text("key"));
  BERTH_TRY(const auto op, word(fields, "operator", kOperators));
  BERTH_TRY(const auto values, fields.texts("values"));
  BERTH_TRY_VOID(fields.finish());
  if (!key || key->empty()) return fields.error("key", "Name the label.");
  if (!op) return fields.error("operator", "Give an operator: In, NotIn, Exists, DoesNotExist, Gt or Lt.");
  SelectorRequirement result{std::string(*key), *op, {values.begin(), values.end()}};
  if (auto fault = requirement_fault(result, scope)) return fields.error("", *std::move(fault));
  for (const std::string& label : result.values)
    if (auto fault = scope == SelectorScope::kNodes ? label_value_fault(label) : std::nullopt)
      return fields.error("values", *std::move(fault));
  return result;
}

Result<std::vector<SelectorRequirement>> read_requirements(ConfigFields& parent, std::string_view name,
                                                           SelectorScope scope) {
  std::vector<SelectorRequirement> result;
  BERTH_TRY(const text::Value* list, parent.array(name));
  if (list == nullptr) return result;
  for (std::size_t i = 0; i < list->size(); ++i) {
    BERTH_TRY(auto one, read_requirement(list->items()[i], parent.path(name, i), parent.file(), scope));
    result.push_back(std::move(one));
  }
  return result;
}

Result<NodeSelectorTerm> read_term(const text::Value& value, std::string path, std::string_view file) {
  NodeSelectorTerm term;
  ConfigFields fields(value, std::move(path), file);
  BERTH_TRY_VOID(fields.check());
  BERTH_TRY(term.match_expressions, read_requirements(fields, "matchExpressions", SelectorScope::kNodes));
  BERTH_TRY(term.match_fields, read_requirements(fields, "matchFields", SelectorScope::kNodeFields));
  BERTH_TRY_VOID(fields.finish());
  return term;
}

Result<void> read_required(ConfigFields& parent, NodeAffinity& affinity) {
  constexpr std::string_view kName = "requiredDuringSchedulingIgnoredDuringExecution";
  BERTH_TRY(const text::Value* required, parent.object(kName));
  if (required == nullptr) return {};
  ConfigFields fields(*required, parent.path(kName), parent.file());
  BERTH_TRY(const text::Value* terms, fields.array("nodeSelectorTerms"));
  BERTH_TRY_VOID(fields.finish());
  if (terms == nullptr || terms->size() == 0) {
    return fields.error("nodeSelectorTerms",
                        "Give at least one term, or remove the affinity; without a term no pod of this profile could "
                        "run on any node.");
  }
  affinity.required.emplace();
  for (std::size_t i = 0; i < terms->size(); ++i) {
    BERTH_TRY(auto term, read_term(terms->items()[i], fields.path("nodeSelectorTerms", i), fields.file()));
    affinity.required->terms.push_back(std::move(term));
  }
  return {};
}

Result<void> read_preferred(ConfigFields& parent, NodeAffinity& affinity) {
  constexpr std::string_view kName = "preferredDuringSchedulingIgnoredDuringExecution";
  BERTH_TRY(const text::Value* list, parent.array(kName));
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    ConfigFields fields(list->items()[i], parent.path(kName, i), parent.file());
    BERTH_TRY_VOID(fields.check());
    BERTH_TRY(const auto weight, fields.integer("weight", 1, 100));
    BERTH_TRY(const text::Value* preference, fields.object("preference"));
    BERTH_TRY_VOID(fields.finish());
    if (!weight || preference == nullptr) return fields.error("", "Give a weight from 1 to 100 and a preference.");
    BERTH_TRY(auto term, read_term(*preference, fields.path("preference"), fields.file()));
    affinity.preferred.push_back({static_cast<std::int32_t>(*weight), std::move(term)});
  }
  return {};
}

Result<void> read_node_affinity(ConfigFields& fields, SchedulerProfile& profile) {
  BERTH_TRY(const text::Value* added, fields.object("addedAffinity"));
  if (added == nullptr) return {};
  ConfigFields inner(*added, fields.path("addedAffinity"), fields.file());
  NodeAffinity affinity;
  BERTH_TRY_VOID(read_required(inner, affinity));
  BERTH_TRY_VOID(read_preferred(inner, affinity));
  BERTH_TRY_VOID(inner.finish());
  profile.added_affinity = std::move(affinity);
  return {};
}

Result<void> read_volume_binding(ConfigFields& fields, SchedulerProfile& profile) {
  // Binding and its timeout are the API server's and the kubelet's part.
  BERTH_TRY([[maybe_unused]] const auto timeout, fields.integer("bindTimeoutSeconds", 0, kMaxInt64));
  BERTH_TRY(auto shape, read_shape(fields, false));
  if (!shape.empty()) profile.volume_binding_shape = std::move(shape);
  return {};
}

Result<void> read_dynamic_resources(ConfigFields& fields, SchedulerProfile& /*profile*/) {
  BERTH_TRY([[maybe_unused]] const auto filter_timeout, fields.text("filterTimeout"));
  BERTH_TRY([[maybe_unused]] const auto binding_timeout, fields.text("bindingTimeout"));
  return {};
}

struct ArgsReader {
  Plugin plugin;
  Result<void> (*read)(ConfigFields&, SchedulerProfile&);
};

constexpr std::array kReaders = std::to_array<ArgsReader>({
    {Plugin::kNodeResourcesFit, read_fit},
    {Plugin::kNodeResourcesBalancedAllocation, read_balanced},
    {Plugin::kDefaultPreemption, read_preemption},
    {Plugin::kInterPodAffinity, read_inter_pod_affinity},
    {Plugin::kPodTopologySpread, read_topology_spread},
    {Plugin::kNodeAffinity, read_node_affinity},
    {Plugin::kVolumeBinding, read_volume_binding},
    {Plugin::kDynamicResources, read_dynamic_resources},
});

std::vector<std::string> configurable_names() {
  std::vector<std::string> names;
  for (const ArgsReader& reader : kReaders) names.emplace_back(name_of(reader.plugin));
  return names;
}

// apiVersion and kind may be written, and have to be right then.
Result<void> check_type(ConfigFields& fields, std::string_view plugin) {
  BERTH_TRY(const auto kind, fields.text("kind"));
  BERTH_TRY(const auto version, fields.text("apiVersion"));
  const std::string wanted = std::string(plugin) + "Args";
  if (kind && *kind != wanted) {
    return fields.error("kind", "The arguments of " + std::string(plugin) + " are of kind " + wanted + ", not " +
                                    std::string(*kind) + ".");
  }
  if (version && *version != "kubescheduler.config.k8s.io/v1") {
    return fields.error("apiVersion", "This must be kubescheduler.config.k8s.io/v1.");
  }
  return {};
}

Result<void> read_args(ConfigFields& entry, std::string_view name, const text::Value* args, SchedulerProfile& profile) {
  const PluginInfo* info = find_plugin(name);
  const auto reader = info == nullptr ? kReaders.end() : std::ranges::find(kReaders, info->plugin, &ArgsReader::plugin);
  if (reader == kReaders.end()) {
    const std::string problem = info == nullptr ? "There is no plugin \"" + std::string(name) + "\" to configure."
                                                : "The plugin " + std::string(name) + " takes no arguments.";
    return entry.error("name", problem + suggestion(name, configurable_names()) + " Correct or remove the entry.",
                       ErrorCode::kNotFound);
  }
  if (args == nullptr) return {};
  ConfigFields fields(*args, entry.path("args"), entry.file());
  BERTH_TRY_VOID(check_type(fields, name));
  BERTH_TRY_VOID(reader->read(fields, profile));
  return fields.finish();
}

}  // namespace

Result<void> read_plugin_config(const text::Value& value, const std::string& path, std::string_view file,
                                SchedulerProfile& profile) {
  std::vector<std::string_view> seen;
  for (std::size_t i = 0; i < value.size(); ++i) {
    ConfigFields entry(value.items()[i], path + "[" + std::to_string(i) + "]", file);
    BERTH_TRY_VOID(entry.check());
    BERTH_TRY(const auto name, entry.text("name"));
    BERTH_TRY(const text::Value* args, entry.object("args"));
    BERTH_TRY_VOID(entry.finish());
    if (!name || name->empty()) return entry.error("name", "Name the plugin that is configured.");
    if (std::ranges::find(seen, *name) != seen.end()) {
      return entry.error("name", "The plugin " + std::string(*name) + " is configured twice. Join the entries.");
    }
    seen.push_back(*name);
    BERTH_TRY_VOID(read_args(entry, *name, args, profile));
  }
  return {};
}

}  // namespace berth::api
