#include "sim/surroundings.h"

#include <algorithm>
#include <map>

#include "dialects/kubernetes/cards.h"
#include "engine/world/world.h"
#include "report/layout.h"

namespace berth::sim {

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

bool EngineSurroundings::is_card(engine::ResourceId resource) const {
  return !resource.is_none() && dialects::kubernetes::is_card_resource(names_->resources.text(resource));
}

engine::Amount EngineSurroundings::allocatable(engine::NodeId node, engine::ResourceId resource) const {
  return engine_->world().allocatable(node, resource);
}

std::vector<std::string> EngineSurroundings::other_card_resources(engine::ResourceId resource) const {
  const engine::World& world = engine_->world();
  std::map<engine::ResourceId, engine::Amount> offered;
  for (std::size_t i = 0; i < world.node_slots(); ++i) {
    const engine::Node& node = world.node(engine::NodeId{i});
    if (!node.alive) continue;
    for (const engine::ResourceAmount& amount : node.input.allocatable)
      if (amount.resource != resource && amount.amount > 0 && is_card(amount.resource))
        offered[amount.resource] += amount.amount;
  }
  std::vector<std::pair<engine::Amount, std::string>> order;
  for (const auto& [other, amount] : offered) order.emplace_back(-amount, std::string(names_->resources.text(other)));
  std::ranges::sort(order);
  std::vector<std::string> out;
  for (auto& [amount, name] : order) out.push_back(std::move(name));
  return out;
}

std::vector<std::string> EngineSurroundings::nodes_with(engine::NodeCause cause) const {
  if (!asked_ && !subject_.is_none()) {
    const engine::World& world = engine_->world();
    for (std::size_t i = 0; i < world.node_slots(); ++i) {
      const engine::NodeId node{i};
      if (!world.node(node).alive) continue;
      nodes_[static_cast<std::size_t>(engine_->check(subject_, node))].emplace_back(node_name(node));
    }
    for (auto& names : nodes_) std::ranges::sort(names, report::natural_less);
    asked_ = true;
  }
  return nodes_[static_cast<std::size_t>(cause)];
}

}  // namespace berth::sim
