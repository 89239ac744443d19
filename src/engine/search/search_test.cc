// The index against its definition: on random worlds, under random placements, removals and changes of nodes, the
// search must name the node and the score that a full scan names.
#include "engine/search/search.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "engine/topology/topology.h"
#include "engine/world/world.h"

namespace berth::engine {
namespace {

// Likes nodes whose free CPU is close to what is asked, in scores of any sign and size.
class NearestFit final : public PlacementPolicy {
 public:
  PolicyScore score(const ShapeView& shape, const NodeView& node) const override {
    std::int64_t cards = 0;
    for (const std::int32_t free : node.card_free) cards = cards * 31 + free;
    std::int32_t card = -1;
    for (std::size_t i = 0; i < node.card_free.size() && shape.card_milli < kMilliPerCard; ++i) {
      if (node.card_free[i] >= shape.card_milli) card = static_cast<std::int32_t>(i);
    }
    return {-(node.free_cpu - shape.cpu) * (1000003 + static_cast<std::int64_t>(revision_) * 7) + cards % 977 * bend() +
                node.card_milli,
            card};
  }
  std::uint64_t revision() const override { return revision_; }
  void revise() { ++revision_; }

 private:
  [[nodiscard]] std::int64_t bend() const { return revision_ % 2 == 0 ? 1 : -5000; }
  std::uint64_t revision_ = 0;
};

class RandomWorld {
 public:
  // `nodes`: at most so many.
  RandomWorld(std::uint64_t seed, bool with_policy, std::int64_t nodes = 40) : nodes_(nodes), random_(seed) {
    Profile profile;
    profile.id = names.profiles.intern("p");
    for (std::size_t i = 0; i < kFilterCount; ++i) profile.filters.push_back(static_cast<Filter>(i));
    profile.scores = {{Score::kNodeResourcesFit, 1}, {Score::kBalancedAllocation, 1}, {Score::kTaintToleration, 3},
                      {Score::kNodeAffinity, 2},     {Score::kImageLocality, 1},      {Score::kPodTopologySpread, 2},
                      {Score::kInterPodAffinity, 2}, {Score::kVolumeBinding, 1}};
    if (with_policy) profile.scores.push_back({Score::kPlacementPolicy, 1});
    profile.placement_policy = with_policy ? &policy_ : nullptr;
    profile.fit_resources = {{kCpu, 1}, {kMemory, 1}, {gpu, 2}};
    profile.balanced_resources = {{kCpu, 1}, {kMemory, 1}, {gpu, 1}};
    profile.strategy = static_cast<Profile::Strategy>(random_.below(3));
    profile.ratio_shape = {{0, 10}, {40, 2}, {100, 7}};
    profile.volume_shape = {{0, 10}, {100, 0}};
    config.profiles = {profile};
    config.seed = seed;
    config.random_ties = random_.chance(1, 3);
    world = std::make_unique<World>(config, names);
    search = std::make_unique<Search>(*world);
    const std::int64_t count = random_.between(nodes_ / 40, nodes_);
    for (std::int64_t i = 0; i < count; ++i) set_node(i);
    for (int i = 0; i < 12; ++i) templates_.push_back(random_shape());
  }

  [[nodiscard]] bool with_policy() const { return config.profiles.front().placement_policy != nullptr; }

