// How fast the engine decides: pods of one step over seconds, events included, on one core.
//
//   build/release/engine_bench                         all rows
//   build/release/engine_bench --benchmark_filter=Rules
//
// Nodes are of 20 sizes with random pre-fill; scores are kube-scheduler's defaults. The memory of the largest row is
// the process's peak, so run that row alone to read it (/usr/bin/time -v).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/engine.h"

namespace berth::engine {
namespace {

struct Plan {
  std::int64_t nodes = 5000;
  std::int64_t pods = 50000;
  std::int64_t templates = 5;
  std::int64_t sizes = 0;    // templates share this many sizes; 0: every template has its own
  bool rules = false;        // 40 % of the templates: one per host, and spread over zones
  std::int64_t one_app = 0;  // this many of the pods are one app that wants a node each
};

class Scene {
 public:
  explicit Scene(const Plan& plan) : plan_(plan), random_(42) {
    Profile profile;
    profile.id = names_.profiles.intern("kube-default");
    for (std::size_t i = 0; i < kFilterCount; ++i) profile.filters.push_back(static_cast<Filter>(i));
    profile.scores = {{Score::kTaintToleration, 3},   {Score::kNodeAffinity, 2},     {Score::kNodeResourcesFit, 1},
                      {Score::kPodTopologySpread, 2}, {Score::kInterPodAffinity, 2}, {Score::kBalancedAllocation, 1},
                      {Score::kImageLocality, 1}};
    profile.fit_resources = {{kCpu, 1}, {kMemory, 1}};
    profile.balanced_resources = {{kCpu, 1}, {kMemory, 1}};
    engine_ = std::make_unique<Engine>(Config{.profiles = {profile}, .seed = 7}, names_);
    profile_ = profile.id;
    add_nodes();
    for (std::int64_t i = 0; i < plan.templates; ++i) templates_.push_back(make_template(i));
  }

  // The pods in steps of 10,000, as a queue that is never empty would bring them.
  std::vector<std::vector<Event>> arrivals() {
    constexpr std::int64_t kStep = 10000;
    std::vector<std::vector<Event>> result;
    for (std::int64_t i = 0; i < plan_.pods; ++i) {
      if (i % kStep == 0) result.emplace_back();
      PodInput pod;
      pod.name = names_.names.intern("default/p" + std::to_string(i));
      const bool single = plan_.one_app > 0 && i < plan_.one_app;
      const auto number = single ? 0 : random_.below(templates_.size());
      pod.shape = templates_[number];
      if (single) add_rules(pod.shape, 0);
      pod.created = i;
      result.back().emplace_back(PodChanged{std::move(pod)});
    }
    return result;
  }
  Engine& engine() { return *engine_; }

  // A node that is the same but for its labels' last value and a pod.
  Event node(std::int64_t i, std::int64_t version = 0) {
    NodeInput node;
    const std::string name = "n" + std::to_string(i);
    node.name = names_.names.intern(name);
    node.labels = {{host_, names_.label_value(name)},
                   {zone_, names_.label_value("z" + std::to_string(i % 3))},
                   {version_, names_.label_value(std::to_string(version))}};
    const auto size = static_cast<Amount>(i % 20);
    node.allocatable = {{kCpu, (16 + 8 * size) * 1000}, {kMemory, (64 + 16 * size) << 30U}, {kPods, 110}};
    return NodeChanged{std::move(node)};
  }
  // A pod of a template that no other has, too large for any node.
  Event wide_pod(std::int64_t number) {
    PodInput pod;
    pod.name = names_.names.intern("default/wide" + std::to_string(number));
    pod.shape = make_template(number);
    pod.shape.requests[0].amount = 1'000'000 + number;
    return PodChanged{std::move(pod)};
  }
  Event removal(std::int64_t pod) { return PodRemoved{names_.names.intern("default/p" + std::to_string(pod))}; }

