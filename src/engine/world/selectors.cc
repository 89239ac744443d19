#include "engine/world/selectors.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/world/tolerations.h"

namespace berth::engine {

LabelValueId label_value(const Labels& labels, LabelKeyId key) {
  const auto found = std::ranges::lower_bound(labels, key, {}, &Label::key);
  return found != labels.end() && found->key == key ? found->value : LabelValueId::none();
}

bool matches(const Requirement& requirement, const Labels& labels, const Names& names) {
  const LabelValueId value = label_value(labels, requirement.key);
  switch (requirement.op) {
    case Operator::kIn:
      return !value.is_none() && std::ranges::binary_search(requirement.values, value);
    case Operator::kNotIn:
      return mutant("Rule.NotIn") || value.is_none() || !std::ranges::binary_search(requirement.values, value);
    case Operator::kExists:
      return mutant("Rule.Exists") || !value.is_none();
    case Operator::kDoesNotExist:
      return mutant("Rule.DoesNotExist") || value.is_none();
    case Operator::kGreaterThan:
    case Operator::kLessThan: {
      if (mutant("Rule.GreaterAndLess")) return true;
      if (value.is_none() || !requirement.bound) return false;
      const auto number = names.integer(value);
      if (!number) return false;
      return requirement.op == Operator::kGreaterThan ? *number > *requirement.bound : *number < *requirement.bound;
    }
  }
  return false;
}

bool matches(const Selector& selector, const Labels& labels, const Names& names) {
  return !selector.nothing && std::ranges::all_of(selector.requirements, [&](const Requirement& requirement) {
    return matches(requirement, labels, names);
  });
}

bool matches(const NodeTerm& term, const NodeInput& node, const Names& names) {
  if (term.empty()) return false;
  const auto label_holds = [&](const Requirement& requirement) { return matches(requirement, node.labels, names); };
  const auto name_holds = [&](const NameRequirement& requirement) {
    return std::ranges::binary_search(requirement.names, node.name) == requirement.in;
  };
  return std::ranges::all_of(term.labels, label_holds) &&
         (mutant("Rule.MatchFields") || std::ranges::all_of(term.names, name_holds));
}

bool matches(const NodeSelector& selector, const NodeInput& node, const Names& names) {
  return std::ranges::any_of(selector.terms, [&](const NodeTerm& term) { return matches(term, node, names); });
}

bool matches_all(const std::vector<NodeSelector>& selectors, const NodeInput& node, const Names& names) {
  return std::ranges::all_of(selectors, [&](const NodeSelector& selector) { return matches(selector, node, names); });
}

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  if (!toleration.key.is_none() && toleration.key != taint.key) return false;
  switch (toleration.match) {
    case Toleration::Match::kEqual:
      return toleration.value == taint.value;
    case Toleration::Match::kExists:
      return true;
    case Toleration::Match::kLessThan:
    case Toleration::Match::kGreaterThan:
      return false;  // behind a feature gate that is off
  }
  return false;
}

const Taint* untolerated(std::span<const Toleration> tolerations, std::span<const Taint> taints) {
  const TolerationsOfPod pod(tolerations, taints.size());
  for (const Taint& taint : taints) {
    if (taint.effect == Effect::kPreferNoSchedule) continue;
    if (taint.effect == Effect::kNoExecute && mutant("Rule.NoExecute")) continue;
    if (!pod.help_against(taint)) return &taint;
  }
  return nullptr;
}

}  // namespace berth::engine
