#include "engine/topology/label_index.h"

#include <algorithm>

namespace berth::engine {

std::vector<LabelIndex::Wish> LabelIndex::wishes_of(const Wanted& wanted) {
  std::vector<Wish> wishes;
  if (wanted.selector.nothing) return {Wish{}};
  for (const Requirement& requirement : wanted.selector.requirements) {
    if (requirement.op != Operator::kIn) continue;
    Wish& wish = wishes.emplace_back();
    for (const LabelValueId value : requirement.values) wish.emplace_back(requirement.key, value);
  }
  if (wanted.namespaces) {
    Wish& wish = wishes.emplace_back();
    for (const NamespaceId namespace_ : *wanted.namespaces) wish.push_back(key_of(namespace_));
  }
  return wishes;
}

std::size_t LabelIndex::cost(const Wish& wish, bool counters_too) const {
  std::size_t sum = 0;
  for (const Key& key : wish) sum += shapes_.count(key) + (counters_too ? counters_.count(key) : 0);
  return sum;
}

void LabelIndex::add(ShapeId shape, NamespaceId namespace_, const Labels& labels) {
  shapes_.add(key_of(namespace_), shape);
  for (const Label& label : labels) shapes_.add({label.key, label.value}, shape);
}

void LabelIndex::forget(const std::vector<ShapeId>& shapes) {
  shapes_.remove_if([&](ShapeId shape) { return std::ranges::binary_search(shapes, shape); });
}

void LabelIndex::add(std::uint32_t counter, const Wanted& wanted) {
  const std::vector<Wish> wishes = wishes_of(wanted);
  const Wish* wish = rarest(wishes, [this](const Wish& each) { return cost(each, true); });
  if (wish == nullptr) {
    any_.push_back(counter);
    return;
  }
  for (const Key& key : *wish) counters_.add(key, counter);
  filed_.emplace(counter, *wish);
}

void LabelIndex::forget(std::uint32_t counter) {
  const auto found = filed_.find(counter);
  if (found == filed_.end()) {
    std::erase(any_, counter);
    return;
  }
  for (const Key& key : found->second) counters_.remove(key, counter);
  filed_.erase(found);
}

}  // namespace berth::engine
