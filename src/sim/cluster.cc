#include "sim/cluster.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/full_name.h"
#include "engine/world/world.h"

namespace berth::sim {

Cluster::Cluster(api::ObjectSet objects, api::SchedulerConfiguration configuration, ClusterOptions options)
    : objects_(std::move(objects)), configuration_(std::move(configuration)), options_(options) {
  restart();
}

void Cluster::restart() {
  const dialects::kubernetes::TranslatorOptions options{
      .excerpt = options_.excerpt, .version = options_.version, .gates = options_.gates};
  state_ = std::make_unique<State>(configuration_, options);
}

void Cluster::write_withdrawals(const engine::StepResult& result) {
  if (result.withdrawn.empty()) return;
  std::set<std::string, std::less<>> names;
  for (const engine::PodId pod : result.withdrawn)
    names.emplace(state_->names.names.text(state_->engine->world().pod(pod).name));
  for (auto& read : objects_.pods) {
    std::string& promised = read.object.status.nominated_node_name;
    if (!promised.empty() && names.contains(api::full_name(read.object.metadata))) promised.clear();
  }
}

void Cluster::load(engine::Time now) {
  state_->translator.set_now(now);
  const std::vector<engine::Event> events = state_->translator.update(objects_);
  if (!state_->engine) {
    engine::Config config = state_->translator.config();
    config.seed = options_.seed;
    config.classify_pending = false;  // who wants a reason asks explain()
    state_->engine = std::make_unique<engine::Engine>(std::move(config), state_->names);
  }
  state_->engine->apply(events, now);
}

engine::StepResult Cluster::step(engine::Time now) {
  load(now);
  return state_->engine->step({}, now);
}

const api::Pod* Cluster::pod(engine::PodId id) const {
  const api::Read<api::Pod>* read = state_->translator.pod(state_->engine->world().pod(id).name);
  return read == nullptr ? nullptr : &read->object;
}

std::string_view Cluster::node_name(engine::NodeId id) const {
  return state_->names.names.text(state_->engine->world().node(id).input.name);
}

}  // namespace berth::sim
