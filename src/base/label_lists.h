// LabelLists: items by the labels that they have, so that whoever wants some labels need not look at all items.
//
// Whoever wants several labels looks at the rarest of them: the labels of one chart have most values in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace berth {

template <class Label, class Item>
class LabelLists {
 public:
  using List = std::vector<Item>;

  void add(const Label& label, const Item& item) { lists_[label].push_back(item); }
  // O(items with the label).
  void remove(const Label& label, const Item& item) {
    const auto found = lists_.find(label);
    if (found == lists_.end()) return;
    std::erase(found->second, item);
    if (found->second.empty()) lists_.erase(found);
  }
  // O(all).
  template <class Gone>
  void remove_if(const Gone& gone) {
    erase_if(lists_, [&](auto& entry) {
      std::erase_if(entry.second, gone);
      return entry.second.empty();
    });
  }

  // In the order in which they were added.
  [[nodiscard]] const List& with(const Label& label) const {
    static const List kNone;
    const auto found = lists_.find(label);
    return found == lists_.end() ? kNone : found->second;
  }
  [[nodiscard]] std::size_t count(const Label& label) const { return with(label).size(); }

 private:
  boost::unordered_flat_map<Label, List> lists_;
};

// The first of those of lowest cost; null if there are none. Each is asked once.
template <class Wishes, class Cost>
[[nodiscard]] auto rarest(const Wishes& wishes, const Cost& cost) -> decltype(&*wishes.begin()) {
  decltype(&*wishes.begin()) result = nullptr;
  std::size_t least = 0;
  for (const auto& wish : wishes) {
    const std::size_t own = cost(wish);
    if (result != nullptr && own >= least) continue;
    result = &wish;
    least = own;
  }
  return result;
}

}  // namespace berth
