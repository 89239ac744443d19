// How fast workloads are decided: gangs on an empty cluster, gangs into racks, a no with its reason, taking back a
// guarantee, the first decision on a large running cluster. Each row is all decisions of one arrangement, events
// included, on one core. docs/gangs-and-queues.md has what each has to keep to.
//
//   build/release/gang_bench
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace berth::engine {
namespace {

class Scene {
 public:
  Scene() {
    Profile profile;
    profile.id = profile_;
    for (std::size_t i = 0; i < kFilterCount; ++i) profile.filters.push_back(static_cast<Filter>(i));
    profile.scores = {{Score::kTaintToleration, 3},   {Score::kNodeAffinity, 2},     {Score::kNodeResourcesFit, 1},
                      {Score::kPodTopologySpread, 2}, {Score::kInterPodAffinity, 2}, {Score::kBalancedAllocation, 1}};
    profile.fit_resources = {{kCpu, 1}, {kMemory, 1}};
    profile.balanced_resources = {{kCpu, 1}, {kMemory, 1}};
    engine_ = std::make_unique<Engine>(Config{.profiles = {profile}, .seed = 7, .classify_pending = false}, names_);
  }

  // 64 cores and 8 cards each; racks of 20.
  void add_nodes(std::int64_t count) {
    std::vector<Event> events;
    add_nodes(events, count);
    engine_->apply(events, 0);
  }
  void add_nodes(std::vector<Event>& events, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      NodeInput node;
      const std::string text = "n" + std::to_string(i);
      node.name = names_.names.intern(text);
      node.labels = {{rack_, names_.label_value("r" + std::to_string(i / 20))}, {host_, names_.label_value(text)}};
      std::ranges::sort(node.labels);
      node.allocatable = {{kCpu, 64000}, {kMemory, Amount{512} << 30U}, {kPods, 110}, {gpu_, 8000}};
      std::ranges::sort(node.allocatable);
      node.cards = {{gpu_, ProductId::none(), 0}};
      events.emplace_back(NodeChanged{std::move(node)});
    }
  }
  void add_queue(const std::string& text, Amount cards) {
    QueueInput queue;
    queue.name = names_.names.intern(text);
    queue.quotas = {{.resource = gpu_, .guarantee = cards * kMilliPerCard}};
    engine_->apply(std::vector<Event>{QueueChanged{queue}}, 0);
  }
  void add_fair_queues(std::int64_t count) {
    QueueInput all;
    all.name = names_.names.intern("all");
    all.fairness = FairnessPolicy::kDrf;
    std::vector<Event> events = {QueueChanged{all}};
    for (std::int64_t i = 0; i < count; ++i) {
      QueueInput queue;
      queue.name = names_.names.intern("q" + std::to_string(i));
      queue.parent = all.name;
      events.emplace_back(QueueChanged{queue});
    }
    engine_->apply(events, 0);
  }
  void add_gang(std::vector<Event>& events, const std::string& text, std::int32_t pods, std::int32_t cards,
                bool one_rack = false, const std::string& queue = "", std::optional<std::int64_t> node = {}) {
    WorkloadInput workload;
    workload.name = names_.names.intern("default/" + text);
    workload.groups = {GroupInput{.minimum_pods = pods}};
    if (one_rack) workload.groups[0].topology.required = rack_;
    if (!queue.empty()) workload.queues = {names_.names.intern(queue)};
    workload.created = created_++;
    events.emplace_back(WorkloadChanged{workload});
    for (std::int32_t i = 0; i < pods; ++i) {
      PodInput pod;
      pod.name = names_.names.intern("default/" + text + "-" + std::to_string(i));
      pod.shape.profile = profile_;
      pod.shape.namespace_ = space_;
      pod.shape.nonzero_cpu = 500;
      pod.shape.nonzero_memory = Amount{1} << 30U;
      pod.shape.requests = {{kCpu, 500}, {kMemory, Amount{1} << 30U}};
      if (cards > 0) pod.shape.cards = {{gpu_, cards, kMilliPerCard, {}}};
      pod.workload = workload.name;
      if (node) {
        pod.node = names_.names.intern("n" + std::to_string(*node));
        pod.started = created_;
      }
      pod.created = workload.created;
      events.emplace_back(PodChanged{std::move(pod)});
    }
  }
  Engine& engine() { return *engine_; }
  PodId pod(const std::string& text) { return engine_->find_pod(names_.names.intern("default/" + text)); }

 private:
  Names names_;
  ResourceId gpu_ = names_.resources.intern("nvidia.com/gpu");
  LabelKeyId host_ = names_.label_keys.intern("kubernetes.io/hostname");
  LabelKeyId rack_ = names_.label_keys.intern("topology.example/rack");
  NamespaceId space_ = names_.namespaces.intern("default");
  ProfileId profile_ = names_.profiles.intern("kube-default");
  std::unique_ptr<Engine> engine_;
  Time created_ = 0;
};

void expect(benchmark::State& state, std::size_t got, std::size_t wanted) {
  if (got != wanted) state.SkipWithError(("decisions: " + std::to_string(got)).c_str());
}

// Gangs of a size on 5,000 nodes.
void Start(benchmark::State& state) {
  const auto gangs = state.range(0);
  const auto pods = static_cast<std::int32_t>(state.range(1));
  const bool one_rack = state.range(2) != 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto scene = std::make_unique<Scene>();
    scene->add_nodes(5000);
    (void)scene->engine().step({}, 0);
    std::vector<Event> events;
    for (std::int64_t i = 0; i < gangs; ++i) scene->add_gang(events, "g" + std::to_string(i), pods, 0, one_rack);
    state.ResumeTiming();
    const StepResult result = scene->engine().step(events, 0);
    expect(state, result.decisions.size(), static_cast<std::size_t>(gangs * pods));
    state.PauseTiming();
    scene.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * gangs * pods);
}
BENCHMARK(Start)
    ->Args({10, 5000, 0})
    ->Args({3000, 3, 0})
    ->Args({1000, 3, 0})
    ->Args({3, 1000, 0})
    ->Args({2250, 4, 1})
    ->Unit(benchmark::kMillisecond);

