// Label selectors, node terms and tolerations: does this match that? Pure functions with upstream's rules
// (apimachinery labels.Requirement, component-helpers nodeaffinity, core/v1 Toleration.ToleratesTaint).
#pragma once

#include <span>

#include "engine/input.h"
#include "engine/names.h"

namespace berth::engine {

// The value of a label, or none.
[[nodiscard]] LabelValueId label_value(const Labels& labels, LabelKeyId key);

// In: the key is there with one of the values. NotIn: the key is missing or has another value. Gt, Lt: both sides are
// integers and compare so.
[[nodiscard]] bool matches(const Requirement& requirement, const Labels& labels, const Names& names);
[[nodiscard]] bool matches(const Selector& selector, const Labels& labels, const Names& names);

// Requirements within a term are ANDed; terms of a selector are ORed; an empty term matches no node.
[[nodiscard]] bool matches(const NodeTerm& term, const NodeInput& node, const Names& names);
[[nodiscard]] bool matches(const NodeSelector& selector, const NodeInput& node, const Names& names);
[[nodiscard]] bool matches_all(const std::vector<NodeSelector>& selectors, const NodeInput& node, const Names& names);

[[nodiscard]] bool tolerates(const Toleration& toleration, const Taint& taint);

// The first taint with effect NoSchedule or NoExecute that nothing tolerates, or null.
[[nodiscard]] const Taint* untolerated(std::span<const Toleration> tolerations, std::span<const Taint> taints);

}  // namespace berth::engine
