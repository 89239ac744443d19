#include "api/selector.h"

#include <algorithm>
#include <array>

#include "base/digits.h"
#include "base/whole_number.h"

namespace berth::api {
namespace {

constexpr std::size_t kLongestName = 63;
constexpr std::size_t kLongestSubdomain = 253;

constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_alphanumeric(char c) { return is_lower(c) || is_digit(c) || (c >= 'A' && c <= 'Z'); }

// ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]
bool is_name(std::string_view text) {
  if (text.empty() || text.size() > kLongestName) return false;
  if (!is_alphanumeric(text.front()) || !is_alphanumeric(text.back())) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

// Lower-case labels of letters, digits and '-' with dots between.
bool is_subdomain(std::string_view text) {
  if (text.empty() || text.size() > kLongestSubdomain) return false;
  bool edge = true;  // the last character was a dot, or there is none yet
  char before = '.';
  for (const char c : text) {
    if (c == '.' ? edge || before == '-' : !is_lower(c) && !is_digit(c) && (c != '-' || edge)) return false;
    edge = c == '.';
    before = c;
  }
  return !edge && before != '-';
}

std::optional<std::int64_t> signed_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return whole_number<std::int64_t>(text);
}

bool holds_in_order(const SelectorRequirement& requirement, const std::string& value) {
  if (requirement.values.size() != 1) return false;
  const auto actual = signed_number(value);
  const auto bound = signed_number(requirement.values.front());
  if (!actual || !bound) return false;
  return requirement.op == SelectorOperator::kGreaterThan ? *actual > *bound : *actual < *bound;
}

struct OperatorName {
  SelectorOperator op;
  std::string_view name;
};
constexpr std::array<OperatorName, 6> kOperators = {{{SelectorOperator::kIn, "In"},
                                                     {SelectorOperator::kNotIn, "NotIn"},
                                                     {SelectorOperator::kExists, "Exists"},
                                                     {SelectorOperator::kDoesNotExist, "DoesNotExist"},
                                                     {SelectorOperator::kGreaterThan, "Gt"},
                                                     {SelectorOperator::kLessThan, "Lt"}}};

}  // namespace

bool matches(const SelectorRequirement& requirement, const StringMap& labels) {
  const auto found = labels.find(requirement.key);
  const bool present = found != labels.end();
  const auto listed = [&] {
    return std::find(requirement.values.begin(), requirement.values.end(), found->second) != requirement.values.end();
  };
  switch (requirement.op) {
    case SelectorOperator::kIn:
      return present && listed();
    case SelectorOperator::kNotIn:
      return !present || !listed();
    case SelectorOperator::kExists:
      return present;
    case SelectorOperator::kDoesNotExist:
      return !present;
    case SelectorOperator::kGreaterThan:
    case SelectorOperator::kLessThan:
      return present && holds_in_order(requirement, found->second);
  }
  return false;
}

bool matches(const LabelSelector& selector, const StringMap& labels) {
  for (const auto& [key, value] : selector.match_labels) {
    const auto found = labels.find(key);
    if (found == labels.end() || found->second != value) return false;
  }
  return std::all_of(selector.match_expressions.begin(), selector.match_expressions.end(),
                     [&](const SelectorRequirement& requirement) {
                       const bool ordered = requirement.op == SelectorOperator::kGreaterThan ||
                                            requirement.op == SelectorOperator::kLessThan;
                       return !ordered && matches(requirement, labels);
                     });
}

std::optional<std::string> label_key_fault(std::string_view key) {
  const std::size_t slash = key.find('/');
  const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
  const bool prefixed = slash == std::string_view::npos || is_subdomain(key.substr(0, slash));
  if (prefixed && is_name(name)) return std::nullopt;
  return "\"" + std::string(key.substr(0, 300)) +
         "\" is no label key; write [PREFIX/]NAME with at most 63 letters, digits, - _ . in NAME.";
}

std::optional<std::string> label_value_fault(std::string_view value) {
  if (value.empty() || is_name(value)) return std::nullopt;
  return "\"" + std::string(value.substr(0, 300)) +
         "\" is no label value; write at most 63 letters, digits, - _ . with a letter or digit at both ends.";
}

std::optional<std::string> object_name_fault(std::string_view name) {
  if (is_subdomain(name)) return std::nullopt;
  return "\"" + std::string(name.substr(0, 300)) +
         "\" is no object name; write lower-case letters, digits, - and . with a letter or digit at both ends.";
}

std::optional<std::string> namespace_fault(std::string_view name) {
  if (name.size() <= kLongestName && is_subdomain(name) && name.find('.') == std::string_view::npos)
    return std::nullopt;
  return "\"" + std::string(name.substr(0, 300)) +
         "\" is no name of a namespace; write at most 63 characters, lower-case letters, digits and - (no dots), with "
         "a letter or digit at both ends.";
}

namespace {

std::optional<std::string> field_fault(const SelectorRequirement& requirement) {
  if (requirement.key != "metadata.name")
    return "Only metadata.name can be matched as a field; use matchExpressions for labels.";
  if (requirement.op != SelectorOperator::kIn && requirement.op != SelectorOperator::kNotIn)
    return "The operator of a field is In or NotIn, not " + std::string(name_of(requirement.op)) + "; correct it.";
  if (requirement.values.size() != 1)
    return "A field is compared with exactly one value, not " + std::to_string(requirement.values.size()) +
           "; write a term for each node, or match a label.";
  return object_name_fault(requirement.values.front());
}

}  // namespace

std::optional<std::string> requirement_fault(const SelectorRequirement& requirement, SelectorScope scope) {
  if (scope == SelectorScope::kNodeFields) return field_fault(requirement);
  if (auto fault = label_key_fault(requirement.key)) return fault;
  const std::string op(name_of(requirement.op));
  switch (requirement.op) {
    case SelectorOperator::kIn:
    case SelectorOperator::kNotIn:
      if (requirement.values.empty()) return "The operator " + op + " needs at least one value; add values.";
      break;
    case SelectorOperator::kExists:
    case SelectorOperator::kDoesNotExist:
      if (!requirement.values.empty()) return "The operator " + op + " takes no values; remove them.";
      break;
    case SelectorOperator::kGreaterThan:
    case SelectorOperator::kLessThan:
      if (scope == SelectorScope::kLabels)
        return "The operator " + op + " is for node selectors only; use In, NotIn, Exists or DoesNotExist.";
      if (requirement.values.size() != 1 || !signed_number(requirement.values.front()))
        return "The operator " + op + " needs exactly one integer as its value; correct the values.";
      break;
  }
  for (const std::string& value : requirement.values)
    if (auto fault = label_value_fault(value); fault && scope == SelectorScope::kLabels) return fault;
  return std::nullopt;
}

std::string_view name_of(SelectorOperator op) {
  for (const OperatorName& known : kOperators)
    if (known.op == op) return known.name;
  return "";
}

}  // namespace berth::api
