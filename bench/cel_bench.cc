// Device selectors: time to parse and check one, to evaluate it on a device, and to answer for many kinds of devices.
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <string_view>

#include "cel/checker.h"
#include "dialects/dra/device_selector.h"
#include "dialects/dra/device_view.h"
#include "dialects/dra/selector_table.h"

namespace berth::dialects::dra {
namespace {

// What classes and claims say.
constexpr std::array<std::string_view, 5> kExpressions = {
    "device.driver == 'gpu.nvidia.com'",
    "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'",
    "device.attributes['gpu.nvidia.com'].productName.startsWith('NVIDIA H100')",
    "device.capacity['gpu.nvidia.com'].memory.isGreaterThan(quantity('40Gi'))",
    "device.attributes['gpu.nvidia.com'].cudaComputeCapability.compareTo(semver('8.0.0')) >= 0",
};

api::Device card() {
  api::Device device;
  device.attributes = api::DeviceAttributes{{"architecture", std::string("Hopper")},
                                            {"brand", std::string("Nvidia")},
                                            {"cudaComputeCapability", api::Version{"9.0.0"}},
                                            {"driverVersion", api::Version{"580.126.20"}},
                                            {"productName", std::string("NVIDIA H100 80GB HBM3")},
                                            {"resource.kubernetes.io/pcieRoot", std::string("pci0000:64")},
                                            {"type", std::string("gpu")},
                                            {"uuid", std::string("GPU-2fa8e1a6-5b2e-4c0d-9c1e-000000000001")}};
  device.capacity = api::DeviceCapacities{{"memory", api::Quantity::from_units(std::int64_t{80} << 30), {}}};
  return device;
}

void parse_and_check(benchmark::State& state) {
  const auto environment = selector_environment({});
  const std::string_view text = kExpressions[static_cast<std::size_t>(state.range(0))];
  for (auto _ : state) benchmark::DoNotOptimize(cel::compile(text, environment));
}
BENCHMARK(parse_and_check)->DenseRange(0, kExpressions.size() - 1);

// With the program, the estimate and the projection.
void compile_selector(benchmark::State& state) {
  const SelectorCompiler compiler;
  const std::string_view text = kExpressions[static_cast<std::size_t>(state.range(0))];
  for (auto _ : state) benchmark::DoNotOptimize(compiler.compile(text));
}
BENCHMARK(compile_selector)->DenseRange(0, kExpressions.size() - 1);

void evaluate_selector(benchmark::State& state) {
  const auto selector = SelectorCompiler().compile(kExpressions[static_cast<std::size_t>(state.range(0))]);
  const api::Device device = card();
  cel::Arena arena;
  cel::Arena scratch;
  const cel::Value value = *device_value("gpu.nvidia.com", device, arena);
  for (auto _ : state) {
    const SelectorOutcome outcome = selector->evaluate(value, scratch);
    if (outcome.kind != SelectorOutcome::Kind::kYes) state.SkipWithError("the selector should say yes");
    benchmark::DoNotOptimize(outcome);
  }
}
BENCHMARK(evaluate_selector)->DenseRange(0, kExpressions.size() - 1);

// A hundred thousand cards that differ in their UUIDs: the time per kind, of which two are evaluated.
void answer_for_kinds(benchmark::State& state) {
  constexpr int kKinds = 100'000;
  engine::Names names;
  engine::devices::Catalogue catalogue;
  std::vector<engine::devices::KindId> kinds;
  for (int i = 0; i < kKinds; ++i) {
    engine::devices::Kind kind{.driver = names.names.intern("gpu.nvidia.com"), .attributes = {}, .capacities = {}};
    const auto attribute = [&](std::string_view name, std::string_view value) {
      kind.attributes.push_back(
          {catalogue.attributes.intern(name), catalogue.scalar(engine::devices::AtomType::kString, value)});
    };
    attribute("gpu.nvidia.com/type", i % 3 == 0 ? "mig" : "gpu");
    attribute("gpu.nvidia.com/uuid", "GPU-" + std::to_string(i));
    kinds.push_back(catalogue.kinds.intern(std::move(kind)));
  }
  Interner<engine::devices::SelectorId> expressions;
  const auto id = expressions.intern(kExpressions[1]);
  for (auto _ : state) {
    const SelectorTable table(expressions, catalogue, names);
    for (const engine::devices::KindId kind : kinds) benchmark::DoNotOptimize(table.answer(id, kind));
    if (table.evaluations() != 2) state.SkipWithError("each projection should be evaluated once");
  }
  state.SetItemsProcessed(state.iterations() * kKinds);
}
BENCHMARK(answer_for_kinds)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::dialects::dra

BENCHMARK_MAIN();
