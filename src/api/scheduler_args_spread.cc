// Arguments of PodTopologySpread.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "api/config_words.h"
#include "api/scheduler_args_readers.h"

namespace berth::api {

namespace {

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

}  // namespace

Result<void> read_topology_spread_args(ConfigFields& fields, SchedulerProfile& profile) {
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

}  // namespace berth::api