// A gang of 10 that finds no place on 500 busy nodes: the no, and its reason in full.
void NoRoom(benchmark::State& state) {
  Scene scene;
  scene.add_nodes(500);
  std::vector<Event> events;
  for (int i = 0; i < 500; ++i) scene.add_gang(events, "busy" + std::to_string(i), 1, 7);
  (void)scene.engine().step(events, 0);
  events.clear();
  scene.add_gang(events, "wide", 10, 4);
  for (auto _ : state) {
    const StepResult result = scene.engine().step(events, 1);
    expect(state, result.decisions.size(), 0);
    const Reason reason = scene.engine().explain(scene.pod("wide-0"));
    benchmark::DoNotOptimize(reason);
  }
}
BENCHMARK(NoRoom)->Unit(benchmark::kMillisecond);

// 4,000 jobs of one queue on all cards, 4,000 of another that has a guarantee for half of them.
void TakeBack(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    auto scene = std::make_unique<Scene>();
    scene->add_nodes(500);
    scene->add_queue("a", 2000);
    scene->add_queue("b", 2000);
    std::vector<Event> events;
    for (int i = 0; i < 4000; ++i) scene->add_gang(events, "a" + std::to_string(i), 1, 1, false, "a");
    (void)scene->engine().step(events, 0);
    events.clear();
    for (int i = 0; i < 4000; ++i) scene->add_gang(events, "b" + std::to_string(i), 1, 1, false, "b");
    state.ResumeTiming();
    const StepResult result = scene->engine().step(events, 1);
    expect(state, result.decisions.size(), 4000);
    state.PauseTiming();
    scene.reset();
    state.ResumeTiming();
  }
}
BENCHMARK(TakeBack)->Unit(benchmark::kMillisecond);

// Many queues that share by dominant share: 20,000 jobs of one pod, dealt out over the queues.
void ManyQueues(benchmark::State& state) {
  const auto queues = state.range(0);
  constexpr int kJobs = 20000;
  for (auto _ : state) {
    state.PauseTiming();
    auto scene = std::make_unique<Scene>();
    scene->add_nodes(5000);
    scene->add_fair_queues(queues);
    (void)scene->engine().step({}, 0);
    std::vector<Event> events;
    for (int i = 0; i < kJobs; ++i)
      scene->add_gang(events, "j" + std::to_string(i), 1, 1, false, "q" + std::to_string(i % queues));
    state.ResumeTiming();
    const StepResult result = scene->engine().step(events, 1);
    expect(state, result.decisions.size(), kJobs);
    state.PauseTiming();
    scene.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kJobs);
}
BENCHMARK(ManyQueues)->Arg(10)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

// A scheduler that starts on a cluster that runs: 5,000 nodes, 87,000 gangs of one or two pods, a newcomer of 10. From
// decoded objects to its decision.
void FirstDecision(benchmark::State& state) {
  constexpr int kNodes = 5000;
  constexpr int kGangs = 87000;
  constexpr int kPods = 140000;
  for (auto _ : state) {
    state.PauseTiming();
    auto scene = std::make_unique<Scene>();
    std::vector<Event> events;
    scene->add_nodes(events, kNodes);
    for (int i = 0; i < kGangs; ++i) {
      scene->add_gang(events, "g" + std::to_string(i), i < kPods - kGangs ? 2 : 1, 0, false, "", i % kNodes);
    }
    scene->add_gang(events, "new", 10, 8);
    state.ResumeTiming();
    const StepResult result = scene->engine().step(events, 1);
    expect(state, result.decisions.size(), 10);
    state.PauseTiming();
    scene.reset();
    state.ResumeTiming();
  }
}
BENCHMARK(FirstDecision)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::engine

BENCHMARK_MAIN();
