// LabelIndex: objects by namespace and label, so that what a selector may match need not be looked for among all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "base/label_lists.h"

namespace berth::api {

template <class T>
class LabelIndex {
 public:
  using List = std::vector<const T*>;

  // The object has to outlive the index. O(its labels).
  void add(const T& object) {
    const ObjectMeta& metadata = object.metadata;
    lists_.add(metadata.namespace_, &object);
    for (const auto& [key, value] : metadata.labels) lists_.add(name(metadata.namespace_, key, value), &object);
  }

  // Whoever the selector matches is among them, in the order in which they were added: those with the rarest of the
  // labels that it names, all of the namespace if it names none.
  [[nodiscard]] const List& candidates(std::string_view namespace_, const LabelSelector& selector) const {
    std::vector<std::string> labels;
    for (const auto& [key, value] : selector.match_labels) labels.push_back(name(namespace_, key, value));
    if (labels.empty()) labels.emplace_back(namespace_);
    return lists_.with(*rarest(labels, [this](const std::string& label) { return lists_.count(label); }));
  }

 private:
  // No namespace has a space in its name.
  static std::string name(std::string_view namespace_, std::string_view key, std::string_view value) {
    return std::string(namespace_).append(1, ' ').append(key).append(1, '=').append(value);
  }

  LabelLists<std::string, const T*> lists_;  // by namespace, and by namespace and label
};

}  // namespace berth::api
