#include "api/node_selection.h"

#include <algorithm>
#include <string>

namespace berth::api {
namespace {

bool field_matches(const SelectorRequirement& field, const std::string& node) {
  if (field.key != "metadata.name" || field.values.size() != 1) return false;
  const bool equal = field.values.front() == node;
  return field.op == SelectorOperator::kIn ? equal : field.op == SelectorOperator::kNotIn && !equal;
}

}  // namespace

bool matches(const NodeSelectorTerm& term, const Node& node) {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  return std::ranges::all_of(term.match_expressions,
                             [&node](const auto& one) { return matches(one, node.metadata.labels); }) &&
         std::ranges::all_of(term.match_fields,
                             [&node](const auto& one) { return field_matches(one, node.metadata.name); });
}

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  switch (toleration.op) {
    case TolerationOperator::kExists:
      return true;
    case TolerationOperator::kEqual:
      return toleration.value == taint.value;
    case TolerationOperator::kLessThan:
    case TolerationOperator::kGreaterThan:
      return false;
  }
  return false;
}

bool admits(const Node& node, const PodSpec& spec) {
  if (!spec.node_name.empty() && spec.node_name != node.metadata.name) return false;
  if (!matches(LabelSelector{spec.node_selector, {}}, node.metadata.labels)) return false;
  if (spec.affinity.node && spec.affinity.node->required) {
    const auto& terms = spec.affinity.node->required->terms;
    if (std::ranges::none_of(terms, [&node](const auto& term) { return matches(term, node); })) return false;
  }
  return std::ranges::all_of(node.taints, [&spec](const Taint& taint) {
    return taint.effect == TaintEffect::kPreferNoSchedule ||
           std::ranges::any_of(spec.tolerations, [&taint](const auto& one) { return tolerates(one, taint); });
  });
}

}  // namespace berth::api
