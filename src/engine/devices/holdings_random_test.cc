// What Holdings answers from memory, from nodes that look alike and from cards that were left out is what the allocator
// says of the plain node: on random worlds, while claims come and go.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/devices/allocator.h"
#include "engine/devices/catalogue.h"
#include "engine/devices/holdings.h"
#include "engine/devices/trial.h"
#include "engine/devices/value.h"

namespace berth::engine::devices {
namespace {

constexpr int kWorlds = 60;
constexpr int kSteps = 40;

// Selector i: the attribute "d/type" is "i". No other attribute is read.
class TypeSelectors final : public SelectorAnswers {
 public:
  explicit TypeSelectors(Catalogue& catalogue) : catalogue_(catalogue), type_(catalogue.attributes.intern("d/type")) {}
  [[nodiscard]] SelectorAnswer answer(SelectorId selector, KindId kind) const override {
    const ValueId wanted = catalogue_.scalar(AtomType::kString, std::to_string(selector.index()));
    const bool yes = catalogue_.attribute(kind, type_) == wanted;
    return {.kind = yes ? SelectorAnswer::Kind::kYes : SelectorAnswer::Kind::kNo, .error = {}};
  }
  [[nodiscard]] std::uint32_t reads(SelectorId /*selector*/) const override { return 0; }
  [[nodiscard]] std::uint32_t look(std::uint32_t /*reads*/, KindId kind) const override {
    return catalogue_.attribute(kind, type_).value();
  }

 private:
  Catalogue& catalogue_;
  AttributeId type_;
};

class World {
 public:
  World(std::uint64_t seed, bool strict) : random_(seed) {
    config_.selectors = &selectors_;
    config_.strict_devices = strict;
    // Nodes of one kind are many: a few plans of cards, each with its own names.
    std::vector<std::vector<int>> plans;
    for (int i = 0; i < 2; ++i) {
      std::vector<int>& cards = plans.emplace_back();
      for (std::int64_t n = random_.between(1, 5); n > 0; --n) cards.push_back(static_cast<int>(random_.below(5)));
    }
    for (int i = 0; i < 4; ++i) add_node(plans[random_.below(plans.size())]);
    for (int i = 0; i < 5; ++i) add_claim();
  }

  void step() {
    if (!placed_.empty() && random_.below(2) == 0) {
      const std::size_t which = random_.below(placed_.size());
      std::vector<ReleasedGrant> released;
      holdings_.leave(placed_[which], Holdings::Leaving::kRelease, {}, released);
      placed_.erase(placed_.begin() + static_cast<std::ptrdiff_t>(which));
    } else {
      const std::vector<ClaimUse> uses = some_uses();
      const std::size_t node = random_.below(nodes_.size());
      if (!holdings_.fits(uses, NodeId{node}, nodes_[node], false)) return;
      std::vector<NameId> names;
      for (std::size_t i = 0; i < uses.size(); ++i) names.push_back(name("claim-" + std::to_string(++claims_made_)));
      std::vector<NameId> granted;
      holdings_.enter(uses, names, NodeId{node}, nodes_[node], true, {}, granted);
      EXPECT_EQ(granted.size(), names.size());
      placed_.push_back(std::move(names));
    }
  }

  // All nodes, with some claims.
  void compare() {
    const std::vector<ClaimUse> uses = some_uses();
    for (std::size_t node = 0; node < nodes_.size(); ++node) compare(uses, node);
  }

  [[nodiscard]] int fitted() const { return fitted_; }
  [[nodiscard]] int refused() const { return refused_; }

 private:
  Catalogue& catalogue() { return names_.devices(); }
  NameId name(const std::string& text) { return names_.names.intern(text); }

  Quantity units(std::int64_t amount) { return static_cast<Quantity>(amount) * kNanoPerUnit; }

