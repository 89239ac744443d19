#include "dialects/kubernetes/selectors.h"

#include <algorithm>

#include "base/sort_unique.h"

namespace berth::dialects::kubernetes {
namespace {

engine::Operator operator_of(api::SelectorOperator op) {
  switch (op) {
    case api::SelectorOperator::kIn:
      return engine::Operator::kIn;
    case api::SelectorOperator::kNotIn:
      return engine::Operator::kNotIn;
    case api::SelectorOperator::kExists:
      return engine::Operator::kExists;
    case api::SelectorOperator::kDoesNotExist:
      return engine::Operator::kDoesNotExist;
    case api::SelectorOperator::kGreaterThan:
      return engine::Operator::kGreaterThan;
    case api::SelectorOperator::kLessThan:
      return engine::Operator::kLessThan;
  }
  return engine::Operator::kIn;
}

// none: the API refuses such a requirement.
std::optional<engine::Requirement> requirement(const api::SelectorRequirement& from, engine::Names& names) {
  engine::Requirement result;
  result.key = names.label_keys.intern(from.key);
  result.op = operator_of(from.op);
  switch (from.op) {
    case api::SelectorOperator::kIn:
    case api::SelectorOperator::kNotIn:
      if (from.values.empty()) return std::nullopt;
      for (const std::string& value : from.values) result.values.push_back(names.label_value(value));
      sort_unique(result.values);
      return result;
    case api::SelectorOperator::kExists:
    case api::SelectorOperator::kDoesNotExist:
      if (!from.values.empty()) return std::nullopt;
      return result;
    case api::SelectorOperator::kGreaterThan:
    case api::SelectorOperator::kLessThan:
      if (from.values.size() != 1) return std::nullopt;
      result.bound = names.integer(names.label_value(from.values.front()));
      if (!result.bound) return std::nullopt;
      return result;
  }
  return std::nullopt;
}

engine::Requirement equals(std::string_view key, std::string_view value, engine::Names& names) {
  return {names.label_keys.intern(key), engine::Operator::kIn, {names.label_value(value)}, std::nullopt};
}

engine::Effect effect_of(api::TaintEffect effect) {
  switch (effect) {
    case api::TaintEffect::kNoSchedule:
      return engine::Effect::kNoSchedule;
    case api::TaintEffect::kPreferNoSchedule:
      return engine::Effect::kPreferNoSchedule;
    case api::TaintEffect::kNoExecute:
      return engine::Effect::kNoExecute;
  }
  return engine::Effect::kNoSchedule;
}

engine::Toleration::Match match_of(api::TolerationOperator op) {
  switch (op) {
    case api::TolerationOperator::kEqual:
      return engine::Toleration::Match::kEqual;
    case api::TolerationOperator::kExists:
      return engine::Toleration::Match::kExists;
    case api::TolerationOperator::kLessThan:
      return engine::Toleration::Match::kLessThan;
    case api::TolerationOperator::kGreaterThan:
      return engine::Toleration::Match::kGreaterThan;
  }
  return engine::Toleration::Match::kEqual;
}

// metadata.name is the only field, with In or NotIn and exactly one value. none: refused by the API.
std::optional<engine::NameRequirement> name_requirement(const api::SelectorRequirement& from, engine::Names& names) {
  const bool in = from.op == api::SelectorOperator::kIn;
  if (from.key != "metadata.name" || from.values.size() != 1) return std::nullopt;
  if (!in && from.op != api::SelectorOperator::kNotIn) return std::nullopt;
  return engine::NameRequirement{in, {names.names.intern(from.values.front())}};
}

}  // namespace

engine::Labels labels(const api::StringMap& map, engine::Names& names) {
  engine::Labels result;
  result.reserve(map.size());
  for (const auto& [key, value] : map) result.push_back({names.label_keys.intern(key), names.label_value(value)});
  std::ranges::sort(result);
  return result;
}

void canonicalize(engine::Selector& selector) {
  if (selector.nothing) selector.requirements.clear();
  sort_unique(selector.requirements);
}

engine::Selector selector(const api::LabelSelector& from, engine::Names& names) {
  engine::Selector result;
  for (const auto& [key, value] : from.match_labels) result.requirements.push_back(equals(key, value, names));
  for (const auto& expression : from.match_expressions) {
    auto one = requirement(expression, names);
    // Pods are selected by In, NotIn, Exists and DoesNotExist only.
    if (!one || one->bound) {
      result.nothing = true;
      break;
    }
    result.requirements.push_back(std::move(*one));
  }
  canonicalize(result);
  return result;
}

engine::Selector selector(const std::optional<api::LabelSelector>& from, engine::Names& names) {
  if (!from) return {true, {}};
  return selector(*from, names);
}

engine::Selector selector(const api::StringMap& match_labels, engine::Names& names) {
  return selector(api::LabelSelector{match_labels, {}}, names);
}

void merge_label_keys(engine::Selector& selector, const std::vector<std::string>& keys, const api::StringMap& labels,
                      engine::Operator op, engine::Names& names) {
  if (selector.nothing) return;
  for (const std::string& key : keys) {
    const auto found = labels.find(key);
    if (found == labels.end()) continue;
    engine::Requirement one = equals(key, found->second, names);
    one.op = op;
    selector.requirements.push_back(std::move(one));
  }
  canonicalize(selector);
}

std::optional<engine::NodeTerm> node_term(const api::NodeSelectorTerm& term, engine::Names& names) {
  engine::NodeTerm result;
  for (const auto& expression : term.match_expressions) {
    auto one = requirement(expression, names);
    if (!one) return std::nullopt;
    result.labels.push_back(std::move(*one));
  }
  for (const auto& field : term.match_fields) {
    auto one = name_requirement(field, names);
    if (!one) return std::nullopt;
    result.names.push_back(std::move(*one));
  }
  if (result.empty()) return std::nullopt;
  sort_unique(result.labels);
  sort_unique(result.names);
  return result;
}

engine::NodeSelector node_selector(const api::NodeSelector& selector, engine::Names& names) {
  engine::NodeSelector result;
  for (const auto& term : selector.terms) {
    if (auto one = node_term(term, names)) result.terms.push_back(std::move(*one));
  }
  sort_unique(result.terms);
  return result;
}

engine::NodeSelector node_selector(const api::StringMap& pairs, engine::Names& names) {
  engine::NodeTerm term;
  for (const auto& [key, value] : pairs) term.labels.push_back(equals(key, value, names));
  sort_unique(term.labels);
  return {{std::move(term)}};
}

engine::NodeSelector volume_node_selector(const api::NodeSelector& selector, engine::Names& names) {
  // The node that a volume sees has labels and no name: never In a list of names, always outside it.
  const engine::NameRequirement always{false, {names.names.intern("")}};
  engine::NodeSelector result;
  for (const auto& term : selector.terms) {
    const bool asks_name = std::ranges::any_of(term.match_fields, [](const api::SelectorRequirement& field) {
      return field.op != api::SelectorOperator::kNotIn;
    });
    if (asks_name || (term.match_expressions.empty() && term.match_fields.empty())) continue;
    if (term.match_expressions.empty()) {
      result.terms.push_back({{}, {always}});
    } else if (auto one = node_term({term.match_expressions, {}}, names)) {
      result.terms.push_back(std::move(*one));
    }
  }
  sort_unique(result.terms);
  return result;
}

engine::Taint taint(const api::Taint& from, engine::Names& names) {
  return {names.label_keys.intern(from.key), names.label_value(from.value), effect_of(from.effect)};
}

engine::Toleration toleration(const api::Toleration& from, engine::Names& names) {
  engine::Toleration result;
  if (!from.key.empty()) result.key = names.label_keys.intern(from.key);
  result.match = match_of(from.op);
  // The value of Exists is not looked at; leaving it out makes equal tolerations equal.
  if (from.op != api::TolerationOperator::kExists) result.value = names.label_value(from.value);
  if (from.effect) result.effect = effect_of(*from.effect);
  return result;
}

}  // namespace berth::dialects::kubernetes
