// Arguments of InterPodAffinity and NodeAffinity.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "api/config_words.h"
#include "api/scheduler_args_readers.h"
#include "api/selector.h"

namespace berth::api {

namespace {

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

}  // namespace

Result<void> read_inter_pod_affinity_args(ConfigFields& fields, SchedulerProfile& profile) {
  BERTH_TRY(const auto weight, fields.integer("hardPodAffinityWeight", 0, 100));
  BERTH_TRY(const auto ignore, fields.boolean("ignorePreferredTermsOfExistingPods"));
  profile.inter_pod_affinity.hard_pod_affinity_weight = static_cast<std::int32_t>(weight.value_or(1));
  profile.inter_pod_affinity.ignore_preferred_terms_of_existing_pods = ignore.value_or(false);
  return {};
}

Result<void> read_node_affinity_args(ConfigFields& fields, SchedulerProfile& profile) {
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

}  // namespace berth::api
