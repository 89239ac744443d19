#include "sim/case/rebuilt.h"

#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "dialects/kubernetes/translator.h"
#include "engine/engine.h"
#include "engine/world/world.h"

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

}  // namespace

std::optional<std::string> rebuilt_disagrees(const Cluster& cluster, const api::SchedulerConfiguration& configuration,
                                             std::uint64_t seed, engine::Time now, const api::FeatureGates& gates) {
  engine::Names names;
  dialects::kubernetes::Translator translator(configuration, names, {.now = now, .excerpt = true, .gates = gates});
  std::vector<engine::Event> events = translator.update(cluster.objects());
  for (engine::Event& event : events) {
    auto* changed = std::get_if<engine::PodChanged>(&event);
    if (changed == nullptr || changed->pod.node.is_none()) continue;
    changed->pod.cards = known_cards(cluster, names.names.text(changed->pod.name), names);
  }
  engine::Config config = translator.config();
  config.seed = seed;
  config.classify_pending = false;
  engine::Engine engine(std::move(config), names);
  const engine::StepResult result = engine.step(events, now);
  if (result.decisions.empty()) return std::nullopt;
  const engine::Decision& first = result.decisions.front();
  const bool place = first.kind == engine::Decision::Kind::kPlace;
  return fmt::format("an engine made anew would {} {} on {}", place ? "place" : "evict",
                     names.names.text(engine.world().pod(first.pod).name),
                     names.names.text(engine.world().node(first.node).input.name));
}

}  // namespace berth::sim
