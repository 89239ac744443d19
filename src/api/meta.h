// What every Kubernetes object carries: metadata, selectors, owners.
// Source: meta/v1 of the Kubernetes API. Only what Berth reads; the rest is dropped on reading.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace berth::api {

// Seconds since 1970-01-01T00:00:00Z. Kubernetes writes times to the second.
using Time = std::int64_t;

// Labels and annotations, in key order.
using StringMap = std::map<std::string, std::string, std::less<>>;

struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  bool controller = false;
  bool operator==(const OwnerReference&) const = default;
};

struct ObjectMeta {
  std::string name;
  std::string generate_name;
  std::string namespace_;  // "default" once decoded, for namespaced kinds; empty for cluster-wide ones
  std::string uid;
  StringMap labels;
  StringMap annotations;
  std::optional<Time> creation_timestamp;
  std::optional<Time> deletion_timestamp;  // set: the object is terminating
  std::vector<OwnerReference> owner_references;
  bool operator==(const ObjectMeta&) const = default;
};

enum class SelectorOperator : std::uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGreaterThan, kLessThan };

// One expression of a label selector or a node selector (Gt and Lt are for nodes only and have one integer value).
struct SelectorRequirement {
  std::string key;
  SelectorOperator op = SelectorOperator::kIn;
  std::vector<std::string> values;
  bool operator==(const SelectorRequirement&) const = default;
};

// metav1.LabelSelector. All must hold; an empty selector selects everything. Where the API distinguishes "no selector"
// (selects nothing) the field is std::optional<LabelSelector>.
struct LabelSelector {
  StringMap match_labels;
  std::vector<SelectorRequirement> match_expressions;
  bool operator==(const LabelSelector&) const = default;
};

// True if every part of the selector holds for the labels. Gt and Lt never hold here.
[[nodiscard]] bool matches(const LabelSelector& selector, const StringMap& labels);
// One requirement, Gt and Lt included: both sides must be base-10 int64 for them to hold.
[[nodiscard]] bool matches(const SelectorRequirement& requirement, const StringMap& labels);

}  // namespace berth::api
