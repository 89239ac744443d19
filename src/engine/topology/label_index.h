// LabelIndex: which counters may count the pods of a shape, found by one label that both have, so that neither a new
// shape asks all counters nor a new counter all shapes.
//
// A counter is filed under the first label that its selector wants to have one of some values; one without such a label
// may count any shape. What is found errs to yes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/input.h"

namespace berth::engine {

class LabelIndex {
 public:
  // `shape`: as it is interned, or again in the slot of one that was forgotten.
  void add(ShapeId shape, const Labels& labels);
  // Ascending.
  void forget(const std::vector<ShapeId>& shapes);
  void add(std::uint32_t counter, const Selector& selector);
  void forget(std::uint32_t counter, const Selector& selector);

  // Calls `visit(ShapeId)`, once each. False: it may be any shape.
  template <class Visit>
  [[nodiscard]] bool shapes_for(const Selector& selector, const Visit& visit) const {
    const Requirement* label = label_of(selector);
    if (label == nullptr) return false;
    for (const LabelValueId value : label->values) {
      const auto found = shapes_.find({label->key, value});
      if (found == shapes_.end()) continue;
      for (const ShapeId shape : found->second) visit(shape);
    }
    return true;
  }
  // Calls `visit(counter)`, once each.
  template <class Visit>
  void counters_for(const Labels& labels, const Visit& visit) const {
    for (const std::uint32_t counter : any_) visit(counter);
    for (const Label& label : labels) {
      const auto found = counters_.find({label.key, label.value});
      if (found == counters_.end()) continue;
      for (const std::uint32_t counter : found->second) visit(counter);
    }
  }

 private:
  using Key = std::pair<LabelKeyId, LabelValueId>;
  [[nodiscard]] static const Requirement* label_of(const Selector& selector);

  boost::unordered_flat_map<Key, std::vector<ShapeId>> shapes_;
  boost::unordered_flat_map<Key, std::vector<std::uint32_t>> counters_;
  std::vector<std::uint32_t> any_;  // counters without a label
};

}  // namespace berth::engine
