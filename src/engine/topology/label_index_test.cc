#include "engine/topology/label_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "base/random.h"

namespace berth::engine {
namespace {

Labels random_labels(Random& random) {
  Labels labels;
  for (std::uint32_t key = 0; key < 3; ++key)
    if (random.chance(2, 3))
      labels.push_back({LabelKeyId{key}, LabelValueId{static_cast<std::uint32_t>(random.below(3))}});
  return labels;
}

Selector random_selector(Random& random) {
  Selector selector;
  for (std::uint32_t key = 0; key < 3; ++key) {
    if (!random.chance(1, 2)) continue;
    Requirement requirement{.key = LabelKeyId{key}, .op = Operator::kExists, .values = {}, .bound = {}};
    if (random.chance(2, 3)) {
      requirement.op = Operator::kIn;
      for (std::uint32_t value = 0; value < 3; ++value)
        if (random.chance(1, 2)) requirement.values.emplace_back(value);
    }
    selector.requirements.push_back(requirement);
  }
  return selector;
}

bool may_match(const Selector& selector, const Labels& labels) {
  return std::ranges::all_of(selector.requirements, [&](const Requirement& requirement) {
    const auto label = std::ranges::find(labels, requirement.key, &Label::key);
    if (label == labels.end()) return false;
    return requirement.op != Operator::kIn ||
           std::ranges::find(requirement.values, label->value) != requirement.values.end();
  });
}

// Whoever matches is found from both sides, once, while shapes and counters come and go.
TEST(LabelIndex, FindsWhoeverMatches) {
  Random random(11);
  for (int world = 0; world < 200; ++world) {
    LabelIndex index;
    std::vector<Labels> shapes;
    std::vector<NamespaceId> namespaces;
    std::vector<Selector> counters;
    std::vector<std::vector<NamespaceId>> scopes;  // empty: any
    const auto wanted = [&](std::size_t counter) {
      LabelIndex::Wanted result{counters[counter], std::nullopt};
      if (!scopes[counter].empty()) result.namespaces = scopes[counter];
      return result;
    };
    std::set<std::size_t> gone_shapes;
    std::set<std::size_t> gone_counters;
    for (std::uint32_t i = 0; i < 8; ++i) {
      shapes.push_back(random_labels(random));
      namespaces.emplace_back(static_cast<std::uint32_t>(random.below(3)));
      index.add(ShapeId{i}, namespaces.back(), shapes.back());
      counters.push_back(random_selector(random));
      scopes.emplace_back();
      for (std::uint32_t namespace_ = 0; namespace_ < 3; ++namespace_)
        if (random.chance(1, 3)) scopes.back().emplace_back(namespace_);
      index.add(i, wanted(i));
    }
    std::vector<ShapeId> forgotten;
    for (std::uint32_t i = 0; i < 8; ++i) {
      if (random.chance(1, 4) && gone_shapes.insert(i).second) forgotten.emplace_back(i);
      if (random.chance(1, 4) && gone_counters.insert(i).second) index.forget(i);
    }
    index.forget(forgotten);
    for (std::uint32_t counter = 0; counter < 8; ++counter) {
      if (gone_counters.contains(counter)) continue;
      std::multiset<std::size_t> found;
      const bool any = !index.shapes_for(wanted(counter), [&](ShapeId shape) { found.insert(shape.index()); });
      for (std::size_t shape = 0; shape < 8; ++shape) {
        std::multiset<std::uint32_t> asked;
        index.counters_for(namespaces[shape], shapes[shape], [&](std::uint32_t each) { asked.insert(each); });
        ASSERT_LE(found.count(shape), gone_shapes.contains(shape) ? 0U : 1U);
        ASSERT_LE(asked.count(counter), 1U);
        for (const std::size_t gone : gone_counters) ASSERT_EQ(asked.count(static_cast<std::uint32_t>(gone)), 0U);
        const bool in_scope =
            scopes[counter].empty() || std::ranges::find(scopes[counter], namespaces[shape]) != scopes[counter].end();
        if (gone_shapes.contains(shape) || !in_scope || !may_match(counters[counter], shapes[shape])) continue;
        EXPECT_TRUE(any || found.contains(shape));
        EXPECT_EQ(asked.count(counter), 1U);
      }
    }
  }
}

// Charts give all their apps one label of the same value and one of an own value, in no order.
TEST(LabelIndex, AChartsAppsAreNotAskedAboutEachOther) {
  constexpr std::uint32_t kApps = 200;
  for (const std::uint32_t shared : {0U, 1U}) {
    LabelIndex index;
    std::size_t looks = 0;
    for (std::uint32_t app = 0; app < kApps; ++app) {
      Labels labels{{LabelKeyId{0U}, LabelValueId{app}}, {LabelKeyId{1U}, LabelValueId{app}}};
      labels[shared].value = LabelValueId{kApps};
      Selector selector;
      for (const Label& label : labels) selector.requirements.push_back({label.key, Operator::kIn, {label.value}, {}});
      index.counters_for(NamespaceId{0U}, labels, [&](std::uint32_t) { ++looks; });
      index.add(ShapeId{app}, NamespaceId{0U}, labels);
      const LabelIndex::Wanted wanted{selector, std::nullopt};
      index.add(app, wanted);
      EXPECT_TRUE(index.shapes_for(wanted, [&](ShapeId) { ++looks; }));
    }
    EXPECT_LE(looks, 3 * kApps);
  }
}

// Tenants that each have the same chart in a namespace of their own.
TEST(LabelIndex, ATenantsAppsAreNotAskedAboutOtherNamespaces) {
  constexpr std::uint32_t kTenants = 200;
  LabelIndex index;
  std::size_t looks = 0;
  const Labels labels{{LabelKeyId{0U}, LabelValueId{0U}}};
  const Selector selector{.nothing = false, .requirements = {{LabelKeyId{0U}, Operator::kIn, {LabelValueId{0U}}, {}}}};
  for (std::uint32_t tenant = 0; tenant < kTenants; ++tenant) {
    const NamespaceId namespace_{tenant};
    index.counters_for(namespace_, labels, [&](std::uint32_t) { ++looks; });
    index.add(ShapeId{tenant}, namespace_, labels);
    const LabelIndex::Wanted wanted{selector, std::span(&namespace_, 1)};
    index.add(tenant, wanted);
    EXPECT_TRUE(index.shapes_for(wanted, [&](ShapeId) { ++looks; }));
  }
  EXPECT_LE(looks, 3 * kTenants);
}

}  // namespace
}  // namespace berth::engine
