#include "engine/world/content_hash.h"

namespace berth::engine {

void ContentHash::add(const Label& label) {
  add(static_cast<std::uint64_t>(label.key.value()) << 32U | label.value.value());
}

void ContentHash::add(const Requirement& requirement) {
  add(requirement.key);
  add(static_cast<std::uint64_t>(requirement.op));
  add(requirement.values);
  add(requirement.bound);
}

void ContentHash::add(const Selector& selector) {
  add(selector.nothing);
  add(selector.requirements);
}

void ContentHash::add(const NameRequirement& requirement) {
  add(requirement.in);
  add(requirement.names);
}

void ContentHash::add(const NodeTerm& term) {
  add(term.labels);
  add(term.names);
}

void ContentHash::add(const NodeSelector& selector) { add(selector.terms); }

void ContentHash::add(const WeightedNodeTerm& term) {
  add(term.weight);
  add(term.term);
}

void ContentHash::add(const Toleration& toleration) {
  add(toleration.key);
  add(static_cast<std::uint64_t>(toleration.match));
  add(toleration.value);
  add(toleration.effect ? static_cast<std::uint64_t>(*toleration.effect) + 1 : std::uint64_t{0});
}

void ContentHash::add(const NamespaceScope& scope) {
  add(scope.namespaces);
  add(scope.selector);
}

void ContentHash::add(const AffinityTerm& term) {
  add(term.selector);
  add(term.scope);
  add(term.topology_key);
}

void ContentHash::add(const WeightedAffinityTerm& term) {
  add(term.weight);
  add(term.term);
}

void ContentHash::add(const SpreadConstraint& constraint) {
  add(constraint.max_skew);
  add(constraint.topology_key);
  add(constraint.hard);
  add(constraint.selector);
  add(constraint.min_domains);
  add(constraint.honor_node_affinity);
  add(constraint.honor_node_taints);
}

void ContentHash::add(const HostPort& port) {
  add(static_cast<std::uint64_t>(port.protocol));
  add(port.address);
  add(port.port);
}

void ContentHash::add(const CardRequest& request) {
  add(request.resource);
  add(request.count);
  add(request.milli);
  add(request.millionths);
  add(request.products);
  add(static_cast<std::uint64_t>(request.memory_bytes));
}

void ContentHash::add(const ResourceAmount& amount) {
  add(amount.resource);
  add(amount.amount);
}

// These may name every node of the cluster, so their lengths and their ends have to do.
void ContentHash::add(const Shared<NodeSelector>& selector) {
  const auto add_ends = [this](const auto& list) {
    add(static_cast<std::uint64_t>(list.size()));
    if (list.empty()) return;
    add(list.front());
    add(list.back());
  };
  add(static_cast<std::uint64_t>(selector->terms.size()));
  if (selector->terms.empty()) return;
  for (const NodeTerm* term : {&selector->terms.front(), &selector->terms.back()}) {
    for (const Requirement& requirement : term->labels) {
      add(requirement.key);
      add_ends(requirement.values);
    }
    for (const NameRequirement& requirement : term->names) add_ends(requirement.names);
  }
}

void ContentHash::add(const VolumeChoices& choices) {
  add(static_cast<std::uint64_t>(choices.existing.size()));
  add(static_cast<std::uint64_t>(choices.by_node.size()));
  for (const VolumeChoice& choice : choices.existing) {
    for (const auto& [requested, capacity] : choice.classes) {
      add(requested);
      add(capacity);
    }
  }
}

void ContentHash::add(const ClaimUse& use) {
  add(use.spec);
  add(use.shared);
  add(use.resource);
}

// Fields that hardly ever tell two shapes apart are left to the comparison.
void ContentHash::add(const ShapeInput& shape) {
  add(shape.profile);
  add(shape.namespace_);
  add(shape.labels);
  add(shape.priority);
  add(shape.requests);
  add(shape.nonzero_cpu);
  add(shape.nonzero_memory);
  add(shape.cards);
  add(shape.counted);
  add(shape.node_name);
  add(shape.node_selectors);
  add(shape.added_node_selectors);
  add(shape.preferred_nodes);
  add(shape.tolerations);
  add(shape.host_ports);
  add(shape.spread);
  add(shape.required_affinity);
  add(shape.required_anti_affinity);
  add(shape.preferred_affinity);
  add(shape.images);
  add(shape.volume_selectors);
  add(*shape.volume_choices);
  add(shape.exclusive_claims);
  add(shape.claims);
  add(shape.needed_features);
}

}  // namespace berth::engine
