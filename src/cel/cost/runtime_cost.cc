#include "cel/cost/runtime_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/unordered/unordered_flat_map.hpp>

#include "cel/utf8.h"

namespace berth::cel {

namespace {

using Args = std::span<const Value>;
using Cost = std::uint64_t;

Cost scaled(double size, double factor) { return static_cast<Cost>(std::ceil(size * factor)); }
Cost traversal(Value value, double factor = 1) {
  return scaled(static_cast<double>(cost_size(value)), factor * kTraversalFactor);
}

Cost one(Args, Value) { return 1; }
Cost traverse_first(Args a, Value) { return traversal(a[0]); }
Cost traverse_first_twice(Args a, Value) { return traversal(a[0], 2); }
Cost traverse_second(Args a, Value) { return traversal(a[1]); }
Cost join(Args, Value result) { return traversal(result, 2); }
Cost in_list(Args a, Value) { return cost_size(a[1]); }

Cost order(Args a, Value) {
  return scaled(static_cast<double>(std::min(cost_size(a[0]), cost_size(a[1]))), kTraversalFactor);
}
Cost add(Args a, Value) { return scaled(static_cast<double>(cost_size(a[0]) + cost_size(a[1])), kTraversalFactor); }
Cost match(Args a, Value) {
  const Cost text = scaled(1.0 + static_cast<double>(cost_size(a[0])), kTraversalFactor);
  return text * scaled(static_cast<double>(cost_size(a[1])), kRegexFactor);
}
Cost contains(Args a, Value) { return traversal(a[0]) * traversal(a[1]); }

// A single walk over everything inside.
Cost walk(Value value, Arena& arena) {
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kBytes:
      return static_cast<Cost>(static_cast<double>(value.as_text().size()) * kTraversalFactor);
    case Kind::kList: {
      Cost cost = 0;
      for (std::size_t i = 0; i < value.as_list().size(); ++i) cost += walk(value.as_list().at(i, arena), arena);
      return cost;
    }
    case Kind::kMap: {
      Cost cost = 0;
      const Map& map = value.as_map();
      for (std::size_t i = 0; i < map.size(); ++i) {
        cost += walk(map.key_at(i, arena), arena) + walk(map.value_at(i, arena), arena);
      }
      return cost;
    }
    default:
      return 1;
  }
}
Cost walk_first(Args a, Value) {
  Arena scratch;
  return walk(a[0], scratch);
}

Cost contains_ip(Args a, Value) { return scaled(static_cast<double>(2 * cost_size(a[0])), kTraversalFactor); }
Cost contains_ip_string(Args a, Value result) { return contains_ip(a, result) + traversal(a[1]); }
Cost contains_cidr(Args a, Value result) { return contains_ip(a, result) + traversal(a[0]) + 1; }
Cost contains_cidr_string(Args a, Value result) { return contains_cidr(a, result) + traversal(a[1]); }

// format.dns1123Label().validate(text): the pattern is hidden, so its longest length is assumed.
Cost validate(Args a, Value) {
  const Cost text = scaled(1.0 + static_cast<double>(cost_size(a[1])), kTraversalFactor);
  return text * scaled(static_cast<double>(cost_size(a[0])), kRegexFactor);
}

// Calls that make a list of `size` elements.
Cost allocating(double factor, Cost size) {
  if (factor < 0) factor = 1;
  return static_cast<Cost>(static_cast<double>(size) * factor) + 1 + kListCost;
}
Cost output_size(Args, Value result) { return allocating(1, cost_size(result)); }
Cost flatten(Args a, Value) {
  const double depth = a.size() == 2 ? static_cast<double>(a[1].as_int()) : 1;
  return allocating(depth, cost_size(a[0]));
}
Cost self_compare(Value list) {
  const Cost size = cost_size(list);
  double factor = 2;
  if (size > 0) {
    Arena scratch;
    const Value first = list.as_list().at(0, scratch);
    if (first.is(Kind::kString) || first.is(Kind::kBytes)) factor += kTraversalFactor;
  }
  return allocating(factor, size * size);
}
Cost self_compare_first(Args a, Value) { return self_compare(a[0]); }
Cost self_compare_second(Args a, Value) { return self_compare(a[1]); }
template <int factor>
Cost sets(Args a, Value) {
  return 1 + cost_size(a[0]) * cost_size(a[1]) * factor;
}

const boost::unordered_flat_map<std::string_view, RuntimeCost::Rule>& overload_costs() {
  static const boost::unordered_flat_map<std::string_view, RuntimeCost::Rule> kRules = {
      {"list_slice", output_size},
      {"list_flatten", flatten},
      {"list_flatten_int", flatten},
      {"lists_range", output_size},
      {"list_reverse", output_size},
      {"list_distinct", self_compare_first},
      {"list_sets_contains_list", sets<1>},
      {"list_sets_intersects_list", sets<1>},
      {"list_sets_equivalent_list", sets<2>},
      {"cidr_ip", one},
      {"cidr_contains_ip_string", contains_ip_string},
      {"cidr_contains_cidr_string", contains_cidr_string},
  };
  return kRules;
}

const boost::unordered_flat_map<std::string_view, RuntimeCost::Rule>& function_costs() {
  static const boost::unordered_flat_map<std::string_view, RuntimeCost::Rule> kRules = {
      {"isSorted", walk_first},
      {"sum", walk_first},
      {"max", walk_first},
      {"min", walk_first},
      {"indexOf", walk_first},
      {"lastIndexOf", walk_first},
      {"includes", walk_first},
      {"url", traverse_first},
      {"lowerAscii", traverse_first},
      {"upperAscii", traverse_first},
      {"substring", traverse_first},
      {"trim", traverse_first},
      {"replace", traverse_first_twice},
      {"split", traverse_first_twice},
      {"join", join},
      {"find", match},
      {"findAll", match},
      {"cidr", traverse_first},
      {"isIP", traverse_first},
      {"isCIDR", traverse_first},
      {"ip", traverse_first},
      {"ip.isCanonical", traverse_first_twice},
      {"containsIP", contains_ip},
      {"containsCIDR", contains_cidr},
      {"quantity", traverse_first},
      {"isQuantity", traverse_first},
      {"semver", traverse_first},
      {"isSemver", traverse_first},
      {"validate", validate},
  };
  return kRules;
}

// Of the language itself: these are known by overload, so that a call which the types leave open costs one.
const boost::unordered_flat_map<std::string_view, RuntimeCost::Rule>& standard_costs() {
  static const boost::unordered_flat_map<std::string_view, RuntimeCost::Rule> kRules = {
      {"starts_with_string", traverse_second},
      {"ends_with_string", traverse_second},
      {"string_to_bytes", traverse_first},
      {"bytes_to_string", traverse_first},
      {"strings_quote", traverse_first},
      {"string_format", traverse_first},
      {"in_list", in_list},
      {"less_string", order},
      {"greater_string", order},
      {"less_equals_string", order},
      {"greater_equals_string", order},
      {"less_bytes", order},
      {"greater_bytes", order},
      {"less_equals_bytes", order},
      {"greater_equals_bytes", order},
      {"add_string", add},
      {"add_bytes", add},
      {"matches", match},
      {"matches_string", match},
      {"contains_string", contains},
  };
  return kRules;
}

}  // namespace

