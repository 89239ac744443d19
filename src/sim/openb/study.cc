#include "sim/openb/study.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/tie_order.h"
#include "engine/engine.h"
#include "engine/score/policies/policies.h"
#include "sim/openb/workload.h"
#include "sim/parallel.h"

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
      return engine::make_fragmentation_gradient_policy(target_workload(workload.pods, names));
  }
  return nullptr;
}

// One run in progress: the engine, and beside it a plain copy of the nodes' state for the measurements.
class Simulation {
 public:
  Simulation(const Cluster& cluster, const Workload& workload, Policy policy, std::uint64_t seed, Ties ties)
      : cluster_(cluster),
        workload_(workload),
        target_(target_workload(workload.pods, names_)),
        policy_(make_policy(policy, workload, names_)),
        gpu_(names_.resources.intern("nvidia.com/gpu")),
        profile_(names_.profiles.intern("openb")),
        engine_(config(seed, ties), names_) {
    run_.workload = workload.name;
    run_.policy = policy;
    run_.seed = seed;
    add_nodes();
    intern_shapes();
  }

  Run measure() {
    const std::int64_t capacity = capacity_milli(cluster_.nodes);
    Random random(run_.seed);
    const std::vector<std::uint32_t> order = inflate(workload_.pods, capacity * kArrivedPercent / 100, random);
    std::array<double, kArrivedPercent + 1> allocated{};
    std::array<double, kArrivedPercent + 1> fragmented{};
    std::array<std::int64_t, kArrivedPercent + 1> pods{};
    const double percent = 100.0 / static_cast<double>(capacity);
    std::int64_t arrived = 0;
    for (const std::uint32_t index : order) {
      arrived += workload_.pods[index].total_milli();
      submit(index);
      const auto at = static_cast<std::size_t>(std::lround(static_cast<double>(arrived) * percent));
      if (at > kArrivedPercent) continue;
      allocated[at] += static_cast<double>(used_) * percent;
      fragmented[at] += static_cast<double>(fragmented_) / static_cast<double>(target_.total_count()) * percent;
      ++pods[at];
    }
    for (std::size_t at = 0; at <= kArrivedPercent; ++at) {
      if (pods[at] == 0) continue;
      run_.allocated[at] = allocated[at] / static_cast<double>(pods[at]);
      run_.fragmented[at] = fragmented[at] / static_cast<double>(pods[at]);
    }
    run_.pods = static_cast<std::int64_t>(order.size());
    return run_;
  }

 private:
  struct NodeState {
    engine::Amount cpu = 0;
    std::vector<std::int32_t> cards;
    engine::ProductId product;
    std::int64_t fragmented = 0;
  };

  engine::Config config(std::uint64_t seed, Ties ties) const {
    engine::Profile profile;
    profile.id = profile_;
    profile.filters = {engine::Filter::kNodeResourcesFit};
    profile.scores = {{engine::Score::kPlacementPolicy, 1}};
    profile.preemption = false;
    profile.placement_policy = policy_.get();
    engine::Config config;
    config.profiles.push_back(std::move(profile));
    config.seed = seed;
    config.random_ties = ties == Ties::kRandom;
    config.classify_pending = false;
    return config;
  }

