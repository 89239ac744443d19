// LabelIndex: which counters may count the pods of a shape, or be carried against them, found by one label that both
// have, so that neither a new shape asks all counters nor a new counter all shapes.
//
// The namespace counts as a label. A counter is filed under the one of its labels that the fewest shapes and counters
// have at that time; shapes are looked for by the one that the fewest have now. A counter that wants no label of
// certain values may count any shape. What is found errs to yes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/label_lists.h"
#include "engine/input.h"

namespace berth::engine {

class LabelIndex {
 public:
  // What a counter wants of pods.
  struct Wanted {
    const Selector& selector;
    std::optional<std::span<const NamespaceId>> namespaces;  // none: any
  };

  // `shape`: as it is interned, or again in the slot of one that was forgotten. O(labels).
  void add(ShapeId shape, NamespaceId namespace_, const Labels& labels);
  // Ascending. O(shapes x labels).
  void forget(const std::vector<ShapeId>& shapes);
  // O(labels and values that it wants).
  void add(std::uint32_t counter, const Wanted& wanted);
  // O(counters that are filed with it).
  void forget(std::uint32_t counter);

  // Calls `visit(ShapeId)`, once each. False: it may be any shape.
  template <class Visit>
  [[nodiscard]] bool shapes_for(const Wanted& wanted, const Visit& visit) const {
    const std::vector<Wish> wishes = wishes_of(wanted);
    const Wish* wish = rarest(wishes, [this](const Wish& each) { return cost(each, false); });
    if (wish == nullptr) return false;
    for (const Key& key : *wish)
      for (const ShapeId shape : shapes_.with(key)) visit(shape);
    return true;
  }
  // Calls `visit(counter)`, once each.
  template <class Visit>
  void counters_for(NamespaceId namespace_, const Labels& labels, const Visit& visit) const {
    const auto visit_all = [&](const std::vector<std::uint32_t>& counters) {
      for (const std::uint32_t counter : counters) visit(counter);
    };
    visit_all(any_);
    visit_all(counters_.with(key_of(namespace_)));
    for (const Label& label : labels) visit_all(counters_.with({label.key, label.value}));
  }

 private:
  using Key = std::pair<LabelKeyId, LabelValueId>;
  using Wish = std::vector<Key>;  // one of them

  [[nodiscard]] static Key key_of(NamespaceId namespace_) {
    return {LabelKeyId::none(), LabelValueId(namespace_.index())};
  }
  [[nodiscard]] static std::vector<Wish> wishes_of(const Wanted& wanted);
  [[nodiscard]] std::size_t cost(const Wish& wish, bool counters_too) const;

  LabelLists<Key, ShapeId> shapes_;
  LabelLists<Key, std::uint32_t> counters_;
  std::vector<std::uint32_t> any_;                        // counters without a label
  boost::unordered_flat_map<std::uint32_t, Wish> filed_;  // where the others are
};

}  // namespace berth::engine
