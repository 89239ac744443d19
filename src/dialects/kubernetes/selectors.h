// Selectors, affinity terms, taints and tolerations of the API in engine terms.
//
// What the API's own validation refuses (In without values, Exists with values, Gt without an integer) cannot match:
// a term that has such a requirement is left out, as kube-scheduler leaves it out of required terms.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/core.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

[[nodiscard]] engine::Labels labels(const api::StringMap& map, engine::Names& names);

// Requirements in canonical order, so that equal selectors written differently are equal.
[[nodiscard]] engine::Selector selector(const std::optional<api::LabelSelector>& selector, engine::Names& names);
[[nodiscard]] engine::Selector selector(const api::LabelSelector& selector, engine::Names& names);
[[nodiscard]] engine::Selector selector(const api::StringMap& match_labels, engine::Names& names);

// Adds `key In [value]` (or NotIn) for each of the keys that the pod's labels have, as the API server does for
// matchLabelKeys and mismatchLabelKeys. An absent selector stays absent.
void merge_label_keys(engine::Selector& selector, const std::vector<std::string>& keys, const api::StringMap& labels,
                      engine::Operator op, engine::Names& names);
// Brings requirements into canonical order and drops repeated ones.
void canonicalize(engine::Selector& selector);

// none: the term can match no node.
[[nodiscard]] std::optional<engine::NodeTerm> node_term(const api::NodeSelectorTerm& term, engine::Names& names);
[[nodiscard]] engine::NodeSelector node_selector(const api::NodeSelector& selector, engine::Names& names);
// spec.nodeSelector: all pairs.
[[nodiscard]] engine::NodeSelector node_selector(const api::StringMap& pairs, engine::Names& names);
// A PersistentVolume's node affinity sees the node's labels and no name.
[[nodiscard]] engine::NodeSelector volume_node_selector(const api::NodeSelector& selector, engine::Names& names);

[[nodiscard]] engine::Taint taint(const api::Taint& taint, engine::Names& names);
[[nodiscard]] engine::Toleration toleration(const api::Toleration& toleration, engine::Names& names);

}  // namespace berth::dialects::kubernetes
