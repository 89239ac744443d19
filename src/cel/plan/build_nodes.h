// List and map literals.
#pragma once

#include <vector>

#include "cel/plan/node.h"

namespace berth::cel {

class ListNode final : public Node {
 public:
  struct Element {
    NodePtr node;
    bool optional = false;
  };
  explicit ListNode(std::vector<Element> elements) : elements_(std::move(elements)) {}
  Value evaluate(Frame& frame) const override;
  // The list without its cost, if all elements are constants.
  [[nodiscard]] std::optional<Value> fold(EvalContext& context) const;

 private:
  std::vector<Element> elements_;
};

class MapNode final : public Node {
 public:
  struct Entry {
    NodePtr key;
    NodePtr value;
    bool optional = false;
  };
  // `any_keys`: see Environment::any_map_keys().
  MapNode(std::vector<Entry> entries, bool any_keys) : entries_(std::move(entries)), any_keys_(any_keys) {}
  Value evaluate(Frame& frame) const override;
  [[nodiscard]] std::optional<Value> fold(EvalContext& context) const;

 private:
  std::vector<Entry> entries_;
  bool any_keys_;
};

}  // namespace berth::cel
