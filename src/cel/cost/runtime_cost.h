// What a call costs when it runs, in the units of the CEL cost model: roughly one per 50 ns.
//
// The rules are those of cel-go's interpreter with the additions of the Kubernetes API server's libraries (1.37), as
// the limit on a selector's run-time cost is counted there. See estimate.h for the static side.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cel/value.h"

namespace berth::cel {

inline constexpr std::uint64_t kSelectCost = 1;
inline constexpr std::uint64_t kListCost = 10;
inline constexpr std::uint64_t kMapCost = 30;
inline constexpr std::uint64_t kStructCost = 40;
inline constexpr double kTraversalFactor = 0.1;
inline constexpr double kRegexFactor = 0.25;

// size() of a value as the cost model sees it: 1 for what has none.
[[nodiscard]] std::uint64_t cost_size(Value value);

// Of == (`equals`) and !=.
[[nodiscard]] std::uint64_t equality_cost(Value left, Value right, bool equals);

class RuntimeCost {
 public:
  using Rule = std::uint64_t (*)(std::span<const Value> arguments, Value result);

  constexpr RuntimeCost() = default;
  explicit constexpr RuntimeCost(Rule rule) : rule_(rule) {}

  static RuntimeCost free() {
    return RuntimeCost([](std::span<const Value>, Value) { return std::uint64_t{0}; });
  }
  // The rule of a function. `overload` is empty where the types leave several.
  static RuntimeCost find(std::string_view function, std::string_view overload);

  [[nodiscard]] std::uint64_t of(std::span<const Value> arguments, Value result) const {
    return rule_ == nullptr ? 1 : rule_(arguments, result);
  }

 private:
  Rule rule_ = nullptr;
};

}  // namespace berth::cel
