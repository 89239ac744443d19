// The engine's answers in the twin's words.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/compare.h"

namespace berth::support {
namespace {

template <class T>
std::vector<api::Read<T>> reads(const std::vector<T>& objects) {
  std::vector<api::Read<T>> result;
  for (const T& object : objects) result.push_back({object, {}});
  return result;
}

std::string cause_name(engine::NodeCause cause) {
  static constexpr const char* kNames[] = {"fits",
                                           "NotReady",
                                           "Unschedulable",
                                           "NodeName",
                                           "Taint",
                                           "NodeAffinity",
                                           "HostPort",
                                           "TooLarge",
                                           "Insufficient",
                                           "TooManyPods",
                                           "CardProduct",
                                           "CardFragmented",
                                           "VolumeRestriction",
                                           "VolumeBinding",
                                           "Feature",
                                           "TopologySpread",
                                           "PodAffinity",
                                           "PodAntiAffinity",
                                           "ExistingAntiAffinity",
                                           "ClaimElsewhere",
                                           "NoDevice",
                                           "DeviceBusy",
                                           "DeviceSelector",
                                           "DevicePool",
                                           "InvalidClaim",
                                           "DeviceSearch",
                                           "Reserved"};
  static_assert(std::size(kNames) == engine::kNodeCauseCount);
  return kNames[static_cast<std::size_t>(cause)];
}

template <class T>
std::vector<T> plain(const std::vector<api::Read<T>>& all) {
  std::vector<T> objects;
  for (const auto& read : all) objects.push_back(read.object);
  return objects;
}

// No configuration file is involved: the dialect is handed the profiles as they are.
api::SchedulerConfiguration configuration(const reference::Settings& settings) {
  api::SchedulerConfiguration result;
  result.profiles = settings.profiles;
  return result;
}

}  // namespace

api::ObjectSet to_object_set(const reference::Objects& world) {
  api::ObjectSet set;
  set.nodes = reads(world.nodes);
  set.pods = reads(world.pods);
  set.namespaces = reads(world.namespaces);
  set.services = reads(world.services);
  set.replication_controllers = reads(world.replication_controllers);
  set.replica_sets = reads(world.replica_sets);
  set.stateful_sets = reads(world.stateful_sets);
  set.persistent_volumes = reads(world.volumes);
  set.persistent_volume_claims = reads(world.claims);
  set.storage_classes = reads(world.storage_classes);
  set.csi_drivers = reads(world.csi_drivers);
  set.csi_storage_capacities = reads(world.csi_storage_capacities);
  set.pod_disruption_budgets = reads(world.budgets);
  return set;
}

reference::Objects to_reference(const api::ObjectSet& objects) {
  return {.nodes = plain(objects.nodes),
          .pods = plain(objects.pods),
          .namespaces = plain(objects.namespaces),
          .services = plain(objects.services),
          .replication_controllers = plain(objects.replication_controllers),
          .replica_sets = plain(objects.replica_sets),
          .stateful_sets = plain(objects.stateful_sets),
          .volumes = plain(objects.persistent_volumes),
          .claims = plain(objects.persistent_volume_claims),
          .storage_classes = plain(objects.storage_classes),
          .csi_drivers = plain(objects.csi_drivers),
          .csi_storage_capacities = plain(objects.csi_storage_capacities),
          .budgets = plain(objects.pod_disruption_budgets)};
}

EngineRun::EngineRun(const reference::Objects& world, const reference::Settings& settings)
    : settings_(settings), names_(std::make_unique<engine::Names>()), objects_(to_object_set(world)) {
  dialects::kubernetes::TranslatorOptions options;
  options.excerpt = false;
  translator_ = std::make_unique<dialects::kubernetes::Translator>(configuration(settings), *names_, options);
  const auto events = translator_->update(objects_);
  engine::Config config = translator_->config();
  config.seed = settings.seed;
  config.not_ready_nodes_excluded = settings.exclude_not_ready;
  engine_ = std::make_unique<engine::Engine>(config, *names_);
  engine_->apply(events, 0);
  remember_names();
}

void EngineRun::tell(const reference::Objects& world) {
  // The translator borrows the objects of an update until the next one; a swap leaves them where they are.
  api::ObjectSet next = to_object_set(world);
  const auto events = translator_->update(next);
  std::swap(objects_, next);
  engine_->apply(events, 0);
  remember_names();
}

void EngineRun::remember_names() {
  pod_names_.clear();
  node_names_.clear();
  for (const auto& read : objects_.pods) {
    if (const auto id = id_of(read.object); !id.is_none()) pod_names_.emplace(id.value(), full_name(read.object));
  }
  for (const auto& read : objects_.nodes) {
    const auto id = engine_->find_node(names_->names.find(read.object.metadata.name));
    if (!id.is_none()) node_names_.emplace(id.value(), read.object.metadata.name);
  }
}

engine::PodId EngineRun::id_of(const api::Pod& pod) const {
  const engine::NameId name = names_->names.find(full_name(pod));
  return name.is_none() ? engine::PodId::none() : engine_->find_pod(name);
}

bool EngineRun::knows(const api::Pod& pod) const { return !id_of(pod).is_none(); }

std::string EngineRun::node_name(engine::NodeId node) const {
  const auto found = node_names_.find(node.value());
  return found == node_names_.end() ? "a node that is not there" : found->second;
}

Lines EngineRun::decide() {
  const auto pod_name = [&](engine::PodId pod) {
    const auto found = pod_names_.find(pod.value());
    return found == pod_names_.end() ? std::string("a pod that is not there") : found->second;
  };
  Lines lines;
  const engine::StepResult result = engine_->step({}, 0);
  bool after_eviction = false;
  for (const engine::Decision& decision : result.decisions) {
    if (decision.kind == engine::Decision::Kind::kEvict) {
      lines.push_back(fmt::format("evict {} from {} for {}", pod_name(decision.pod), node_name(decision.node),
                                  pod_name(decision.beneficiary)));
      after_eviction = true;
      continue;
    }
    std::vector<int> cards;
    for (const auto& assignment : decision.cards) {
      // Only of the resource whose cards the twin keeps apart; the others are plain counts to it.
      if (names_->resources.text(assignment.resource) != reference::kCardResource) continue;
      cards.insert(cards.end(), assignment.cards.begin(), assignment.cards.end());
    }
    const std::string score = after_eviction ? "none" : std::to_string(decision.score);
    lines.push_back(fmt::format("place {} on {} score {} cards {}", pod_name(decision.pod), node_name(decision.node),
                                score, fmt::join(cards, " ")));
    after_eviction = false;
  }
  for (const engine::Pending& pending : result.pending) {
    if (pending.reason_class == engine::ReasonClass::kNotReady) continue;
    lines.push_back(fmt::format("pending {} {}", pod_name(pending.pod), name_of(pending.reason_class)));
  }
  return lines;
}

Lines EngineRun::causes(const api::Pod& pod) {
  Lines lines;
  for (const auto& read : objects_.nodes) {
    const std::string& name = read.object.metadata.name;
    const auto node = engine_->find_node(names_->names.find(name));
    lines.push_back(fmt::format("{}: {}", name, cause_name(engine_->check(id_of(pod), node))));
  }
  return lines;
}

Lines EngineRun::filters(const api::Pod& pod) {
  const engine::Engine::FilterTable table = engine_->filter_table(id_of(pod));
  Lines lines;
  for (const auto& passes : table.passes) {
    std::string line = "filter:";
    for (const auto& read : objects_.nodes) {
      const auto node = engine_->find_node(names_->names.find(read.object.metadata.name));
      if (passes[node.index()]) line += " " + read.object.metadata.name;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Lines EngineRun::scores(const api::Pod& pod) {
  const engine::Engine::ScoreTable table = engine_->score_table(id_of(pod));
  Lines lines;
  for (const auto& read : objects_.nodes) {
    const auto node = engine_->find_node(names_->names.find(read.object.metadata.name));
    const auto found = std::ranges::find(table.nodes, node);
    if (found == table.nodes.end()) continue;
    const auto position = static_cast<std::size_t>(found - table.nodes.begin());
    std::string line = read.object.metadata.name + ":";
    for (std::size_t i = 0; i < table.raw.size(); ++i) {
      line += fmt::format(" {}/{}", table.raw[i][position], table.normalized[i][position]);
    }
    lines.push_back(fmt::format("{} total {}", line, table.total[position]));
  }
  return lines;
}

engine::Reason EngineRun::explain(const api::Pod& pod) { return engine_->explain(id_of(pod)); }

}  // namespace berth::support
