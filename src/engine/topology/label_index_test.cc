#include "engine/topology/label_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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
    std::vector<Selector> counters;
    std::set<std::size_t> gone_shapes;
    std::set<std::size_t> gone_counters;
    for (std::uint32_t i = 0; i < 8; ++i) {
      shapes.push_back(random_labels(random));
      index.add(ShapeId{i}, shapes.back());
      counters.push_back(random_selector(random));
      index.add(i, counters.back());
    }
    std::vector<ShapeId> forgotten;
    for (std::uint32_t i = 0; i < 8; ++i) {
      if (random.chance(1, 4) && gone_shapes.insert(i).second) forgotten.emplace_back(i);
      if (random.chance(1, 4) && gone_counters.insert(i).second) index.forget(i, counters[i]);
    }
    index.forget(forgotten);
    for (std::uint32_t counter = 0; counter < 8; ++counter) {
      if (gone_counters.contains(counter)) continue;
      std::multiset<std::size_t> found;
      const bool any = !index.shapes_for(counters[counter], [&](ShapeId shape) { found.insert(shape.index()); });
      for (std::size_t shape = 0; shape < 8; ++shape) {
        std::multiset<std::uint32_t> asked;
        index.counters_for(shapes[shape], [&](std::uint32_t each) { asked.insert(each); });
        ASSERT_LE(found.count(shape), gone_shapes.contains(shape) ? 0U : 1U);
        ASSERT_LE(asked.count(counter), 1U);
        for (const std::size_t gone : gone_counters) ASSERT_EQ(asked.count(static_cast<std::uint32_t>(gone)), 0U);
        if (gone_shapes.contains(shape) || !may_match(counters[counter], shapes[shape])) continue;
        EXPECT_TRUE(any || found.contains(shape));
        EXPECT_EQ(asked.count(counter), 1U);
      }
    }
  }
}

}  // namespace
}  // namespace berth::engine