 private:
  void add_nodes() {
    std::vector<Event> events;
    for (std::int64_t i = 0; i < plan_.nodes; ++i) {
      const std::string name = "n" + std::to_string(i);
      events.push_back(node(i));
      for (std::uint64_t k = random_.below(4); k > 0; --k) {
        PodInput pod;
        pod.name = names_.names.intern("default/fill-" + std::to_string(i) + "-" + std::to_string(k));
        pod.node = names_.names.intern(name);
        pod.shape.profile = profile_;
        pod.shape.namespace_ = space_;
        pod.shape.nonzero_cpu = random_.between(1, 16) * 250;
        pod.shape.nonzero_memory = random_.between(1, 16) << 29U;
        pod.shape.requests = {{kCpu, pod.shape.nonzero_cpu}, {kMemory, pod.shape.nonzero_memory}};
        events.emplace_back(PodChanged{std::move(pod)});
      }
    }
    engine_->apply(events, 0);
  }
  ShapeInput make_template(std::int64_t number) {
    ShapeInput shape;
    shape.profile = profile_;
    shape.namespace_ = space_;
    const std::int64_t size = plan_.sizes > 0 ? number % plan_.sizes : number;
    shape.nonzero_cpu = 100 + 50 * (size % 20);
    shape.nonzero_memory = (Amount{128} << 20U) * (1 + size / 20);
    shape.requests = {{kCpu, shape.nonzero_cpu}, {kMemory, shape.nonzero_memory}};
    shape.labels = {{app_, names_.label_value("a" + std::to_string(number))}};
    if (plan_.rules && number % 5 < 2) add_rules(shape, number);
    return shape;
  }
  void add_rules(ShapeInput& shape, std::int64_t number) {
    const LabelValueId value = names_.label_value((plan_.one_app > 0 ? "one" : "a") + std::to_string(number));
    shape.labels = {{app_, value}};
    const Selector own{false, {Requirement{app_, Operator::kIn, {value}, {}}}};
    shape.required_anti_affinity = {{own, {{space_}, {}}, host_}};
    SpreadConstraint spread;
    spread.topology_key = zone_;
    spread.selector = own;
    shape.spread = {spread};
  }

  Plan plan_;
  Random random_;
  Names names_;
  LabelKeyId app_ = names_.label_keys.intern("app");
  LabelKeyId host_ = names_.label_keys.intern("kubernetes.io/hostname");
  LabelKeyId zone_ = names_.label_keys.intern("topology.kubernetes.io/zone");
  LabelKeyId version_ = names_.label_keys.intern("version");
  NamespaceId space_ = names_.namespaces.intern("default");
  ProfileId profile_;
  std::unique_ptr<Engine> engine_;
  std::vector<ShapeInput> templates_;
};

void decide(benchmark::State& state, const Plan& plan) {
  std::int64_t placed = 0;
  std::int64_t pending = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto scene = std::make_unique<Scene>(plan);
    const std::vector<std::vector<Event>> arrivals = scene->arrivals();
    (void)scene->engine().step({}, 0);
    state.ResumeTiming();
    for (const std::vector<Event>& events : arrivals) {
      const StepResult result = scene->engine().step(events, 0);
      placed += static_cast<std::int64_t>(result.decisions.size());
      pending += static_cast<std::int64_t>(result.pending.size());
    }
    state.PauseTiming();
    scene.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(placed);  // decisions per second
  state.counters["pending"] = static_cast<double>(pending) / static_cast<double>(state.iterations());
}

void Plain(benchmark::State& state) {
  decide(state, {.nodes = state.range(0), .pods = state.range(1), .templates = state.range(2)});
}
void Rules(benchmark::State& state) {
  decide(state, {.nodes = 5000, .pods = 50000, .templates = 500, .sizes = 10, .rules = state.range(0) != 0});
}
void OneApp(benchmark::State& state) {
  decide(state, {.nodes = 5000, .pods = 4000, .templates = 5, .one_app = state.range(0)});
}

// A cluster in operation: in each step one node gets another label, one pod goes, and `waiting` shapes wait for nodes
// that do not exist. Steps per second.
void Changes(benchmark::State& state) {
  const Plan plan{.nodes = 5000, .pods = 20000, .templates = 500, .sizes = 10, .rules = true};
  constexpr std::int64_t kSteps = 200;
  for (auto _ : state) {
    state.PauseTiming();
    auto scene = std::make_unique<Scene>(plan);
    for (const std::vector<Event>& events : scene->arrivals()) (void)scene->engine().step(events, 0);
    std::vector<Event> waiting;
    for (std::int64_t i = 0; i < state.range(0); ++i) waiting.push_back(scene->wide_pod(i));
    (void)scene->engine().step(waiting, 0);
    state.ResumeTiming();
    for (std::int64_t i = 0; i < kSteps; ++i) {
      (void)scene->engine().step(std::vector<Event>{scene->node(i * 7 % plan.nodes, i + 1), scene->removal(i)}, 0);
    }
    state.PauseTiming();
    scene.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(kSteps);
}

BENCHMARK(Plain)
    ->ArgNames({"nodes", "pods", "templates"})
    ->Args({5000, 50000, 5})
    ->Args({5000, 50000, 100})
    ->Args({1000, 10000, 5})
    ->Args({10000, 100000, 5})
    ->Args({100000, 1000000, 5})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK(Rules)->ArgName("rules")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(Changes)->ArgName("waiting")->Arg(0)->Arg(1000)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(OneApp)->ArgName("replicas")->Arg(0)->Arg(4000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace berth::engine

BENCHMARK_MAIN();