  DeviceInput device(const std::string& device_name, std::string_view type, std::size_t root, bool shared) {
    Kind kind{.driver = name("d"), .allow_multiple = shared, .attributes = {}, .capacities = {}};
    for (const auto& [key, value] : {std::pair<std::string_view, std::string>("d/type", type),
                                     {"d/root", std::to_string(root)},
                                     {"d/uuid", device_name}})
      kind.attributes.push_back({catalogue().attributes.intern(key), catalogue().scalar(AtomType::kString, value)});
    std::ranges::sort(kind.attributes, {}, &Attribute::name);
    if (shared)
      kind.capacities.push_back({.name = catalogue().capacities.intern("memory"), .value = units(8), .policy = {}});
    DeviceInput result{.name = name(device_name), .kind = catalogue().kinds.intern(std::move(kind))};
    return result;
  }

  // A card: 0 and 1 are whole devices of two types, 2 is one that is shared, 3 and 4 are cut into halves and quarters.
  void add_card(SliceInput& sets, SliceInput& slice, const std::string& prefix, int plan, std::size_t card) {
    const std::string base = prefix + "-c" + std::to_string(card);
    const std::size_t root = card / 2;
    if (plan < 3) {
      slice.devices.push_back(device(base, plan == 1 ? "1" : "0", root, plan == 2));
      if (random_.below(12) == 0)
        slice.devices.back().taints =
            catalogue().taints.intern({{.key = name("broken"), .value = {}, .effect = DeviceEffect::kNoSchedule}});
      return;
    }
    // Four slices: a quarter takes one of them, a half the first or the last two.
    const CounterSetId set = catalogue().counter_sets.intern("s" + std::to_string(card));
    const auto slices = [&](int first, int count) {
      CounterSet result{.name = set, .counters = {}};
      for (int i = first; i < first + count; ++i)
        result.counters.push_back({.name = catalogue().counters.intern("slice-" + std::to_string(i)), .amount = 1});
      std::ranges::sort(result.counters, {}, &Counter::name);
      return result;
    };
    sets.counter_sets.push_back(slices(0, 4));
    const auto add = [&](const std::string& part, std::string_view type, int first, int count) {
      slice.devices.push_back(device(base + "-" + part, type, root, false));
      slice.devices.back().consumption = catalogue().consumptions.intern({slices(first, count)});
    };
    add("whole", "0", 0, 4);
    for (const int half : {0, 1}) add("h" + std::to_string(half), "1", 2 * half, 2);
    for (int quarter = 0; plan == 4 && quarter < 4; ++quarter) add("q" + std::to_string(quarter), "2", quarter, 1);
  }

  void add_node(const std::vector<int>& cards) {
    const std::string host = "n" + std::to_string(nodes_.size());
    NodeInput node;
    node.name = name(host);
    SliceInput sets{.name = name(host + "-sets"), .driver = name("d"), .pool = name(host), .slice_count = 2};
    sets.target = {.kind = NodeTarget::Kind::kNode, .node = node.name};
    SliceInput slice = sets;
    slice.name = name(host + "-devices");
    for (std::size_t card = 0; card < cards.size(); ++card) add_card(sets, slice, host, cards[card], card);
    holdings_.set_slice(sets);
    holdings_.set_slice(slice);
    holdings_.reset_node(NodeId{nodes_.size()}, node);
    nodes_.push_back(std::move(node));
  }

  Alternative alternative() {
    Alternative result;
    if (random_.below(4) != 0) result.selectors = {SelectorId{random_.below(3)}};
    result.count = random_.below(3) == 0 ? 2 : 1;
    if (random_.below(8) == 0) result.mode = Alternative::Mode::kAll;
    if (random_.below(6) == 0)
      result.capacities = {{.name = catalogue().capacities.intern("memory"), .amount = units(random_.between(1, 5))}};
    return result;
  }

  void add_claim() {
    Claim claim;
    for (std::int64_t n = random_.below(3) == 0 ? 2 : 1; n > 0; --n) {
      Request& request = claim.requests.emplace_back();
      request.alternatives.push_back(alternative());
      request.prioritized = random_.below(3) == 0;
      if (request.prioritized) request.alternatives.push_back(alternative());
    }
    if (const std::uint64_t kind = random_.below(4); kind < 2) {
      Constraint& constraint = claim.constraints.emplace_back();
      constraint.kind = kind == 0 ? Constraint::Kind::kMatch : Constraint::Kind::kDistinct;
      constraint.attribute = catalogue().attributes.intern("d/root");
    }
    specs_.push_back(catalogue().claims.intern(std::move(claim)));
  }