  void set_node(std::int64_t number) {
    NodeInput node;
    node.name = names.names.intern("n" + std::to_string(number));
    node.labels = {{host_, names.label_value("n" + std::to_string(number))}};
    if (random_.chance(9, 10)) node.labels.push_back({zone_, value(3)});
    if (random_.chance(1, 2)) node.labels.push_back({disk_, value(2)});
    if (random_.chance(1, 6)) node.taints.push_back({disk_, value(2), static_cast<Effect>(random_.below(3))});
    if (random_.chance(1, 6)) node.taints.push_back({zone_, value(2), Effect::kPreferNoSchedule});
    node.unschedulable = random_.chance(1, 12);
    if (random_.chance(1, 20)) node.not_ready = Taint{zone_, value(3), Effect::kNoSchedule};
    const Amount cards = random_.between(0, 4);
    node.allocatable = {{kCpu, random_.between(1, 4) * 2000},
                        {kMemory, random_.between(1, 4) << 32U},
                        {kPods, random_.between(2, 12)},
                        {gpu, cards * kMilliPerCard}};
    node.cards = {{gpu, ProductId(random_.below(2)), with_policy() ? random_.between(0, 2) * 40'000 : 0}};
    if (random_.chance(1, 2)) node.images.push_back({image_, Amount{700} << 20U});
    world->set_node(node);
  }

  // One random event, then one search compared and carried out.
  void move(int number) {
    if (with_policy() && random_.chance(1, 10)) policy_.revise();
    if (random_.chance(1, 40)) set_node(random_.between(0, nodes_));
    if (random_.chance(1, 60)) world->remove_node(names.names.intern("n" + std::to_string(random_.between(0, nodes_))));
    if (random_.chance(1, 60))
      world->set_namespace(space_, random_.chance(1, 2) ? Labels{} : Labels{{disk_, value(2)}});
    if (random_.chance(1, 3)) {
      world->remove_pod(
          names.names.intern("pod" + std::to_string(random_.below(static_cast<std::uint64_t>(number) + 1))));
    }
    PodInput pod;
    pod.name = names.names.intern("pod" + std::to_string(number));
    pod.shape = templates_[random_.below(templates_.size())];
    pod.terminating = false;
    const PodId id = world->set_pod(pod);
    world->refresh();
    const ShapeId shape = world->pod(id).shape;
    const std::uint64_t draw = random_.next();
    const Choice expected = search->best_by_full_scan(shape, NameId::none(), draw);
    const World::Mark mark = world->mark();
    if (random_.chance(1, 4) && !expected.node.is_none()) {  // a try that is taken back leaves no trace
      world->place(id, expected.node);
      (void)search->best(shape, NameId::none(), draw);
      world->rollback(mark);
    }
    const Choice found = search->best(shape, NameId::none(), draw);
    ASSERT_EQ(found.node, expected.node) << "pod " << number;
    ASSERT_EQ(found.score, expected.score) << "pod " << number;
    ASSERT_EQ(found.card, expected.card) << "pod " << number;
    if (!found.node.is_none()) world->place(id, found.node, found.card);
    world->commit();
    tried += 1;
    placed += found.node.is_none() ? 0 : 1;
  }

  // Every template prefers nodes with few pods of some kind.
  void spread_softly() {
    for (ShapeInput& shape : templates_) {
      shape.required_affinity.clear();
      shape.required_anti_affinity.clear();
      shape.spread = {
          {static_cast<std::int32_t>(random_.between(1, 5)), host_, false, term().selector, 1, true, false}};
      if (random_.chance(1, 2)) shape.spread.push_back({1, zone_, false, term().selector, 1, true, false});
      if (random_.chance(2, 3)) shape.preferred_affinity.clear();
      shape.requests = {};
    }
  }

  int tried = 0;
  int placed = 0;
  Names names;
  ResourceId gpu = names.resources.intern("nvidia.com/gpu");
  Config config;
  std::unique_ptr<World> world;
  std::unique_ptr<Search> search;

 private:
  LabelValueId value(std::uint64_t bound) { return names.label_value("v" + std::to_string(random_.below(bound))); }
  AffinityTerm term() {
    AffinityTerm result;
    result.selector = {false, {Requirement{app_, Operator::kIn, {value(3)}, {}}}};
    result.scope.namespaces = {space_};
    if (random_.chance(1, 4))
      result.scope.selector = Selector{false, {Requirement{disk_, Operator::kNotIn, {value(2)}, {}}}};
    result.topology_key = random_.chance(1, 2) ? zone_ : host_;
    return result;
  }
  ShapeInput random_shape() {
    ShapeInput shape;
    shape.profile = config.profiles[0].id;
    shape.namespace_ = space_;
    shape.labels = {{app_, value(3)}};
    shape.nonzero_cpu = random_.between(1, 4) * 250;
    shape.nonzero_memory = random_.between(1, 4) << 29U;
    if (random_.chance(5, 6)) shape.requests = {{kCpu, shape.nonzero_cpu}, {kMemory, shape.nonzero_memory}};
    if (random_.chance(1, 3))
      shape.cards = {{gpu, static_cast<std::int32_t>(random_.between(1, 2)), kMilliPerCard, {}}};
    if (random_.chance(1, 4)) shape.cards = {{gpu, 1, static_cast<std::int32_t>(random_.between(1, 9)) * 100, {}}};
    if (with_policy() && random_.chance(1, 8)) shape.cards = {{gpu, 1, 0, 0, {}, 20'000}};  // by memory
    if (!shape.cards.empty() && random_.chance(1, 3)) shape.cards[0].products = {ProductId(random_.below(2))};
    if (random_.chance(1, 4)) {
      shape.node_selectors = {{{NodeTerm{{Requirement{disk_, Operator::kIn, {value(2)}, {}}}, {}}}}};
    }
    if (random_.chance(1, 3)) {
      shape.preferred_nodes = {{5, NodeTerm{{Requirement{zone_, Operator::kIn, {value(3)}, {}}}, {}}},
                               {3, NodeTerm{{Requirement{disk_, Operator::kExists, {}, {}}}, {}}}};
    }
    if (random_.chance(1, 3)) shape.tolerations = {{{}, Toleration::Match::kExists, {}, Effect::kNoSchedule}};
    if (random_.chance(1, 8)) shape.host_ports = {{0, {}, 80}};
    if (random_.chance(1, 2)) shape.images = {image_};
    if (random_.chance(1, 6)) {
      const auto where = [&](LabelKeyId key, std::uint64_t values) {
        return NodeSelector{{NodeTerm{{Requirement{key, Operator::kIn, {value(values)}, {}}}, {}}}};
      };
      VolumeChoices choices;
      choices.existing = {{where(zone_, 3), {{5, random_.between(5, 20)}}},
                          {where(disk_, 2), {{random_.between(1, 9), 9}, {3, 7}}}};
      if (random_.chance(1, 2)) choices.existing.push_back({std::nullopt, {{1, random_.between(1, 4)}}});
      for (std::uint32_t name = 0; name < 40; ++name) {
        if (random_.chance(1, 4)) choices.by_node.push_back({NameId{name}, {{1, random_.between(1, 4)}}});
      }
      shape.volume_choices = std::move(choices);
    }
    if (random_.chance(1, 4)) {
      shape.spread.push_back({static_cast<std::int32_t>(random_.between(1, 2)), random_.chance(1, 2) ? zone_ : host_,
                              random_.chance(2, 3), term().selector, 1, random_.chance(1, 2), random_.chance(1, 2)});
      if (random_.chance(1, 3)) shape.spread.push_back({1, zone_, true, term().selector, 3, true, false});
    }
    if (random_.chance(1, 6)) shape.required_affinity.push_back(term());
    if (random_.chance(1, 12)) shape.required_affinity.push_back(term());
    if (random_.chance(1, 4)) shape.required_anti_affinity.push_back(term());
    if (random_.chance(1, 6))
      shape.preferred_affinity.push_back({static_cast<std::int32_t>(random_.between(-9, 9)), term()});
    return shape;
  }

  std::int64_t nodes_;
  Random random_;
  NearestFit policy_;
  LabelKeyId app_ = names.label_keys.intern("app");
  LabelKeyId host_ = names.label_keys.intern("kubernetes.io/hostname");
  LabelKeyId zone_ = names.label_keys.intern("zone");
  LabelKeyId disk_ = names.label_keys.intern("zzz-disk");
  NamespaceId space_ = names.namespaces.intern("default");
  NameId image_ = names.names.intern("image");
  std::vector<ShapeInput> templates_;
};

TEST(Search, AgreesWithTheFullScanOnRandomWorlds) {
  int tried = 0;
  int placed = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomWorld world(seed, seed % 3 == 0);
    for (int i = 0; i < 80; ++i) {
      world.move(i);
      if (HasFatalFailure()) FAIL() << "seed " << seed;
    }
    tried += world.tried;
    placed += world.placed;
  }
  // Worlds in which everything or nothing fits would prove little.
  EXPECT_GT(placed, tried / 4);
  EXPECT_LT(placed, tried * 3 / 4);
}

// Far more pods than nodes: those with equally many are alike.
TEST(Search, AgreesWithTheFullScanWhereMostNodesHavePodsToCount) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomWorld world(seed, false, 160);
    world.config.random_ties = false;
    world.spread_softly();
    for (int i = 0; i < 500; ++i) {
      world.move(i);
      if (HasFatalFailure()) FAIL() << "seed " << seed;
    }
    EXPECT_GT(world.placed, 90) << "seed " << seed;
  }
}

}  // namespace
}  // namespace berth::engine
