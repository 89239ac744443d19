#include "dialects/kubernetes/affinity.h"

#include <algorithm>

#include "api/compute_domain.h"
#include "base/mutant.h"
#include "base/sort_unique.h"
#include "dialects/kubernetes/selectors.h"

namespace berth::dialects::kubernetes {
namespace {

void add_preferred(engine::ShapeInput& shape, const std::vector<api::PreferredSchedulingTerm>& terms,
                   engine::Names& names) {
  for (const auto& preferred : terms) {
    if (preferred.weight == 0) continue;
    if (auto term = node_term(preferred.preference, names)) {
      shape.preferred_nodes.push_back({preferred.weight, std::move(*term)});
    }
  }
}

engine::AffinityTerm term_of(const api::PodAffinityTerm& from, const api::Pod& pod, engine::Names& names) {
  engine::AffinityTerm term;
  term.selector = selector(from.label_selector, names);
  if (!mutant("Rule.AffinityMatchLabelKeys"))
    merge_label_keys(term.selector, from.match_label_keys, pod.metadata.labels, engine::Operator::kIn, names);
  if (!mutant("Rule.AffinityMismatchLabelKeys"))
    merge_label_keys(term.selector, from.mismatch_label_keys, pod.metadata.labels, engine::Operator::kNotIn, names);
  term.topology_key = names.label_keys.intern(from.topology_key);
  if ((from.namespaces.empty() && !from.namespace_selector) || mutant("Rule.AffinityNamespaces")) {
    term.scope.namespaces = {names.namespaces.intern(pod.metadata.namespace_)};
    return term;
  }
  for (const std::string& name : from.namespaces) term.scope.namespaces.push_back(names.namespaces.intern(name));
  sort_unique(term.scope.namespaces);
  if (from.namespace_selector && !mutant("Rule.AffinityNamespaceSelector"))
    term.scope.selector = selector(*from.namespace_selector, names);
  return term;
}

}  // namespace

void add_node_affinity(engine::ShapeInput& shape, const api::Pod& pod, const api::NodeAffinity* added,
                       engine::Names& names) {
  if (!pod.spec.node_selector.empty() && !mutant("Rule.NodeSelector"))
    shape.node_selectors.push_back(node_selector(pod.spec.node_selector, names));
  if (const auto& own = pod.spec.affinity.node) {
    if (own->required && !mutant("Rule.RequiredNodeAffinity"))
      shape.node_selectors.push_back(node_selector(*own->required, names));
    add_preferred(shape, own->preferred, names);
  }
  if (added != nullptr && !mutant("Rule.AddedAffinity")) {
    if (added->required) shape.added_node_selectors.push_back(node_selector(*added->required, names));
    add_preferred(shape, added->preferred, names);
  }
  std::ranges::sort(shape.preferred_nodes);
}

void add_pod_affinity(engine::ShapeInput& shape, const api::Pod& pod, engine::Names& names) {
  if (const auto& affinity = pod.spec.affinity.pod) {
    for (const auto& term : affinity->required) shape.required_affinity.push_back(term_of(term, pod, names));
    for (const auto& [weight, term] : affinity->preferred) {
      shape.preferred_affinity.push_back({weight, term_of(term, pod, names)});
    }
  }
  if (const auto& anti = pod.spec.affinity.pod_anti) {
    for (const auto& term : anti->required) shape.required_anti_affinity.push_back(term_of(term, pod, names));
    for (const auto& [weight, term] : anti->preferred) {
      shape.preferred_affinity.push_back({-weight, term_of(term, pod, names)});
    }
  }
}

void keep_in_one_clique(engine::ShapeInput& shape, const api::Pod& pod, const std::string& domain,
                        engine::Names& names) {
  api::StringMap all = pod.metadata.labels;
  const std::string key(api::kComputeDomainLabel);
  all.insert_or_assign(key, domain);
  shape.labels = labels(all, names);
  engine::AffinityTerm term;
  term.selector = selector(api::StringMap{{key, domain}}, names);
  term.scope.namespaces = {names.namespaces.intern(pod.metadata.namespace_)};
  term.topology_key = names.label_keys.intern(api::kCliqueLabel);
  shape.required_affinity.push_back(std::move(term));
}

}  // namespace berth::dialects::kubernetes
