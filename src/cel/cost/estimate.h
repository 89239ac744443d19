// How much an expression may cost at most and at least, before it runs.
//
// The model is that of cel-go's checker with the rules of the Kubernetes API server's libraries (1.37), so that an
// expression which the API server accepts or refuses for its cost is judged alike here. Arithmetic saturates.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/checker.h"

namespace berth::cel {

inline constexpr std::uint64_t kUnknownCost = std::numeric_limits<std::uint64_t>::max();

// A range of sizes or costs.
struct Range {
  std::uint64_t min = 0;
  std::uint64_t max = 0;

  static constexpr Range fixed(std::uint64_t value) { return {value, value}; }
  static constexpr Range unknown() { return {0, kUnknownCost}; }
  [[nodiscard]] Range plus(Range other) const;
  [[nodiscard]] Range times(Range other) const;
  // Rounded up.
  [[nodiscard]] Range scaled(double factor) const;
  // The least range that has both.
  [[nodiscard]] Range joined(Range other) const;
  bool operator==(const Range&) const = default;
};

using Path = std::vector<std::string>;

// What the estimator knows of an operand.
struct CostNode {
  // Way to the value from a variable: names of fields, "@items", "@keys", "@values", "@indices". Empty: not known.
  Path path;
  TypeRef type = nullptr;
  std::optional<Range> size;  // where the expression itself tells it
  const Expr* expr = nullptr;
};

// What a host knows of the sizes of its variables.
class SizeEstimator {
 public:
  virtual ~SizeEstimator() = default;
  [[nodiscard]] virtual std::optional<Range> size(const CostNode& node) const = 0;
};

// Follows a path through types that carry max_size: the fields of a struct, the elements of lists and maps.
class DeclaredSizes final : public SizeEstimator {
 public:
  explicit DeclaredSizes(const Environment& environment) : environment_(environment) {}
  [[nodiscard]] std::optional<Range> size(const CostNode& node) const override;

 private:
  const Environment& environment_;
};

struct EstimateOptions {
  bool presence_test_costs = false;  // has() is free in Kubernetes
};

// Of a checked expression. O(size of the expression as a tree).
[[nodiscard]] Range estimate_cost(const CheckedAst& checked, const SizeEstimator& sizes,
                                  const EstimateOptions& options = {});

// The cost and the size of the result of a call, without its arguments' costs.
struct CallEstimate {
  Range cost;
  std::optional<Range> result_size;
};

// The rule of a function of the libraries; nothing where the language's own rules hold. `target` is null for a global
// call.
[[nodiscard]] std::optional<CallEstimate> estimate_library_call(std::string_view function, std::string_view overload,
                                                                const CostNode* target,
                                                                std::span<const CostNode> arguments,
                                                                const SizeEstimator& sizes);

}  // namespace berth::cel
