// How fast the engine decides where rooms are valued (plugin RoomValue): pods placed over seconds while clusters of
// 1,000 to 16,000 nodes fill, learning and weighing included, on one core.
//
//   build/release/policy_bench
//
// Four kinds of node; thirty shapes of pod, half of them shares of a card, as in the openb lists. Pods come in steps of
// a 64th of the cluster. The time a decision takes should not depend on the number of nodes.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/random.h"
#include "engine/engine.h"
#include "engine/score/fragmentation.h"

namespace berth::engine {
namespace {

constexpr std::int64_t kSteps = 64;
constexpr std::int64_t kFilled = 58;  // steps: 90 %, so that nobody waits

TargetWorkload workload() {
  std::vector<TargetShape> shapes;
  for (std::int32_t i = 0; i < 30; ++i) {
    TargetShape shape{
        .cpu = 2000 + 1000 * (i % 6), .card_count = 1, .card_milli = 1000, .products = {}, .count = 40 - i};
    if (i % 2 == 0) shape.card_milli = 100 + 60 * (i / 2);
    if (i % 10 == 9) shape.card_count = i == 9 ? 2 : i == 19 ? 4 : 8;
    shapes.push_back(std::move(shape));
  }
  return TargetWorkload(std::move(shapes));
}

class Cluster {
 public:
  explicit Cluster(std::int64_t nodes) : random_(42) {
    Profile profile;
    profile.id = names_.profiles.intern("policy");
    profile.filters = {Filter::kNodeResourcesFit};
    profile.scores = {{Score::kPlacementPolicy, 1}};
    profile.preemption = false;
    profile.values_room = true;
    profile_ = profile.id;
    engine_ = std::make_unique<Engine>(Config{.profiles = {profile}, .seed = 7, .classify_pending = false}, names_);
    std::vector<Event> events;
    for (std::int64_t i = 0; i < nodes; ++i) events.push_back(node(i));
    engine_->apply(events, 0);
  }

  // A 64th of the cards asked for.
  std::vector<Event> arrivals() {
    std::vector<Event> events;
    for (std::int64_t asked = 0; asked < cards_ * kMilliPerCard / kSteps;) {
      const TargetShape& from = expected_.shapes()[random_.below(expected_.shapes().size())];
      PodInput pod;
      pod.name = names_.names.intern("default/p" + std::to_string(pods_));
      pod.created = pods_++;
      pod.shape.profile = profile_;
      pod.shape.namespace_ = space_;
      pod.shape.requests = {{kCpu, from.cpu}};
      pod.shape.nonzero_cpu = from.cpu;
      pod.shape.cards.push_back({gpu_, from.card_count, from.card_milli, {}});
      asked += std::int64_t{from.card_count} * from.card_milli;
      events.emplace_back(PodChanged{std::move(pod)});
    }
    return events;
  }

  std::int64_t step(const std::vector<Event>& events) {
    return static_cast<std::int64_t>(engine_->step(events, 0).decisions.size());
  }

 private:
  Event node(std::int64_t i) {
    constexpr std::array kCards = {8, 8, 4, 2};
    const std::size_t kind = random_.below(kCards.size());
    NodeInput node;
    node.name = names_.names.intern("n" + std::to_string(i));
    const Amount cpu = (32 + 16 * static_cast<Amount>(kind)) * 1000;
    const ProductId product = names_.products.intern(kind == 0 ? "A" : "B");
    node.allocatable = {{kCpu, cpu}, {kPods, 1'000'000}, {gpu_, Amount{kCards[kind]} * kMilliPerCard}};
    node.cards.push_back({gpu_, product, 0});
    cards_ += kCards[kind];
    return NodeChanged{std::move(node)};
  }

  Names names_;
  TargetWorkload expected_ = workload();
  Random random_;
  ResourceId gpu_ = names_.resources.intern("nvidia.com/gpu");
  NamespaceId space_ = names_.namespaces.intern("default");
  ProfileId profile_;
  std::unique_ptr<Engine> engine_;
  std::int64_t cards_ = 0;
  std::int64_t pods_ = 0;
};

void Fill(benchmark::State& state) {
  std::int64_t placed = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto cluster = std::make_unique<Cluster>(state.range(0));
    for (std::int64_t i = 0; i < kFilled; ++i) {
      const std::vector<Event> events = cluster->arrivals();
      state.ResumeTiming();
      placed += cluster->step(events);
      state.PauseTiming();
    }
    cluster.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(placed);  // decisions per second
}

BENCHMARK(Fill)->ArgName("nodes")->Arg(1000)->Arg(4000)->Arg(16000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace berth::engine

BENCHMARK_MAIN();