std::uint64_t cost_size(Value value) {
  switch (value.kind()) {
    case Kind::kString:
      return utf8::count(value.as_text());
    case Kind::kBytes:
      return value.as_text().size();
    case Kind::kList:
      return value.as_list().size();
    case Kind::kMap:
      return value.as_map().size();
    case Kind::kOptional:
      return value.as_optional() == nullptr ? 1 : cost_size(*value.as_optional());
    case Kind::kObject:
      return value.as_object().cost_size();
    default:
      return 1;
  }
}

std::uint64_t equality_cost(Value left, Value right, bool equals) {
  // Objects of the libraries compare in constant time; the rule is one of == alone.
  if (equals && left.is(Kind::kObject)) return 1;
  const std::uint64_t size = std::min(cost_size(left), cost_size(right));
  return size <= 10 ? (size == 0 ? 0 : 1) : scaled(static_cast<double>(size), kTraversalFactor);
}

RuntimeCost RuntimeCost::find(std::string_view function, std::string_view overload) {
  // Sorting is one overload per element type.
  if (overload.starts_with("list_") && overload.ends_with("_sort")) return RuntimeCost(self_compare_first);
  if (overload.starts_with("list_") && overload.ends_with("_sortByAssociatedKeys")) {
    return RuntimeCost(self_compare_second);
  }
  for (const auto* rules : {&overload_costs(), &standard_costs()}) {
    if (const auto found = rules->find(overload); found != rules->end()) return RuntimeCost(found->second);
    if (rules == &overload_costs()) {
      if (const auto named = function_costs().find(function); named != function_costs().end()) {
        return RuntimeCost(named->second);
      }
    }
  }
  return {};
}

}  // namespace berth::cel
