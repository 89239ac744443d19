#include "reference/selectors.h"

#include <algorithm>
#include <charconv>

namespace berth::reference {
namespace {

std::optional<std::int64_t> integer(const std::string& text) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  if (begin != end && begin != text.data() && *begin == '-') return std::nullopt;
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool name_matches(const api::SelectorRequirement& requirement, const std::string& name) {
  if (requirement.key != "metadata.name" || requirement.values.size() != 1) return false;
  if (requirement.op == api::SelectorOperator::kIn) return requirement.values.front() == name;
  if (requirement.op == api::SelectorOperator::kNotIn) return requirement.values.front() != name;
  return false;
}

bool is_well_formed(const api::SelectorRequirement& requirement) {
  switch (requirement.op) {
    case api::SelectorOperator::kIn:
    case api::SelectorOperator::kNotIn:
      return !requirement.values.empty();
    case api::SelectorOperator::kExists:
    case api::SelectorOperator::kDoesNotExist:
      return requirement.values.empty();
    case api::SelectorOperator::kGreaterThan:
    case api::SelectorOperator::kLessThan:
      return requirement.values.size() == 1 && integer(requirement.values.front());
  }
  return false;
}

void merge_keys(api::LabelSelector& selector, const std::vector<std::string>& keys, api::SelectorOperator op,
                const api::StringMap& labels) {
  for (const std::string& key : keys) {
    if (const auto found = labels.find(key); found != labels.end()) {
      selector.match_expressions.push_back({key, op, {found->second}});
    }
  }
}

// Nothing if there is no such object. The API server gives every namespace a label with its name.
std::optional<api::StringMap> labels_of_namespace(const Objects& objects, const std::string& name) {
  for (const api::Namespace& candidate : objects.namespaces) {
    if (candidate.metadata.name != name) continue;
    api::StringMap labels = candidate.metadata.labels;
    labels["kubernetes.io/metadata.name"] = name;
    return labels;
  }
  return std::nullopt;
}

bool listed(const api::PodAffinityTerm& term, const api::Pod& owner, const std::string& name) {
  if (term.namespaces.empty() && !term.namespace_selector) return owner.metadata.namespace_ == name;
  return std::ranges::find(term.namespaces, name) != term.namespaces.end();
}

bool labels_selected(const api::PodAffinityTerm& term, const api::Pod& owner, const api::Pod& other) {
  return selects(merged_selector(term, owner.metadata.labels), other.metadata.labels);
}

}  // namespace

bool holds(const api::SelectorRequirement& requirement, const api::StringMap& labels) {
  const auto found = labels.find(requirement.key);
  const bool present = found != labels.end();
  const auto among = [&] { return std::ranges::find(requirement.values, found->second) != requirement.values.end(); };
  switch (requirement.op) {
    case api::SelectorOperator::kIn:
      return present && among();
    case api::SelectorOperator::kNotIn:
      return !present || !among();
    case api::SelectorOperator::kExists:
      return present;
    case api::SelectorOperator::kDoesNotExist:
      return !present;
    case api::SelectorOperator::kGreaterThan:
    case api::SelectorOperator::kLessThan: {
      if (!present || requirement.values.size() != 1) return false;
      const auto own = integer(found->second);
      const auto bound = integer(requirement.values.front());
      if (!own || !bound) return false;
      return requirement.op == api::SelectorOperator::kGreaterThan ? *own > *bound : *own < *bound;
    }
  }
  return false;
}

bool is_empty(const api::LabelSelector& selector) {
  return selector.match_labels.empty() && selector.match_expressions.empty();
}

bool selects(const api::LabelSelector& selector, const api::StringMap& labels) {
  for (const auto& [key, value] : selector.match_labels) {
    const auto found = labels.find(key);
    if (found == labels.end() || found->second != value) return false;
  }
  return std::ranges::all_of(selector.match_expressions, [&](const auto& each) { return holds(each, labels); });
}

bool selects(const std::optional<api::LabelSelector>& selector, const api::StringMap& labels) {
  return selector && selects(*selector, labels);
}

bool term_matches(const api::NodeSelectorTerm& term, const api::Node& node) {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  return std::ranges::all_of(
             term.match_expressions,
             [&](const auto& each) { return is_well_formed(each) && holds(each, node.metadata.labels); }) &&
         std::ranges::all_of(term.match_fields,
                             [&](const auto& each) { return name_matches(each, node.metadata.name); });
}

bool selector_matches(const api::NodeSelector& selector, const api::Node& node) {
  return std::ranges::any_of(selector.terms, [&](const auto& term) { return term_matches(term, node); });
}

bool required_affinity_matches(const api::PodSpec& spec, const api::Node& node) {
  for (const auto& [key, value] : spec.node_selector) {
    const auto found = node.metadata.labels.find(key);
    if (found == node.metadata.labels.end() || found->second != value) return false;
  }
  if (!spec.affinity.node || !spec.affinity.node->required) return true;
  return selector_matches(*spec.affinity.node->required, node);
}

bool tolerates(const api::Toleration& toleration, const api::Taint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  switch (toleration.op) {
    case api::TolerationOperator::kEqual:
      return toleration.value == taint.value;
    case api::TolerationOperator::kExists:
      return true;
    case api::TolerationOperator::kLessThan:
    case api::TolerationOperator::kGreaterThan:
      return false;  // behind a feature gate that is off
  }
  return false;
}

bool tolerates(const std::vector<api::Toleration>& tolerations, const api::Taint& taint) {
  return std::ranges::any_of(tolerations, [&](const auto& each) { return tolerates(each, taint); });
}

const api::Taint* untolerated_taint(const api::PodSpec& spec, const api::Node& node) {
  for (const api::Taint& taint : node.taints) {
    if (taint.effect != api::TaintEffect::kPreferNoSchedule && !tolerates(spec.tolerations, taint)) return &taint;
  }
  return nullptr;
}

std::optional<api::LabelSelector> merged_selector(const api::PodAffinityTerm& term, const api::StringMap& own_labels) {
  std::optional<api::LabelSelector> selector = term.label_selector;
  if (!selector) return selector;
  merge_keys(*selector, term.match_label_keys, api::SelectorOperator::kIn, own_labels);
  merge_keys(*selector, term.mismatch_label_keys, api::SelectorOperator::kNotIn, own_labels);
  return selector;
}

std::optional<api::LabelSelector> merged_selector(const api::TopologySpreadConstraint& constraint,
                                                  const api::StringMap& own_labels) {
  std::optional<api::LabelSelector> selector = constraint.label_selector;
  if (selector) merge_keys(*selector, constraint.match_label_keys, api::SelectorOperator::kIn, own_labels);
  return selector;
}

bool term_of_waiting_selects(const api::PodAffinityTerm& term, const api::Pod& waiting, const api::Pod& running,
                             const Objects& objects) {
  const std::string& name = running.metadata.namespace_;
  bool in_scope = listed(term, waiting, name);
  if (!in_scope && term.namespace_selector) {
    const auto labels = labels_of_namespace(objects, name);
    in_scope = is_empty(*term.namespace_selector) || (labels && selects(*term.namespace_selector, *labels));
  }
  return in_scope && labels_selected(term, waiting, running);
}

bool term_of_running_selects(const api::PodAffinityTerm& term, const api::Pod& running, const api::Pod& waiting,
                             const Objects& objects) {
  const std::string& name = waiting.metadata.namespace_;
  bool in_scope = listed(term, running, name);
  if (!in_scope && term.namespace_selector) {
    in_scope = selects(*term.namespace_selector, labels_of_namespace(objects, name).value_or(api::StringMap{}));
  }
  return in_scope && labels_selected(term, running, waiting);
}

}  // namespace berth::reference
