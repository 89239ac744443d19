#include <algorithm>
#include <cmath>

#include "cel/cost/estimate.h"

namespace berth::cel {

namespace {

std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a > kUnknownCost - b ? kUnknownCost : a + b; }
std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kUnknownCost / b ? kUnknownCost : a * b;
}
std::uint64_t scale(std::uint64_t a, double factor) {
  const double product = std::ceil(static_cast<double>(a) * factor);
  return product >= 18446744073709551616.0 ? kUnknownCost : static_cast<std::uint64_t>(product);
}

}  // namespace

Range Range::plus(Range other) const { return {add(min, other.min), add(max, other.max)}; }
Range Range::times(Range other) const { return {multiply(min, other.min), multiply(max, other.max)}; }
Range Range::scaled(double factor) const { return {scale(min, factor), scale(max, factor)}; }
Range Range::joined(Range other) const { return {std::min(min, other.min), std::max(max, other.max)}; }

std::optional<Range> DeclaredSizes::size(const CostNode& node) const {
  if (node.path.empty()) return std::nullopt;
  const Variable* variable = environment_.find_variable(node.path.front());
  if (variable == nullptr) return std::nullopt;
  TypeRef type = variable->type;
  for (std::size_t i = 1; i < node.path.size(); ++i) {
    const std::string& step = node.path[i];
    const bool list = type->kind == TypeKind::kList;
    const bool map = type->kind == TypeKind::kMap && type->parameters.size() == 2;
    if (step == "@items" || step == "@values") {
      if (!list && !map) return std::nullopt;
      type = type->parameters.back();
    } else if (step == "@keys") {
      if (!map) return std::nullopt;
      type = type->parameters.front();
    } else if (type->kind == TypeKind::kStruct) {
      const StructType* structure = environment_.find_struct(type->name);
      if (structure == nullptr) return std::nullopt;
      const auto field = std::ranges::find(structure->fields, step, &Field::name);
      if (field == structure->fields.end()) return std::nullopt;
      type = field->type;
    } else if (map) {
      type = type->parameters.back();
    } else {
      return std::nullopt;
    }
  }
  if (type->max_size < 0) return std::nullopt;
  return Range{0, static_cast<std::uint64_t>(type->max_size)};
}

}  // namespace berth::cel
