// Static costs of the library functions.
#include <algorithm>
#include <cmath>

#include <boost/unordered/unordered_flat_map.hpp>

#include "cel/cost/estimate.h"
#include "cel/cost/runtime_cost.h"

namespace berth::cel {

namespace {

constexpr std::uint64_t kMaxFormatSize = 64;
constexpr double kMaxFormatPattern = 128;
constexpr Range kAddressBytes{4, 16};

struct Call {
  std::string_view function;
  std::string_view overload;
  const CostNode* target;
  std::span<const CostNode> arguments;
  const SizeEstimator& sizes;

  [[nodiscard]] Range size(const CostNode& node) const {
    if (node.size) return *node.size;
    return sizes.size(node).value_or(Range::unknown());
  }
  // An element of a list, as far as its type tells.
  [[nodiscard]] std::optional<CostNode> element(const CostNode& list) const {
    if (list.type == nullptr || list.type->parameters.empty()) return std::nullopt;
    CostNode out{list.path, list.type->parameters.front(), std::nullopt, nullptr};
    if (!out.path.empty()) out.path.emplace_back("@items");
    return out;
  }
};

using Estimate = std::optional<CallEstimate>;
using Rule = Estimate (*)(const Call& call);

Estimate one(const Call&) { return CallEstimate{Range::fixed(1), std::nullopt}; }

// isSorted, sum, min, max, indexOf, lastIndexOf, includes.
Estimate statistics(const Call& call) {
  if (call.target == nullptr) return std::nullopt;
  const Range size = call.size(*call.target);
  if (const auto element = call.element(*call.target)) {
    Range each = Range::fixed(1);
    if (element->type->kind == TypeKind::kString || element->type->kind == TypeKind::kBytes) {
      each = each.plus(call.size(*element).scaled(kTraversalFactor));
    }
    return CallEstimate{size.times(each), std::nullopt};
  }
  if (call.function == "includes") return CallEstimate{size, std::nullopt};
  return CallEstimate{size.scaled(kTraversalFactor), std::nullopt};
}

Estimate url(const Call& call) {
  if (call.arguments.size() != 1) return std::nullopt;
  const Range size = call.size(call.arguments[0]);
  return CallEstimate{size.scaled(kTraversalFactor), size};
}

// lowerAscii, upperAscii, substring, trim.
Estimate transform(const Call& call) {
  if (call.target == nullptr) return std::nullopt;
  const Range size = call.size(*call.target);
  return CallEstimate{size.scaled(kTraversalFactor), size};
}

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) {
  const double quotient = std::ceil(static_cast<double>(a) / static_cast<double>(b));
  return quotient >= 18446744073709551616.0 ? kUnknownCost : static_cast<std::uint64_t>(quotient);
}

Estimate replace(const Call& call) {
  if (call.target == nullptr || call.arguments.size() < 2) return std::nullopt;
  const Range size = call.size(*call.target);
  const Range old = call.size(call.arguments[0]);
  const Range with = call.size(call.arguments[1]);
  Range count;
  Range kept;
  // The longest result: the shortest pieces are replaced by the longest text.
  if (old.min == 0) {
    count.max = size.max == kUnknownCost ? size.max : size.max + 1;
    kept.max = size.max;
  } else if (with.max <= old.min) {
    kept.max = size.max;
  } else {
    count.max = divided_up(size.max, old.min);
  }
  // The shortest result.
  if (old.max == 0) {
    count.min = size.min == kUnknownCost ? size.min : size.min + 1;
    kept.min = size.min;
  } else if (old.max <= with.min) {
    kept.min = size.min;
  } else {
    count.min = divided_up(size.min, old.max);
  }
  return CallEstimate{size.scaled(2 * kTraversalFactor), count.times(with).plus(kept)};
}

Estimate split(const Call& call) {
  if (call.target == nullptr) return std::nullopt;
  const Range size = call.size(*call.target);
  std::uint64_t most = size.max;
  if (call.arguments.size() > 1) {
    const Expr* limit = call.arguments[1].expr;
    if (limit != nullptr && limit->kind == ExprKind::kLiteral && limit->literal.is(Kind::kInt)) {
      most = static_cast<std::uint64_t>(limit->literal.as_int());
    }
  }
  return CallEstimate{size.scaled(2 * kTraversalFactor), Range{0, most}};
}

Estimate join(const Call& call) {
  if (call.target == nullptr) return std::nullopt;
  const Range count = call.size(*call.target);
  Range size;
  if (const auto element = call.element(*call.target)) size = count.times(call.size(*element));
  if (!call.arguments.empty()) {
    const Range separators{count.min > 0 ? count.min - 1 : 0, count.max > 0 ? count.max - 1 : 0};
    size = size.plus(call.size(call.arguments[0]).times(separators));
  }
  return CallEstimate{size.scaled(kTraversalFactor), size};
}

Estimate find(const Call& call) {
  if (call.target == nullptr || call.arguments.empty()) return std::nullopt;
  const Range size = call.size(*call.target);
  const Range text = size.plus(Range::fixed(1)).scaled(kTraversalFactor);
  return CallEstimate{text.times(call.size(call.arguments[0]).scaled(kRegexFactor)), Range{0, size.max}};
}

// Reading a text: cidr, isIP, isCIDR, quantity, semver, ...
Estimate parse(const Call& call) {
  if (call.arguments.empty()) return std::nullopt;
  return CallEstimate{call.size(call.arguments[0]).scaled(kTraversalFactor), std::nullopt};
}
Estimate parse_twice(const Call& call) {
  if (call.arguments.empty()) return std::nullopt;
  return CallEstimate{call.size(call.arguments[0]).scaled(2 * kTraversalFactor), std::nullopt};
}
Estimate ip(const Call& call) { return call.overload == "cidr_ip" ? one(call) : parse(call); }

Estimate contains_ip(const Call& call) {
  if (call.arguments.empty()) return std::nullopt;
  Range cost = kAddressBytes.plus(kAddressBytes).scaled(kTraversalFactor);
  if (call.overload == "cidr_contains_ip_string") {
    cost = cost.plus(call.size(call.arguments[0]).scaled(kTraversalFactor));
  }
  return CallEstimate{cost, std::nullopt};
}
Estimate contains_cidr(const Call& call) {
  if (call.arguments.empty()) return std::nullopt;
  Range cost = kAddressBytes.plus(kAddressBytes).scaled(kTraversalFactor);
  cost = cost.plus(kAddressBytes.scaled(kTraversalFactor)).plus(Range::fixed(1));
  if (call.overload == "cidr_contains_cidr_string") {
    cost = cost.plus(call.size(call.arguments[0]).scaled(kTraversalFactor));
  }
  return CallEstimate{cost, std::nullopt};
}

Estimate validate(const Call& call) {
  if (call.arguments.empty()) return std::nullopt;
  const Range text = call.size(call.arguments[0]).scaled(kTraversalFactor);
  return CallEstimate{text.scaled(kMaxFormatPattern * kRegexFactor), std::nullopt};
}

// == of the libraries' types.
Estimate equals(const Call& call) {
  if (call.arguments.size() != 2 || !same_type(call.arguments[0].type, call.arguments[1].type)) return std::nullopt;
  const std::string_view name = call.arguments[0].type->name;
  if (name == "net.IP" || name == "net.CIDR" || name == "kubernetes.Quantity" || name == "kubernetes.Semver") {
    return one(call);
  }
  if (name == "kubernetes.NamedFormat") {
    return CallEstimate{Range{1, kMaxFormatSize}.scaled(kTraversalFactor), std::nullopt};
  }
  if (name == "kubernetes.URL") {
    const Range size = call.arguments[1].size.value_or(Range::fixed(1));
    return CallEstimate{Range{1, size.max}.scaled(kTraversalFactor), std::nullopt};
  }
  return std::nullopt;
}

// Rules by overload: they come first.

CallEstimate allocating(double factor, Range size) {
  return {size.scaled(factor).plus(Range::fixed(1)).plus(Range::fixed(kListCost)), size};
}
// The value of a literal argument.
std::uint64_t literal_or(const CostNode& node, std::uint64_t otherwise) {
  if (node.expr == nullptr || node.expr->kind != ExprKind::kLiteral || !node.expr->literal.is(Kind::kInt)) {
    return otherwise;
  }
  return node.expr->literal.as_int() < 0 ? 0 : static_cast<std::uint64_t>(node.expr->literal.as_int());
}

Estimate slice(const Call& call) {
  if (call.target == nullptr || call.arguments.size() != 2) return std::nullopt;
  const std::uint64_t start = literal_or(call.arguments[0], 0);
  const std::uint64_t end = literal_or(call.arguments[1], call.size(*call.target).max);
  return allocating(1, Range::fixed(end - start));
}
Estimate range(const Call& call) {
  if (call.arguments.size() != 1) return std::nullopt;
  return allocating(1, Range::fixed(literal_or(call.arguments[0], kUnknownCost)));
}
Estimate reverse(const Call& call) {
  if (call.target == nullptr) return std::nullopt;
  return allocating(1, call.size(*call.target));
}
Estimate flatten(const Call& call) {
  if (call.target == nullptr) return std::nullopt;
  const std::uint64_t depth = call.arguments.empty() ? 1 : literal_or(call.arguments[0], kUnknownCost);
  return allocating(static_cast<double>(depth), call.size(*call.target));
}
Estimate distinct(const Call& call) {
  if (call.target == nullptr) return std::nullopt;
  const Range size = call.size(*call.target);
  return allocating(2, size.times(size));
}
// Of a list of texts comparing costs a little more.
Estimate sort(const Call& call) {
  const bool by_keys = call.overload.ends_with("_sortByAssociatedKeys");
  if (call.target == nullptr || (by_keys && call.arguments.empty())) return std::nullopt;
  const Range size = call.size(by_keys ? call.arguments[0] : *call.target);
  const bool texts = call.overload.starts_with("list_string_") || call.overload.starts_with("list_bytes_");
  return allocating(texts ? 2 + kTraversalFactor : 2, size.times(size));
}
template <int factor>
Estimate sets(const Call& call) {
  if (call.arguments.size() != 2) return std::nullopt;
  const Range pairs = call.size(call.arguments[0]).times(call.size(call.arguments[1]));
  return CallEstimate{pairs.scaled(factor).plus(Range::fixed(1)), std::nullopt};
}

using Rules = boost::unordered_flat_map<std::string_view, Rule>;

const Rules& overload_rules() {
  static const Rules kRules = {{"list_slice", slice},
                               {"list_flatten", flatten},
                               {"list_flatten_int", flatten},
                               {"lists_range", range},
                               {"list_reverse", reverse},
                               {"list_distinct", distinct},
                               {"list_sets_contains_list", sets<1>},
                               {"list_sets_intersects_list", sets<1>},
                               {"list_sets_equivalent_list", sets<2>}};
  return kRules;
}

const Rules& function_rules() {
  static const Rules kRules = {
      {"isSorted", statistics},
      {"sum", statistics},
      {"max", statistics},
      {"min", statistics},
      {"indexOf", statistics},
      {"lastIndexOf", statistics},
      {"includes", statistics},
      {"url", url},
      {"lowerAscii", transform},
      {"upperAscii", transform},
      {"substring", transform},
      {"trim", transform},
      {"replace", replace},
      {"split", split},
      {"join", join},
      {"find", find},
      {"findAll", find},
      {"cidr", parse},
      {"isIP", parse},
      {"isCIDR", parse},
      {"ip", ip},
      {"ip.isCanonical", parse_twice},
      {"containsIP", contains_ip},
      {"containsCIDR", contains_cidr},
      {"quantity", parse},
      {"isQuantity", parse},
      {"semver", parse},
      {"isSemver", parse},
      {"validate", validate},
      {"_==_", equals},
  };
  return kRules;
}

}  // namespace

std::optional<CallEstimate> estimate_library_call(std::string_view function, std::string_view overload,
                                                  const CostNode* target, std::span<const CostNode> arguments,
                                                  const SizeEstimator& sizes) {
  const Call call{function, overload, target, arguments, sizes};
  if (overload.ends_with("_sort") || overload.ends_with("_sortByAssociatedKeys")) return sort(call);
  if (const auto found = overload_rules().find(overload); found != overload_rules().end()) {
    if (auto estimate = found->second(call)) return estimate;
  }
  const auto found = function_rules().find(function);
  return found == function_rules().end() ? std::nullopt : found->second(call);
}

}  // namespace berth::cel
