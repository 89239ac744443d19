#include "sim/case/rebuilt.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/devices/holdings.h"
#include "engine/world/world.h"
#include "report/reasons.h"

namespace berth::sim {
namespace {

// The cards that the cluster's engine gave to the pod of this name, in the new engine's ids.
std::vector<engine::CardAssignment> known_cards(const Cluster& cluster, std::string_view pod_name,
                                                engine::Names& names) {
  const engine::PodId id = cluster.engine().find_pod(cluster.names().names.find(pod_name));
  if (id.is_none()) return {};
  std::vector<engine::CardAssignment> cards = cluster.engine().world().pod(id).cards;
  for (engine::CardAssignment& assignment : cards) {
    assignment.resource = names.resources.intern(cluster.names().resources.text(assignment.resource));
  }
  return cards;
}

// The cards and the devices that a placed pod got.
std::string hardware_text(const engine::Decision& decision, const engine::World& world, const engine::Names& names) {
  std::string text;
  for (const engine::CardAssignment& each : decision.cards)
    text += fmt::format(" with {}.{:06} {} of {}", each.milli, each.millionths, names.resources.text(each.resource),
                        each.cards);
  for (const engine::NameId claim : world.pod(decision.pod).claims) {
    const engine::devices::Grant* grant = world.holdings().grant(claim);
    if (grant == nullptr) continue;
    text += fmt::format(", {} has", names.names.text(claim));
    for (const engine::devices::DeviceAllocation& each : grant->devices) {
      const engine::devices::Inventory::DeviceKey& key = world.holdings().inventory().key(each.device);
      text += fmt::format(" {}/{}/{}", names.names.text(key.driver), names.names.text(key.pool),
                          names.names.text(key.device));
    }
  }
  return text;
}

// Each decision as words, sorted: ids of two engines are not to be compared.
std::vector<std::string> in_words(const engine::StepResult& result, const engine::World& world,
                                  const engine::Names& names) {
  const auto pod = [&](engine::PodId id) { return names.names.text(world.pod(id).name); };
  const auto node = [&](engine::NodeId id) { return names.names.text(world.node(id).input.name); };
  std::vector<std::string> words;
  for (const engine::Decision& each : result.decisions) {
    if (each.kind == engine::Decision::Kind::kPlace)
      words.push_back(fmt::format("{} gets {}{}", pod(each.pod), node(each.node), hardware_text(each, world, names)));
    else
      words.push_back(fmt::format("{} leaves {} for {}{}", pod(each.pod), node(each.node), pod(each.beneficiary),
                                  each.broken_budgets.empty() ? "" : " against its budget"));
  }
  for (const engine::PodId each : result.withdrawn)
    words.push_back(fmt::format("{} loses the node that it was promised", pod(each)));
  std::ranges::sort(words);
  return words;
}

}  // namespace

Rebuilt::Rebuilt(const Cluster& cluster, const api::SchedulerConfiguration& configuration, std::uint64_t seed,
                 engine::Time now, const api::FeatureGates& gates)
    : now_(now), translator_(configuration, names_, {.now = now, .excerpt = true, .gates = gates}) {
  std::vector<engine::Event> events = translator_.update(cluster.objects());
  for (engine::Event& event : events) {
    auto* changed = std::get_if<engine::PodChanged>(&event);
    if (changed == nullptr || changed->pod.node.is_none()) continue;
    changed->pod.cards = known_cards(cluster, names_.names.text(changed->pod.name), names_);
  }
  engine::Config config = translator_.config();
  config.seed = seed;
  config.classify_pending = false;
  engine_.emplace(std::move(config), names_);
  engine_->apply(events, now);
}

std::optional<std::string> Rebuilt::decides_otherwise(const Cluster& cluster, const engine::StepResult& result) {
  const std::vector<std::string> anew = in_words(engine_->step({}, now_), engine_->world(), names_);
  const std::vector<std::string> here = in_words(result, cluster.engine().world(), cluster.names());
  const auto [ours, theirs] = std::ranges::mismatch(here, anew);
  if (ours == here.end() && theirs == anew.end()) return std::nullopt;
  return fmt::format("an engine made anew decides otherwise: of {} decisions the first is \"{}\", of {} here \"{}\"",
                     anew.size(), theirs == anew.end() ? "none" : *theirs, here.size(),
                     ours == here.end() ? "none" : *ours);
}

std::optional<std::string> Rebuilt::explains_otherwise(const Cluster& cluster) {
  const engine::World& world = cluster.engine().world();
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const engine::PodId id{i};
    if (world.pod(id).state != engine::PodState::kPending) continue;
    const std::string_view name = cluster.names().names.text(world.pod(id).name);
    const engine::PodId same = engine_->find_pod(names_.names.find(name));
    if (same.is_none()) return fmt::format("an engine made anew knows no pod {}", name);
    const engine::ReasonClass here = cluster.engine().explain(id).reason_class;
    const engine::ReasonClass anew = engine_->explain(same).reason_class;
    if (here != anew)
      return fmt::format("an engine made anew says {} of {}, not {}", report::name_of(anew), name,
                         report::name_of(here));
  }
  return std::nullopt;
}

}  // namespace berth::sim
