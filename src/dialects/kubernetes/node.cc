#include "dialects/kubernetes/node.h"

#include <algorithm>

#include "dialects/kubernetes/card_shares.h"
#include "dialects/kubernetes/cards.h"
#include "dialects/kubernetes/features.h"
#include "dialects/kubernetes/resources.h"
#include "dialects/kubernetes/selectors.h"

namespace berth::dialects::kubernetes {

namespace {

// What the node lifecycle controller taints a node with whose Ready condition is not True.
api::Taint condition_taint(std::string_view ready_status) {
  const bool is_false = ready_status == "False";
  return {.key = is_false ? "node.kubernetes.io/not-ready" : "node.kubernetes.io/unreachable",
          .value = "",
          .effect = api::TaintEffect::kNoSchedule};
}

}  // namespace

engine::NodeInput node_input(const api::Node& node, engine::Names& names) {
  engine::NodeInput input;
  input.name = names.names.intern(node.metadata.name);
  input.labels = labels(node.metadata.labels, names);
  for (const auto& from : node.taints) input.taints.push_back(taint(from, names));
  input.unschedulable = node.unschedulable;
  const auto ready = std::ranges::find(node.conditions, "Ready", &api::Condition::type);
  if (ready != node.conditions.end() && ready->status != "True") {
    input.not_ready = taint(condition_taint(ready->status), names);
  }
  const api::ResourceList& offered = node.allocatable.empty() ? node.capacity : node.allocatable;
  input.allocatable = node_amounts(offered, names);
  for (const auto& [name, quantity] : offered) {
    if (is_card_resource(name)) input.cards.push_back(card_group(name, node.metadata.labels, names));
  }
  if (auto volcano = volcano_cards(node, names)) {
    const engine::ResourceId slots = names.resources.intern(kVolcanoGpuNumber);
    const auto amount = std::ranges::find(input.allocatable, slots, &engine::ResourceAmount::resource);
    if (amount != input.allocatable.end()) amount->amount = volcano->count * engine::kMilliPerCard;
    const auto group = std::ranges::find(input.cards, slots, &engine::NodeInput::CardGroup::resource);
    if (group != input.cards.end()) group->memory_bytes = volcano->memory_bytes;
    input.counted = std::move(volcano->counted);
  }
  std::ranges::sort(input.cards);
  for (const auto& image : node.images) {
    for (const std::string& name : image.names) {
      input.images.push_back({names.names.intern(name), image.size_bytes});
    }
  }
  input.declared_features = declared_features(node, names);
  return input;
}

}  // namespace berth::dialects::kubernetes
