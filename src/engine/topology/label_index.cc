#include "engine/topology/label_index.h"

#include <algorithm>

namespace berth::engine {

const Requirement* LabelIndex::label_of(const Selector& selector) {
  const auto found = std::ranges::find(selector.requirements, Operator::kIn, &Requirement::op);
  return found == selector.requirements.end() ? nullptr : &*found;
}

void LabelIndex::add(ShapeId shape, const Labels& labels) {
  for (const Label& label : labels) shapes_[{label.key, label.value}].push_back(shape);
}

void LabelIndex::forget(const std::vector<ShapeId>& shapes) {
  erase_if(shapes_, [&](auto& entry) {
    std::erase_if(entry.second, [&](ShapeId shape) { return std::ranges::binary_search(shapes, shape); });
    return entry.second.empty();
  });
}

void LabelIndex::add(std::uint32_t counter, const Selector& selector) {
  const Requirement* label = label_of(selector);
  if (label == nullptr) {
    any_.push_back(counter);
    return;
  }
  for (const LabelValueId value : label->values) counters_[{label->key, value}].push_back(counter);
}

void LabelIndex::forget(std::uint32_t counter, const Selector& selector) {
  const Requirement* label = label_of(selector);
  if (label == nullptr) {
    std::erase(any_, counter);
    return;
  }
  for (const LabelValueId value : label->values) {
    const auto found = counters_.find({label->key, value});
    if (found == counters_.end()) continue;
    std::erase(found->second, counter);
    if (found->second.empty()) counters_.erase(found);
  }
}

}  // namespace berth::engine