  void add_nodes() {
    std::vector<engine::Event> events;
    for (const TraceNode& node : cluster_.nodes) {
      engine::NodeInput input;
      input.name = names_.names.intern(node.name);
      input.allocatable = {{engine::kCpu, node.cpu_milli},
                           {engine::kMemory, node.memory_mib * kMebibyte},
                           {engine::kPods, kPodsPerNode}};
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

  void intern_shapes() {
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

  void submit(std::uint32_t index) {
    const TracePod& pod = workload_.pods[index];
    std::vector<engine::Event> events;
    if (!dropped_.is_none()) events.emplace_back(engine::PodRemoved{dropped_});
    dropped_ = engine::NameId::none();
    engine::PodInput input;
    input.name = names_.names.intern("default/pod-" + std::to_string(serial_));
    input.shape = shapes_[index];
    input.created = serial_++;
    const engine::NameId name = input.name;
    events.emplace_back(engine::PodChanged{std::move(input)});
    const engine::StepResult result = engine_.step(events, serial_);
    if (result.decisions.empty()) {
      dropped_ = name;
      ++run_.failed[engine::pod_kind(pod.gpus, pod.gpu_milli)];
      run_.placements_hash = split_mix(run_.placements_hash);
      return;
    }
    const engine::Decision& decision = result.decisions.front();
    const std::size_t position = node_positions_[decision.node.index()];
    NodeState& state = states_[position];
    run_.placements_hash = split_mix(run_.placements_hash ^ stable_hash(cluster_.nodes[position].name));
    state.cpu -= pod.cpu_milli;
    for (const engine::CardAssignment& assignment : decision.cards) {
      for (const std::uint16_t card : assignment.cards) {
        state.cards[card] -= assignment.milli;
        run_.placements_hash = split_mix(run_.placements_hash ^ card);
      }
    }
    used_ += pod.total_milli();
    fragmented_ -= state.fragmented;
    state.fragmented = target_.fragmentation(state.cpu, state.cards, state.product);
    fragmented_ += state.fragmented;
  }

  const Cluster& cluster_;
  const Workload& workload_;
  engine::Names names_;
  engine::TargetWorkload target_;
  std::unique_ptr<engine::PlacementPolicy> policy_;
  engine::ResourceId gpu_;
  engine::ProfileId profile_;
  engine::Engine engine_;
  std::vector<NodeState> states_;
  std::vector<std::size_t> node_positions_;  // by NodeId
  std::vector<engine::ShapeInput> shapes_;   // by position in the workload
  engine::NameId dropped_;                   // the pod that did not fit, to be removed before the next
  std::int64_t serial_ = 0;
  std::int64_t used_ = 0;
  std::int64_t fragmented_ = 0;  // times the target's total count
  Run run_;
};

}  // namespace

std::string_view name_of(Policy policy) {
  switch (policy) {
    case Policy::kRandom:
      return "random";
    case Policy::kDotProduct:
      return "dotprod";
    case Policy::kClustering:
      return "clustering";
    case Policy::kPacking:
      return "packing";
    case Policy::kBestFit:
      return "bestfit";
    case Policy::kFragmentationGradient:
      return "fgd";
  }
  return "";
}

std::optional<Policy> policy_named(std::string_view name) {
  for (const Policy policy : kPolicies) {
    if (name_of(policy) == name) return policy;
  }
  return std::nullopt;
}

std::string workload_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  constexpr std::string_view kPrefix = "openb_pod_list_";
  if (path.starts_with(kPrefix)) path.remove_prefix(kPrefix.size());
  if (path.ends_with(".csv")) path.remove_suffix(4);
  return std::string(path);
}

Result<Run> run(const Cluster& cluster, const Workload& workload, Policy policy, std::uint64_t seed, Ties ties) {
  if (capacity_milli(cluster.nodes) == 0) {
    return fail(ErrorCode::kInvalid, "The list of nodes has no GPU; the study needs at least one.",
                Place{.file = cluster.name});
  }
  return Simulation(cluster, workload, policy, seed, ties).measure();
}

Result<std::vector<Run>> run_all(const Study& study, unsigned threads,
                                 const std::function<void(std::size_t)>& progress) {
  struct Task {
    const Workload* workload;
    Policy policy;
    std::uint64_t seed;
  };
  std::vector<Task> tasks;
  for (const Workload& workload : study.workloads) {
    for (const Policy policy : study.policies) {
      for (const std::uint64_t seed : study.seeds) tasks.push_back({&workload, policy, seed});
    }
  }
  // Each task writes its own slot, so the result does not depend on which thread takes it.
  std::vector<std::optional<Result<Run>>> results(tasks.size());
  DoneCounter done(progress);
  run_parallel(tasks.size(), threads, [&](std::size_t i) {
    results[i] = run(study.cluster, *tasks[i].workload, tasks[i].policy, tasks[i].seed, study.ties);
    done.add_one();
  });
  std::vector<Run> runs;
  runs.reserve(tasks.size());
  for (auto& result : results) {
    BERTH_TRY(Run one, std::move(*result));
    runs.push_back(std::move(one));
  }
  return runs;
}

}  // namespace berth::sim::openb
