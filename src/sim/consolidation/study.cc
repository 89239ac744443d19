#include "sim/consolidation/study.h"

#include <iterator>
#include <memory>
#include <string>

#include "base/random.h"
#include "engine/cycle/consolidation.h"
#include "engine/world/world.h"

namespace berth::sim::consolidation {
namespace {

// The engine's world of the same nodes and pods. Nodes and pods are named by their numbers.
class EngineWorld {
 public:
  explicit EngineWorld(const SmallWorld& small) {
    engine::Profile profile;
    profile.id = names_.profiles.intern("default");
    profile.filters = {engine::Filter::kNodeUnschedulable, engine::Filter::kNodeResourcesFit};
    config_.profiles = {profile};
    world_ = std::make_unique<engine::World>(config_, names_);
    SmallWorld empty = small;
    for (const SmallPod& pod : small.pods) empty.take(pod);
    for (std::size_t i = 0; i < empty.nodes.size(); ++i) add_node(empty.nodes[i], i);
    world_->refresh();
    for (std::size_t i = 0; i < small.pods.size(); ++i) add_pod(small.pods[i], i);
  }

  [[nodiscard]] std::vector<engine::Consolidation> open(int most_moves) {
    movable_.resize(world_->pod_slots(), false);
    engine::Consolidator consolidator(*world_, movable_, {.most_moves = static_cast<std::size_t>(most_moves)});
    return consolidator.plan({}).parts;
  }

  [[nodiscard]] std::size_t number(engine::PodId pod) const { return number(world_->pod(pod).name); }
  [[nodiscard]] std::size_t number(engine::NodeId node) const { return number(world_->node(node).input.name); }

 private:
  [[nodiscard]] std::size_t number(engine::NameId name) const {
    return static_cast<std::size_t>(std::stoul(std::string(names_.names.text(name)).substr(1)));
  }

  void add_node(const SmallNode& node, std::size_t number) {
    engine::NodeInput input;
    input.name = names_.names.intern("n" + std::to_string(number));
    const auto cards = static_cast<engine::Amount>(node.free.size());
    input.allocatable = {{engine::kCpu, node.cpu}, {engine::kPods, 100}, {gpu_, cards * engine::kMilliPerCard}};
    input.cards = {{gpu_, engine::ProductId(0U), 0}};
    world_->set_node(input);
  }

  void add_pod(const SmallPod& pod, std::size_t number) {
    engine::PodInput input;
    input.name = names_.names.intern("p" + std::to_string(number));
    input.shape.profile = config_.profiles.front().id;
    input.shape.namespace_ = names_.namespaces.intern("default");
    input.shape.requests = {{engine::kCpu, pod.cpu}};
    input.shape.cards = {{gpu_, pod.cards, pod.milli, {}}};
    input.created = static_cast<engine::Time>(number);
    input.node = names_.names.intern("n" + std::to_string(pod.node));
    const engine::PodId id = world_->set_pod(input);
    movable_.resize(world_->pod_slots(), false);
    movable_[id.index()] = pod.movable;
  }

  engine::Config config_;
  engine::Names names_;
  engine::ResourceId gpu_ = names_.resources.intern("nvidia.com/gpu");
  std::unique_ptr<engine::World> world_;
  std::vector<bool> movable_;
};

void add(Opened& sum, const Opened& one) {
  sum.nodes += one.nodes;
  sum.moves += one.moves;
}

}  // namespace

Opened open_by_berth(const SmallWorld& world, int most_moves, std::int64_t& illegal) {
  EngineWorld twin(world);
  SmallWorld after = world;
  Opened opened;
  for (const engine::Consolidation& part : twin.open(most_moves)) {
    for (const engine::Move& move : part.moves) {
      SmallPod& pod = after.pods[twin.number(move.pod)];
      const std::size_t to = twin.number(move.to);
      after.take(pod);
      if (!pod.movable || pod.node != twin.number(move.from) || !after.fits(pod, to)) ++illegal;
      after.put(pod, to);
      ++opened.moves;
    }
    ++opened.nodes;
  }
  if (after.free_nodes() - world.free_nodes() != opened.nodes || opened.moves > most_moves) ++illegal;
  return opened;
}

Run run(const Study& study, std::uint64_t seed, int most_moves) {
  Run run{.seed = seed, .most_moves = most_moves, .berth = {}, .exact = {}};
  Random random(seed);
  for (int i = 0; i < study.worlds; ++i) {
    const SmallWorld world = draw_world(study.size, random.next());
    const Opened berth = open_by_berth(world, most_moves, run.illegal);
    const Opened exact = open_exactly(world, most_moves);
    run.nodes += std::ssize(world.nodes);
    run.free_before += world.free_nodes();
    add(run.berth, berth);
    add(run.exact, exact);
    if (berth.nodes < exact.nodes) ++run.worlds_with_fewer;
  }
  return run;
}

std::vector<Run> run_all(const Study& study, const std::function<void(std::size_t)>& progress) {
  std::vector<Run> runs;
  for (const int most_moves : study.most_moves) {
    for (const std::uint64_t seed : study.seeds) {
      runs.push_back(run(study, seed, most_moves));
      progress(runs.size());
    }
  }
  return runs;
}

}  // namespace berth::sim::consolidation
