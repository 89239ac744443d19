// Nodes of a few sizes, with labels that are sometimes missing, taints, cordons and images.
#include "support/builders.h"
#include "support/generate.h"
#include "support/pick.h"

namespace berth::support {
namespace {

void add_labels(Random& random, NodeBuilder& node) {
  if (random.chance(4, 5)) node.zone(numbered("z", random.below(3)));
  if (random.chance(1, 2)) node.label("rack", numbered("r", random.below(3)));
  if (random.chance(1, 2)) node.label("disk", pick(random, {"ssd", "hdd"}));
  if (random.chance(1, 3)) node.label("gen", pick(random, {"1", "2", "10", "-3", "x", "007"}));
}

void add_taints(Random& random, NodeBuilder& node) {
  using api::TaintEffect;
  if (random.chance(1, 8)) node.cordoned();
  if (random.chance(1, 12)) node.not_ready();
  const std::uint64_t count = random.chance(1, 2) ? 1 + random.below(2) : 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    node.taint(pick(random, {"team", "flaky"}), pick(random, {"a", "b", ""}),
               pick(random, {TaintEffect::kNoSchedule, TaintEffect::kPreferNoSchedule, TaintEffect::kPreferNoSchedule,
                             TaintEffect::kPreferNoSchedule, TaintEffect::kPreferNoSchedule, TaintEffect::kNoExecute}));
  }
}

}  // namespace

api::Node random_node(Random& random, std::string name, const WorldRules& rules) {
  NodeBuilder built(name);
  if (rules.tight) {
    built.cpu(pick(random, {0, 500, 1000, 2000, 2000, 3001, 4000}));
    built.memory_gi(pick(random, {1, 2, 2, 4, 64}));
    built.pods(pick(random, {0, 2, 3, 4, 110, 110, 110, 110}));
  } else {
    built.cpu(pick(random, {4000, 6000, 8000})).memory_gi(pick(random, {8, 16, 31}));
  }
  if (random.chance(1, 2)) built.gpus(pick(random, {0, 1, 2, 4, 8}));
  if (rules.cards_only) built.cards(2);
  if (rules.shared_cards && !rules.cards_only && random.chance(3, 4)) built.cards(pick(random, {1, 2, 2, 3}));
  if (random.chance(1, 4)) built.amount("hugepages-2Mi", 4 << 20);
  if (random.chance(1, 4)) built.amount("example.com/nic", pick(random, {0, 1, 2}));
  if (random.chance(1, 20)) built.without("pods");
  if (random.chance(1, 20)) built.without("cpu");
  add_labels(random, built);
  if (rules.taints) add_taints(random, built);
  if (rules.images) {
    // Nodes may tell different sizes, and one image twice.
    const auto last = static_cast<std::int64_t>(static_cast<unsigned char>(name.back()));
    if (random.chance(1, 2)) built.image("big:latest", (600 + last % 3 * 100) << 20);
    if (last % 5 == 0) built.image("big:latest", 300LL << 20);
    if (random.chance(1, 3)) built.image("huge:1", 9000LL << 20);
    if (random.chance(1, 3)) built.image("registry.example:5000/tiny:latest", 20LL << 20);
  }
  api::Node node = built;
  if (random.chance(1, 25)) node.metadata.labels.clear();
  if (rules.features) {
    node.declared_features = {"InPlacePodVerticalScalingInitContainers"};
    if (random.chance(3, 4)) node.declared_features.emplace_back("RestartAllContainersOnContainerExits");
    if (random.chance(1, 2)) node.declared_features.emplace_back("UserNamespacesHostNetworkSupport");
  }
  return node;
}

}  // namespace berth::support
