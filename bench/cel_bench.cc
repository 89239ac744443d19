// Time to parse and check, and to evaluate, expressions of the size of device selectors.
#include <benchmark/benchmark.h>

#include "cel/containers.h"
#include "cel/lib/libraries.h"
#include "cel/lib/quantity.h"
#include "cel/program.h"
#include "cel/standard.h"

namespace berth::cel {
namespace {

constexpr std::string_view kExpressions[] = {
    "device.driver == 'gpu.nvidia.com'",
    "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].productName.startsWith('NVIDIA')",
    "device.driver == 'gpu.nvidia.com' && device.capacity['gpu.nvidia.com'].memory.isGreaterThan(quantity('40Gi'))",
};

// A device as a host gives it: fields on demand.
class Device final : public Object {
 public:
  explicit Device(TypeRef type) : type_(type) {}
  [[nodiscard]] TypeRef type() const override { return type_; }
  [[nodiscard]] bool equals(const Object& other, Arena&) const override { return this == &other; }
  [[nodiscard]] Value field(std::uint32_t slot, Arena&) const override { return fields[slot]; }
  [[nodiscard]] bool has_field(std::uint32_t) const override { return true; }
  Value fields[3];

 private:
  TypeRef type_;
};

struct Fixture {
  Fixture() : device(nullptr) {
    EnvironmentBuilder builder;
    add_standard(builder);
    add_optionals(builder);
    add_strings(builder);
    add_quantities(builder);
    TypePool& pool = builder.types();
    const TypeRef s = &types::kString;
    const TypeRef type = pool.structure("example.Device");
    builder.add_struct({type,
                        {{"driver", s},
                         {"attributes", pool.map(s, pool.map(s, &types::kDyn))},
                         {"capacity", pool.map(s, pool.map(s, quantity_type()))}}});
    builder.add_variable("device", type);
    environment = builder.build();
    const auto nested = [&](std::string_view key, Value value) {
      auto* inner = host.make<ArrayMap>();
      inner->insert(Value::string(key), value, host);
      auto* outer = host.make<ArrayMap>();
      outer->insert(Value::string("gpu.nvidia.com"), Value::map(inner), host);
      return Value::map(outer);
    };
    auto* made = new (host.allocate(sizeof(Device))) Device(type);
    made->fields[0] = Value::string("gpu.nvidia.com");
    made->fields[1] = nested("productName", Value::string("NVIDIA H100 80GB HBM3"));
    made->fields[2] = nested("memory", make_quantity(*parse_amount("80Gi"), host));
    device = made;
  }
  Arena host;
  const Device* device;
  std::shared_ptr<const Environment> environment;
};

void compile_expression(benchmark::State& state) {
  const Fixture fixture;
  const std::string_view text = kExpressions[static_cast<std::size_t>(state.range(0))];
  for (auto _ : state) benchmark::DoNotOptimize(compile(text, fixture.environment));
}
BENCHMARK(compile_expression)->DenseRange(0, 2);

void evaluate_expression(benchmark::State& state) {
  const Fixture fixture;
  const Program program(*compile(kExpressions[static_cast<std::size_t>(state.range(0))], fixture.environment));
  const Value variables[] = {Value::object(fixture.device)};
  Arena arena;
  for (auto _ : state) {
    arena.reset();
    EvalContext context(arena);
    const Value value = program.evaluate(variables, context);
    if (!value.is_true()) state.SkipWithError("the expression should be true");
    benchmark::DoNotOptimize(value);
  }
}
BENCHMARK(evaluate_expression)->DenseRange(0, 2);

}  // namespace
}  // namespace berth::cel

BENCHMARK_MAIN();
