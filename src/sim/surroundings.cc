#include "sim/surroundings.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/near_names.h"
#include "dialects/kubernetes/cards.h"
#include "engine/world/selectors.h"
#include "engine/world/world.h"
#include "report/layout.h"
#include "sim/cluster.h"

namespace berth::sim {
namespace {

std::string requirement_text(const engine::Requirement& requirement, const engine::Names& names) {
  std::string key(names.label_keys.text(requirement.key));
  std::vector<std::string> values;
  for (const engine::LabelValueId value : requirement.values) values.emplace_back(names.text(value));
  switch (requirement.op) {
    case engine::Operator::kIn:
      return values.size() == 1 ? key + "=" + values[0] : key + " in (" + report::enumerate(values, 4) + ")";
    case engine::Operator::kNotIn:
      return values.size() == 1 ? key + "!=" + values[0] : key + " not in (" + report::enumerate(values, 4) + ")";
    case engine::Operator::kExists:
      return "a label " + key;
    case engine::Operator::kDoesNotExist:
      return "no label " + key;
    case engine::Operator::kGreaterThan:
    case engine::Operator::kLessThan:
      return key + (requirement.op == engine::Operator::kGreaterThan ? " > " : " < ") +
             (requirement.bound ? std::to_string(*requirement.bound) : std::string("no integer"));
  }
  return key;
}

std::string term_text(const engine::NodeTerm& term, const engine::Names& names) {
  std::vector<std::string> parts;
  for (const engine::Requirement& requirement : term.labels) parts.push_back(requirement_text(requirement, names));
  // Names that stand beside the label of a host were added to it.
  const engine::LabelKeyId host = names.label_keys.find(dialects::kubernetes::Context::kHostLabel);
  const bool by_host = std::ranges::any_of(term.labels, [&](const engine::Requirement& requirement) {
    return requirement.key == host && requirement.op == engine::Operator::kIn;
  });
  for (const engine::NameRequirement& requirement : term.names) {
    if (by_host && requirement.in) continue;
    std::vector<std::string> nodes;
    for (const engine::NameId name : requirement.names) nodes.emplace_back(names.names.text(name));
    parts.push_back((requirement.in ? "the node " : "not the node ") + report::enumerate(nodes, 3));
  }
  return report::enumerate(parts, parts.size());
}

// Calls visit for each selector that the shape's node has to match because the pod or its profile says so.
template <class Visit>
void for_each_selector(const engine::ShapeInput& shape, Visit visit) {
  for (const engine::NodeSelector& selector : shape.node_selectors) visit(selector);
  for (const engine::NodeSelector& selector : shape.added_node_selectors) visit(selector);
}

}  // namespace

EngineSurroundings::EngineSurroundings(const Cluster& cluster, engine::PodId subject,
                                       const std::set<engine::PodId>* planned)
    : cluster_(&cluster), engine_(&cluster.engine()), names_(&cluster.names()), subject_(subject), planned_(planned) {}

std::string_view EngineSurroundings::node_name(engine::NodeId node) const {
  return names_->names.text(engine_->world().node(node).input.name);
}

std::string_view EngineSurroundings::pod_name(engine::PodId pod) const {
  return names_->names.text(engine_->world().pod(pod).name);
}

std::string_view EngineSurroundings::pod_node_name(engine::PodId pod) const {
  const engine::NodeId node = engine_->world().pod(pod).node;
  return node.is_none() ? std::string_view() : node_name(node);
}

report::HolderState EngineSurroundings::holder_state(engine::PodId pod) const {
  if (engine_->world().pod(pod).terminating) return report::HolderState::kLeaving;
  if (planned_ != nullptr && planned_->contains(pod)) return report::HolderState::kPlanned;
  return report::HolderState::kRuns;
}

bool EngineSurroundings::is_card(engine::ResourceId resource) const {
  return !resource.is_none() && dialects::kubernetes::is_card_resource(names_->resources.text(resource));
}

engine::Amount EngineSurroundings::allocatable(engine::NodeId node, engine::ResourceId resource) const {
  return engine_->world().allocatable(node, resource);
}

std::vector<std::string> EngineSurroundings::likely_resources(engine::ResourceId resource) const {
  const engine::World& world = engine_->world();
  std::map<engine::ResourceId, engine::Amount> offered;
  for (std::size_t i = 0; i < world.node_slots(); ++i) {
    const engine::Node& node = world.node(engine::NodeId{i});
    if (!node.alive) continue;
    for (const engine::ResourceAmount& amount : node.input.allocatable)
      if (amount.resource != resource && amount.amount > 0) offered[amount.resource] += amount.amount;
  }
  std::vector<std::string> names;
  std::vector<std::pair<engine::Amount, std::string>> cards;
  for (const auto& [other, amount] : offered) {
    std::string name(names_->resources.text(other));
    if (is_card(other)) cards.emplace_back(-amount, name);
    if (name.find('/') != std::string::npos) names.push_back(std::move(name));
  }
  constexpr std::size_t kMostNear = 2;
  std::vector<std::string> out = near_names(names_->resources.text(resource), names, kMostNear);
  if (!out.empty()) return out;
  std::ranges::sort(cards);
  for (auto& [amount, name] : cards) out.push_back(std::move(name));
  return out;
}

void EngineSurroundings::turn_to(engine::PodId subject) {
  subject_ = subject;
  asked_ = false;
  taints_.clear();
  for (auto& nodes : nodes_) nodes.clear();
}

void EngineSurroundings::ask_all_nodes() const {
  if (asked_ || subject_.is_none()) return;
  asked_ = true;
  const engine::World& world = engine_->world();
  if (in_natural_order_.empty()) {
    for (std::size_t i = 0; i < world.node_slots(); ++i) {
      if (world.node(engine::NodeId{i}).alive) in_natural_order_.emplace_back(i);
    }
    std::ranges::sort(in_natural_order_, report::natural_less, [this](engine::NodeId id) { return node_name(id); });
  }
  const std::vector<engine::Toleration>& tolerations = world.shape_of(subject_).input.tolerations;
  for (const engine::NodeId id : in_natural_order_) {
    const engine::NodeCause cause = engine_->check(subject_, id);
    nodes_[static_cast<std::size_t>(cause)].push_back(id);
    if (cause != engine::NodeCause::kTaint) continue;
    if (const engine::Taint* taint = engine::untolerated(tolerations, world.node(id).input.taints))
      taints_[*taint].push_back(id);
  }
}

std::vector<std::string> EngineSurroundings::nodes_with(engine::NodeCause cause) const {
  ask_all_nodes();
  std::vector<std::string> names;
  for (const engine::NodeId id : nodes_[static_cast<std::size_t>(cause)]) names.emplace_back(node_name(id));
  return names;
}

std::vector<report::TaintedNodes> EngineSurroundings::taints() const {
  ask_all_nodes();
  std::vector<report::TaintedNodes> out;
  for (const auto& [taint, nodes] : taints_) {
    report::TaintedNodes& tainted = out.emplace_back(report::TaintedNodes{taint, {}});
    for (const engine::NodeId node : nodes) tainted.nodes.emplace_back(node_name(node));
  }
  std::ranges::stable_sort(out, [](const auto& a, const auto& b) { return a.nodes.size() > b.nodes.size(); });
  return out;
}

std::optional<engine::Taint> EngineSurroundings::taint_on(engine::NodeId node) const {
  if (subject_.is_none()) return std::nullopt;
  const engine::World& world = engine_->world();
  const engine::Taint* taint =
      engine::untolerated(world.shape_of(subject_).input.tolerations, world.node(node).input.taints);
  return taint == nullptr ? std::nullopt : std::optional(*taint);
}

std::string EngineSurroundings::selection() const {
  if (subject_.is_none()) return "";
  std::vector<std::string> all;
  for_each_selector(engine_->world().shape_of(subject_).input, [&](const engine::NodeSelector& selector) {
    std::string text;
    for (const engine::NodeTerm& term : selector.terms)
      text += (text.empty() ? "" : ", or ") + term_text(term, *names_);
    if (!text.empty()) all.push_back(std::move(text));
  });
  return report::enumerate(all, all.size());
}

std::vector<std::string> EngineSurroundings::needed_features() const {
  std::vector<std::string> features;
  if (subject_.is_none()) return features;
  for (const engine::NameId feature : engine_->world().shape_of(subject_).input.needed_features)
    features.emplace_back(names_->names.text(feature));
  std::ranges::sort(features);
  return features;
}

bool EngineSurroundings::was_refused(std::string_view kind, std::string_view name) const {
  if (name.empty()) return cluster_->objects().refused_any(kind);
  const auto& refused = cluster_->objects().refused;
  std::string text(kind);
  text += kind.empty() ? "" : " ";
  text += name;
  if (refused.contains(text)) return true;
  if (subject_.is_none() || kind.empty()) return false;
  const std::string_view pod = pod_name(subject_);
  return refused.contains(std::string(kind) + ' ' + std::string(pod.substr(0, pod.find('/') + 1)) + std::string(name));
}

bool EngineSurroundings::is_on_a_node(engine::LabelKeyId key) const {
  const engine::World& world = engine_->world();
  return std::ranges::any_of(world.by_rank(), [&](engine::NodeId node) {
    return std::ranges::find(world.node(node).input.labels, key, &engine::Label::key) !=
           world.node(node).input.labels.end();
  });
}

std::vector<std::string> EngineSurroundings::unanswered() const {
  std::vector<std::string> out;
  if (subject_.is_none()) return out;
  for_each_selector(engine_->world().shape_of(subject_).input, [&](const engine::NodeSelector& selector) {
    // Alternatives are each no demand of their own.
    if (selector.terms.size() != 1) return;
    for (const engine::Requirement& requirement : selector.terms.front().labels) {
      if (std::optional<std::string> text = unanswered(requirement)) out.push_back(*std::move(text));
    }
  });
  return out;
}

std::optional<std::string> EngineSurroundings::unanswered(const engine::Requirement& requirement) const {
  const engine::World& world = engine_->world();
  std::set<std::string> values;
  for (std::size_t i = 0; i < world.node_slots(); ++i) {
    const engine::Node& node = world.node(engine::NodeId{i});
    if (!node.alive) continue;
    if (engine::matches(requirement, node.input.labels, *names_)) return std::nullopt;
    const engine::LabelValueId value = engine::label_value(node.input.labels, requirement.key);
    if (!value.is_none()) values.emplace(names_->text(value));
  }
  std::string text = "no node has " + requirement_text(requirement, *names_);
  if (requirement.op == engine::Operator::kIn && !values.empty())
    text += "; there is " + report::enumerate(std::vector<std::string>(values.begin(), values.end()), 4);
  return text;
}

}  // namespace berth::sim
