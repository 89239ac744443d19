// The device allocator's decisions per second: whole cards of one node with a selector and matchAttribute, and
// partitions of H100 cards as the driver publishes them (26 devices a card). Each decision is made for a node state of
// its own, as if nothing were remembered from the last one.
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "engine/devices/allocator.h"
#include "engine/devices/inventory.h"
#include "sim/mig/node.h"

namespace berth {
namespace {

namespace devices = engine::devices;

// Eight cards on two PCIe roots; a claim asks for some of one model on one root.
class WholeCards {
 public:
  WholeCards() {
    devices::SliceInput slice;
    slice.name = names_.names.intern("slice");
    slice.driver = names_.names.intern("gpu.example.com");
    slice.pool = names_.names.intern("node");
    node_.name = names_.names.intern("node");
    slice.target = {.kind = devices::NodeTarget::Kind::kNode, .node = node_.name, .selector = {}};
    root_ = catalogue_.attributes.intern("resource.kubernetes.io/pcieRoot");
    const devices::AttributeId uuid = catalogue_.attributes.intern("gpu.example.com/uuid");
    for (int i = 0; i < 8; ++i) {
      devices::Kind kind{.driver = slice.driver, .attributes = {}, .capacities = {}};
      kind.attributes = {{root_, catalogue_.scalar(devices::AtomType::kString, i < 4 ? "pci0" : "pci1")},
                         {uuid, catalogue_.scalar(devices::AtomType::kString, "GPU-" + std::to_string(i))}};
      kind.capacities = {
          {.name = catalogue_.capacities.intern("memory"), .value = devices::Quantity{80} << 60, .policy = {}}};
      devices::DeviceInput device;
      device.name = names_.names.intern("gpu-" + std::to_string(i));
      device.kind = catalogue_.kinds.intern(std::move(kind));
      answers_.set(devices::SelectorId{0U}, device.kind, {.kind = devices::SelectorAnswer::Kind::kYes, .error = {}});
      slice.devices.push_back(device);
    }
    inventory_.set(std::move(slice));
    placed_ = inventory_.on(node_, {});
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      devices::Alternative exactly;
      exactly.selectors = {devices::SelectorId{0U}};
      exactly.count = static_cast<std::int64_t>(i) + 1;
      claims_[i].requests.push_back({.prioritized = false, .alternatives = {std::move(exactly)}});
      claims_[i].constraints.push_back(
          {.kind = devices::Constraint::Kind::kMatch, .attribute = root_, .all_requests = true, .targets = {}});
    }
  }

  devices::Answer ask(std::size_t count, devices::Mode mode) const {
    const std::array<const devices::Claim*, 1> claims = {&claims_[count - 1]};
    return devices::allocate({.catalogue = &catalogue_,
                              .node = &placed_,
                              .claims = claims,
                              .usage = &usage_,
                              .selectors = &answers_,
                              .features = {},
                              .mode = mode});
  }
  devices::Usage& usage() { return usage_; }

 private:
  engine::Names names_;
  devices::Catalogue catalogue_;
  devices::Inventory inventory_{names_, catalogue_};
  devices::AnswerTable answers_;
  devices::Usage usage_;
  devices::NodeDevices placed_;
  engine::NodeInput node_;
  devices::AttributeId root_;
  std::array<devices::Claim, 4> claims_;
};

void whole_cards(benchmark::State& state) {
  WholeCards cards;
  Random random(1);
  std::vector<devices::ClaimAllocation> held;
  const auto mode = static_cast<devices::Mode>(state.range(0));
  for (auto _ : state) {
    const devices::Answer answer = cards.ask(1 + random.below(4), mode);
    benchmark::DoNotOptimize(answer.steps);
    if (answer.outcome == devices::Outcome::kAllocated) {
      devices::apply(answer.claims.front(), cards.usage());
      held.push_back(answer.claims.front());
    } else {
      for (const devices::ClaimAllocation& one : held) devices::revert(one, cards.usage());
      held.clear();
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(whole_cards)->Arg(static_cast<int>(devices::Mode::kStrict))->Arg(static_cast<int>(devices::Mode::kBest));

void partitions(benchmark::State& state) {
  sim::mig::Node node(sim::mig::Card::kH100, static_cast<int>(state.range(1)));
  Random random(1);
  std::vector<sim::mig::Partition> held;
  const auto mode = static_cast<devices::Mode>(state.range(0));
  for (auto _ : state) {
    const auto chosen = node.ask(random.below(sim::mig::kProfiles), mode);
    if (chosen) {
      node.take(*chosen);
      held.push_back(*chosen);
    } else if (!held.empty()) {
      const std::size_t one = random.below(held.size());
      node.give_back(held[one]);
      std::swap(held[one], held.back());
      held.pop_back();
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(partitions)
    ->Args({static_cast<int>(devices::Mode::kStrict), 8})
    ->Args({static_cast<int>(devices::Mode::kBest), 1})
    ->Args({static_cast<int>(devices::Mode::kBest), 8});

}  // namespace
}  // namespace berth

BENCHMARK_MAIN();
