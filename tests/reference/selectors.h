// Label selectors, node selectors and the terms of inter-pod affinity, evaluated from their text each time.
#pragma once

#include <string>
#include <vector>

#include "api/core.h"
#include "reference/objects.h"

namespace berth::reference {

// Nothing selects no pod.
[[nodiscard]] bool selects(const std::optional<api::LabelSelector>& selector, const api::StringMap& labels);
[[nodiscard]] bool selects(const api::LabelSelector& selector, const api::StringMap& labels);
[[nodiscard]] bool holds(const api::SelectorRequirement& requirement, const api::StringMap& labels);
[[nodiscard]] bool is_empty(const api::LabelSelector& selector);

[[nodiscard]] bool term_matches(const api::NodeSelectorTerm& term, const api::Node& node);
[[nodiscard]] bool selector_matches(const api::NodeSelector& selector, const api::Node& node);

// nodeSelector and required node affinity of the pod.
[[nodiscard]] bool required_affinity_matches(const api::PodSpec& spec, const api::Node& node);

[[nodiscard]] bool tolerates(const api::Toleration& toleration, const api::Taint& taint);
[[nodiscard]] bool tolerates(const std::vector<api::Toleration>& tolerations, const api::Taint& taint);
// The first NoSchedule or NoExecute taint that the pod does not tolerate, or none.
[[nodiscard]] const api::Taint* untolerated_taint(const api::PodSpec& spec, const api::Node& node);

// The selector with matchLabelKeys and mismatchLabelKeys of the pod's own labels merged in, as the API server does it.
[[nodiscard]] std::optional<api::LabelSelector> merged_selector(const api::PodAffinityTerm& term,
                                                                const api::StringMap& own_labels);
[[nodiscard]] std::optional<api::LabelSelector> merged_selector(const api::TopologySpreadConstraint& constraint,
                                                                const api::StringMap& own_labels);

// The two sides of a term. A pod that owns the term and waits has its namespace selector resolved to the namespaces
// that exist; a pod that owns it and runs is asked with the labels of the other pod's namespace.
[[nodiscard]] bool term_of_waiting_selects(const api::PodAffinityTerm& term, const api::Pod& waiting,
                                           const api::Pod& running, const Objects& objects);
[[nodiscard]] bool term_of_running_selects(const api::PodAffinityTerm& term, const api::Pod& running,
                                           const api::Pod& waiting, const Objects& objects);

}  // namespace berth::reference
