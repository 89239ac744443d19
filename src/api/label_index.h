// LabelIndex: objects by namespace and label, so that what a selector may match need not be looked for among all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/meta.h"

namespace berth::api {

template <class T>
class LabelIndex {
 public:
  using List = std::vector<const T*>;

  // The object has to outlive the index. O(its labels).
  void add(const T& object) {
    const ObjectMeta& metadata = object.metadata;
    lists_[metadata.namespace_].push_back(&object);
    for (const auto& [key, value] : metadata.labels) lists_[name(metadata.namespace_, key, value)].push_back(&object);
  }

  // Whoever the selector matches is among them, in the order in which they were added: those with the rarest of the
  // labels that it names, all of the namespace if it names none.
  [[nodiscard]] const List& candidates(std::string_view namespace_, const LabelSelector& selector) const {
    const List* fewest = nullptr;
    const auto consider = [&](const std::string& list) {
      const auto found = lists_.find(list);
      const List& those = found == lists_.end() ? kNone : found->second;
      if (fewest == nullptr || those.size() < fewest->size()) fewest = &those;
    };
    for (const auto& [key, value] : selector.match_labels) consider(name(namespace_, key, value));
    if (fewest == nullptr) consider(std::string(namespace_));
    return *fewest;
  }

 private:
  static inline const List kNone;

  // No namespace has a space in its name.
  static std::string name(std::string_view namespace_, std::string_view key, std::string_view value) {
    return std::string(namespace_).append(1, ' ').append(key).append(1, '=').append(value);
  }

  boost::unordered_flat_map<std::string, List> lists_;  // by namespace, and by namespace and label
};

}  // namespace berth::api
