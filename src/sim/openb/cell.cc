#include "sim/openb/cell.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/scheduler_config.h"
#include "dialects/kubernetes/config.h"
#include "engine/score/card_packing.h"
#include "engine/score/policies/policies.h"
#include "sim/openb/workload.h"

namespace berth::sim::openb {
namespace {

constexpr std::int64_t kMebibyte = std::int64_t{1024} * 1024;
// The study has no limit on pods per node.
constexpr std::int64_t kPodsPerNode = 1'000'000;

std::unique_ptr<engine::PlacementPolicy> make_policy(Policy policy, const Workload& workload, engine::Names& names) {
  switch (policy) {
    case Policy::kRandom:
      return engine::make_random_policy();
    case Policy::kDotProduct:
      return engine::make_dot_product_policy();
    case Policy::kClustering:
      return engine::make_gpu_clustering_policy();
    case Policy::kPacking:
      return engine::make_gpu_packing_policy();
    case Policy::kBestFit:
      return engine::make_best_fit_policy();
    case Policy::kFragmentationGradient:
      return engine::make_fragmentation_gradient_policy(target_workload(workload.pods, kStudyCoverage, names));
    case Policy::kCardPacking:
    case Policy::kDefault:
      return nullptr;  // the engine's own
    case Policy::kBerth:
      return std::make_unique<engine::BerthPolicy>(target_workload(workload.pods, kBerthCoverage, names));
    case Policy::kBerthLearned:
      return std::make_unique<engine::BerthPolicy>(engine::TargetWorkload({}));
  }
  return nullptr;
}

}  // namespace

Cell::Cell(const Cluster& cluster, const Workload& workload, Policy policy, std::uint64_t seed, Ties ties)
    : cluster_(cluster),
      workload_(workload),
      kind_(policy),
      capacity_(capacity_milli(cluster.nodes)),
      percent_(100.0 / static_cast<double>(capacity_)),
      target_(target_workload(workload.pods, kStudyCoverage, names_)),
      policy_(make_policy(policy, workload, names_)),
      berth_(dynamic_cast<engine::BerthPolicy*>(policy_.get())),
      gpu_(names_.resources.intern("nvidia.com/gpu")),
      profile_(names_.profiles.intern("openb")),
      engine_(config(seed, ties), names_) {
  add_nodes();
  intern_shapes();
}

engine::Config Cell::config(std::uint64_t seed, Ties ties) {
  engine::Config config;
  if (kind_ == Policy::kDefault) {
    config = dialects::kubernetes::engine_config({{api::berth_default_profile()}}, names_);
    config.profiles.front().id = profile_;
  } else {
    engine::Profile profile;
    profile.id = profile_;
    profile.filters = {engine::Filter::kNodeResourcesFit};
    profile.scores = {{engine::Score::kPlacementPolicy, 1}};
    profile.placement_policy = policy_ == nullptr ? &engine::card_packing() : policy_.get();
    config.profiles.push_back(std::move(profile));
  }
  config.profiles.front().preemption = false;
  config.seed = seed;
  config.random_ties = ties == Ties::kRandom;
  config.classify_pending = false;
  return config;
}

void Cell::add_nodes() {
  std::vector<engine::Event> events;
  for (const TraceNode& node : cluster_.nodes) {
    engine::NodeInput input;
    input.name = names_.names.intern(node.name);
    input.allocatable = {
        {engine::kCpu, node.cpu_milli}, {engine::kMemory, node.memory_mib * kMebibyte}, {engine::kPods, kPodsPerNode}};
    NodeState state{node.cpu_milli,
                    std::vector<std::int32_t>(static_cast<std::size_t>(node.gpus), engine::kMilliPerCard),
                    engine::ProductId::none(), 0};
    if (node.gpus > 0) {
      state.product = names_.products.intern(node.model);
      input.allocatable.push_back({gpu_, static_cast<engine::Amount>(node.gpus) * engine::kMilliPerCard});
      input.cards.push_back({gpu_, state.product, 0});
    }
    events.emplace_back(engine::NodeChanged{std::move(input)});
    state.fragmented = target_.fragmentation(state.cpu, state.cards, state.product);
    fragmented_ += state.fragmented;
    states_.push_back(std::move(state));
  }
  engine_.apply(events, 0);
  node_positions_.resize(cluster_.nodes.size());
  for (std::size_t i = 0; i < cluster_.nodes.size(); ++i) {
    const engine::NodeId id = engine_.find_node(names_.names.find(cluster_.nodes[i].name));
    if (id.index() >= node_positions_.size()) node_positions_.resize(id.index() + 1);
    node_positions_[id.index()] = i;
  }
}

void Cell::intern_shapes() {
  const engine::NamespaceId space = names_.namespaces.intern("default");
  for (const TracePod& pod : workload_.pods) {
    engine::ShapeInput shape;
    shape.profile = profile_;
    shape.namespace_ = space;
    if (pod.cpu_milli > 0) shape.requests.push_back({engine::kCpu, pod.cpu_milli});
    if (pod.memory_mib > 0) shape.requests.push_back({engine::kMemory, pod.memory_mib * kMebibyte});
    shape.nonzero_cpu = pod.cpu_milli;
    shape.nonzero_memory = pod.memory_mib * kMebibyte;
    if (pod.gpus > 0) {
      engine::CardRequest request{gpu_, pod.gpus, pod.gpu_milli, {}};
      for (const std::string& model : pod.models) request.products.push_back(names_.products.intern(model));
      std::ranges::sort(request.products);
      shape.cards.push_back(std::move(request));
    }
    shapes_.push_back(std::move(shape));
  }
}

double Cell::fragmented_percent() const {
  if (target_.total_count() == 0) return 0;
  return static_cast<double>(fragmented_) / static_cast<double>(target_.total_count()) * percent_;
}

// Before pods come: Berth's policy learns from those that came, and weighs the cluster anew when that is due.
void Cell::prepare() {
  if (berth_ == nullptr) return;
  if (kind_ == Policy::kBerthLearned && arrivals_.size() >= next_lesson_) {
    berth_->expect(target_workload(workload_.pods, arrivals_, kBerthCoverage, names_));
    while (next_lesson_ <= arrivals_.size()) next_lesson_ *= 2;
  }
  if (!berth_->is_due(capacity_ - used_)) return;
  std::vector<engine::NodeView> views;
  views.reserve(states_.size());
  for (const NodeState& state : states_) {
    views.push_back({.free_cpu = state.cpu, .card_free = state.cards, .product = state.product, .pods_by_kind = {}});
  }
  berth_->weigh(views);
}

// A pod comes to its node (1) or leaves it (-1).
void Cell::charge(const Came& pod, std::int32_t sign) {
  const TracePod& asks = workload_.pods[pod.index];
  NodeState& state = states_[*pod.node];
  state.cpu -= sign * asks.cpu_milli;
  for (const std::uint16_t card : pod.cards) state.cards[card] -= sign * asks.gpu_milli;
  used_ += sign * asks.total_milli();
  if (berth_ != nullptr && sign > 0) berth_->pod_started(asks.total_milli());
  if (berth_ != nullptr && sign < 0) berth_->pod_left(asks.total_milli());
  fragmented_ -= state.fragmented;
  state.fragmented = target_.fragmentation(state.cpu, state.cards, state.product);
  fragmented_ += state.fragmented;
}

std::vector<Cell::Placement> Cell::step(std::span<const std::size_t> go, std::span<const std::uint32_t> come,
                                        engine::Time now) {
  std::vector<engine::Event> events;
  for (const std::size_t pod : go) {
    events.emplace_back(engine::PodRemoved{came_[pod].name});
    if (came_[pod].node) {
      charge(came_[pod], -1);
    }
    came_[pod].node.reset();
  }
  prepare();
  for (const std::uint32_t index : come) {
    engine::PodInput input;
    input.name = names_.names.intern("default/pod-" + std::to_string(came_.size()));
    input.shape = shapes_[index];
    input.created = static_cast<engine::Time>(came_.size());
    came_.push_back({.index = index, .name = input.name, .node = {}, .cards = {}});
    arrivals_.push_back(index);
    events.emplace_back(engine::PodChanged{std::move(input)});
  }
  const std::size_t first = came_.size() - come.size();
  engine_.apply(events, now);
  for (std::size_t pod = first; pod < came_.size(); ++pod) {
    const engine::PodId id = engine_.find_pod(came_[pod].name);
    if (id.index() >= pod_numbers_.size()) pod_numbers_.resize(id.index() + 1);
    pod_numbers_[id.index()] = pod;
  }
  std::vector<Placement> placements;
  for (const engine::Decision& decision : engine_.step({}, now).decisions) {
    const std::size_t number = pod_numbers_[decision.pod.index()];
    Came& pod = came_[number];
    pod.node = node_positions_[decision.node.index()];
    pod.cards.clear();
    for (const engine::CardAssignment& assignment : decision.cards) {
      pod.cards.insert(pod.cards.end(), assignment.cards.begin(), assignment.cards.end());
    }
    charge(pod, 1);
    placements.push_back({number, *pod.node, pod.cards});
  }
  return placements;
}

}  // namespace berth::sim::openb