  std::vector<ClaimUse> some_uses() {
    std::vector<ClaimUse> uses;
    for (std::int64_t n = random_.below(3) == 0 ? 2 : 1; n > 0; --n)
      uses.push_back({.spec = specs_[random_.below(specs_.size())], .shared = {}, .resource = {}});
    return uses;
  }

  void compare(const std::vector<ClaimUse>& uses, std::size_t node) {
    const NodeDevices& here = holdings_.on(NodeId{node}, nodes_[node]);
    std::vector<const Claim*> claims;
    for (const ClaimUse& use : uses) claims.push_back(&catalogue().claims.content(use.spec));
    Question question;
    question.catalogue = &catalogue();
    question.node = &here;
    question.claims = claims;
    question.usage = &holdings_.usage();
    question.selectors = &selectors_;
    question.mode = config_.strict_devices ? Mode::kStrict : Mode::kBest;
    const Answer plain = allocate(question);
    ASSERT_NE(plain.outcome, Outcome::kSearchLimit);
    const bool fits = plain.outcome == Outcome::kAllocated;
    fits ? ++fitted_ : ++refused_;
    ASSERT_EQ(holdings_.fits(uses, NodeId{node}, nodes_[node], false), fits);
    const std::vector<Grant> grants = holdings_.preview(uses, NodeId{node}, nodes_[node]);
    ASSERT_EQ(grants.size(), fits ? claims.size() : 0U);
    if (!fits) return;
    const AllocationValue value = value_of(question, plain);
    EXPECT_EQ(holdings_.value(uses, NodeId{node}, nodes_[node]).rank, value.rank);
    EXPECT_EQ(holdings_.value(uses, NodeId{node}, nodes_[node]).packing, value.packing);
    if (config_.strict_devices) {
      for (std::size_t i = 0; i < claims.size(); ++i) EXPECT_EQ(grants[i].devices, plain.claims[i].devices);
    }
    expect_legal(question, grants);
  }

  // The devices can be had, one after the other, on the node as it is.
  static void expect_legal(const Question& question, const std::vector<Grant>& grants) {
    Trial trial(question);
    for (std::uint32_t claim = 0; claim < grants.size(); ++claim) {
      for (const DeviceAllocation& one : grants[claim].devices) {
        ASSERT_EQ(question.node->devices[one.placed].id, one.device);
        const std::uint32_t option = trial.first_option(claim, one.request) + one.alternative;
        ASSERT_TRUE(trial.selects(option, one.placed).value_or(false));
        const auto verdict = trial.take(option, one.placed);
        ASSERT_TRUE(verdict.has_value() && verdict->taken());
      }
    }
  }

  Random random_;
  Names names_;
  Config config_;
  TypeSelectors selectors_{names_.devices()};
  Holdings holdings_{config_, names_};
  std::vector<NodeInput> nodes_;
  std::vector<ClaimSpecId> specs_;
  std::vector<std::vector<NameId>> placed_;
  int claims_made_ = 0;
  int fitted_ = 0;
  int refused_ = 0;
};

class RandomHoldings : public ::testing::TestWithParam<bool> {};

TEST_P(RandomHoldings, AnswerAsTheAllocatorDoesOnThePlainNode) {
  int fitted = 0;
  int refused = 0;
  for (int seed = 0; seed < kWorlds && !HasFailure(); ++seed) {
    SCOPED_TRACE("world " + std::to_string(seed));
    World world(static_cast<std::uint64_t>(seed), GetParam());
    for (int step = 0; step < kSteps && !HasFailure(); ++step) {
      SCOPED_TRACE("step " + std::to_string(step));
      world.step();
      world.compare();
    }
    fitted += world.fitted();
    refused += world.refused();
  }
  // Enough of either kind to tell.
  EXPECT_GT(fitted, kWorlds * kSteps / 2);
  EXPECT_GT(refused, kWorlds * kSteps / 2);
}

INSTANTIATE_TEST_SUITE_P(Modes, RandomHoldings, ::testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "Strict" : "Best"; });

}  // namespace
}  // namespace berth::engine::devices
