#include "cel/cost/estimate.h"

#include <algorithm>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "cel/cost/runtime_cost.h"
#include "cel/utf8.h"

namespace berth::cel {

namespace {

// Sizes of the keys (or indices) and values of a container.
struct EntrySizes {
  TypeKind container = TypeKind::kDyn;
  Range key;
  Range value;
};

struct EstimatedLocal {
  std::string_view name;
  Path path;
  std::optional<Range> size;
  std::optional<EntrySizes> entries;
};

std::optional<EntrySizes> joined(const std::optional<EntrySizes>& a, const std::optional<EntrySizes>& b) {
  if (!a || !b) return std::nullopt;
  return EntrySizes{a->container, a->key.joined(b->key), a->value.joined(b->value)};
}

bool is_scalar(TypeRef type) {
  switch (type->kind) {
    case TypeKind::kBool:
    case TypeKind::kDouble:
    case TypeKind::kDuration:
    case TypeKind::kInt:
    case TypeKind::kTimestamp:
    case TypeKind::kUint:
      return true;
    default:
      return is_optional(type) && is_scalar(type->parameters.front());
  }
}

class Estimator {
 public:
  Estimator(const CheckedAst& checked, const SizeEstimator& sizes, const EstimateOptions& options)
      : checked_(checked), ast_(checked.ast), sizes_(sizes), options_(options) {}

  Range cost(ExprId id) {
    const Expr& expr = ast_[id];
    switch (expr.kind) {
      case ExprKind::kLiteral:
        return {};
      case ExprKind::kIdent:
        paths_[id] = ident_path(expr);
        return Range::fixed(kSelectCost);
      case ExprKind::kSelect:
        return select(id, expr);
      case ExprKind::kCall:
        return call(id, expr);
      case ExprKind::kList:
        return list(id, expr);
      case ExprKind::kMap:
        return map(id, expr);
      case ExprKind::kStruct: {
        Range sum = Range::fixed(kStructCost);
        for (const Child& child : ast_.children(expr)) sum = sum.plus(cost(child.id));
        return sum;
      }
      case ExprKind::kComprehension:
        return is_bind(expr) ? bind(id, expr) : comprehension(id, expr);
    }
    return {};
  }

 private:
  [[nodiscard]] TypeRef type_of_expr(ExprId id) const {
    const TypeRef type = checked_.types[id];
    return type == nullptr ? &types::kDyn : type;
  }

  [[nodiscard]] const EstimatedLocal* find_local(std::string_view name) const {
    const auto found =
        std::find_if(locals_.rbegin(), locals_.rend(), [&](const EstimatedLocal& l) { return l.name == name; });
    return found == locals_.rend() ? nullptr : &*found;
  }

  [[nodiscard]] Path ident_path(const Expr& expr) const {
    const EstimatedLocal* local = find_local(expr.name);
    return local != nullptr ? local->path : Path{std::string(expr.name)};
  }

  [[nodiscard]] Path path(ExprId id) const {
    const Expr& expr = ast_[id];
    if (expr.kind == ExprKind::kIdent) {
      if (const EstimatedLocal* local = find_local(expr.name); local != nullptr) return local->path;
    }
    const auto found = paths_.find(id);
    return found == paths_.end() ? Path() : found->second;
  }
  [[nodiscard]] Path path(ExprId id, std::string_view step) const {
    Path out = path(id);
    out.emplace_back(step);
    return out;
  }

  CostNode node(ExprId id) {
    CostNode out{path(id), type_of_expr(id), size(id), &ast_[id]};
    // Only ways from the host's variables are of use to anybody.
    if (!out.path.empty() && out.path.front() == kAccumulator) out.path.clear();
    return out;
  }

  static std::optional<Range> literal_size(Value value) {
    switch (value.kind()) {
      case Kind::kString:
        return Range::fixed(utf8::count(value.as_text()));
      case Kind::kBytes:
        return Range::fixed(value.as_text().size());
      default:
        return Range::fixed(1);
    }
  }

  std::optional<Range> size(ExprId id) {
    if (const auto found = computed_.find(id); found != computed_.end()) return found->second;
    const Expr& expr = ast_[id];
    if (expr.kind == ExprKind::kLiteral) return literal_size(expr.literal);
    if (expr.kind == ExprKind::kList) return Range::fixed(expr.child_count);
    if (expr.kind == ExprKind::kMap) return Range::fixed(expr.child_count / 2);
    if (const auto known = sizes_.size({path(id), type_of_expr(id), std::nullopt, &expr})) {
      computed_[id] = *known;
      return known;
    }
    if (is_scalar(type_of_expr(id))) return Range::fixed(1);
    if (expr.kind == ExprKind::kIdent) {
      if (const EstimatedLocal* local = find_local(expr.name); local != nullptr && local->size) return local->size;
    }
    return std::nullopt;
  }
  Range size_or_unknown(ExprId id) { return size(id).value_or(Range::unknown()); }

  std::optional<EntrySizes> entries(ExprId id) {
    if (const auto found = entries_.find(id); found != entries_.end()) return found->second;
    const Expr& expr = ast_[id];
    if (expr.kind == ExprKind::kIdent) {
      if (const EstimatedLocal* local = find_local(expr.name); local != nullptr) return local->entries;
    }
    return std::nullopt;
  }
  void set_size(ExprId id, const std::optional<Range>& size) {
    if (size) computed_[id] = *size;
  }
  void set_entries(ExprId id, const std::optional<EntrySizes>& sizes) {
    if (sizes) entries_[id] = *sizes;
  }

  Range select(ExprId id, const Expr& expr) {
    const Range operand = cost(expr.operand);
    if (expr.test_only) return operand.plus(Range::fixed(options_.presence_test_costs ? 1 : 0));
    Range sum = operand;
    switch (type_of_expr(expr.operand)->kind) {
      case TypeKind::kMap:
      case TypeKind::kStruct:
      case TypeKind::kParameter:
        sum = sum.plus(Range::fixed(kSelectCost));
        break;
      default:
        break;
    }
    paths_[id] = path(expr.operand, expr.name);
    return sum;
  }

  Range list(ExprId id, const Expr& expr) {
    Range sum;
    Range items = expr.child_count == 0 ? Range{} : Range{kUnknownCost, 0};
    for (const Child& child : ast_.children(expr)) {
      sum = sum.plus(cost(child.id));
      items = items.joined(size_or_unknown(child.id));
    }
    set_entries(id, EntrySizes{TypeKind::kList, Range::fixed(1), items});
    return sum.plus(Range::fixed(kListCost));
  }

  Range map(ExprId id, const Expr& expr) {
    Range sum;
    Range sizes[2];
    if (expr.child_count > 0) sizes[0] = sizes[1] = {kUnknownCost, 0};
    std::size_t which = 0;
    for (const Child& child : ast_.children(expr)) {
      sum = sum.plus(cost(child.id));
      sizes[which] = sizes[which].joined(size_or_unknown(child.id));
      which = 1 - which;
    }
    set_entries(id, EntrySizes{TypeKind::kMap, sizes[0], sizes[1]});
    return sum.plus(Range::fixed(kMapCost));
  }

  [[nodiscard]] bool is_bind(const Expr& expr) const {
    const Comprehension& parts = ast_.comprehension(expr);
    const Expr& range = ast_[parts.range];
    const Expr& condition = ast_[parts.condition];
    return range.kind == ExprKind::kList && range.child_count == 0 && condition.kind == ExprKind::kLiteral &&
           condition.literal.is_false();
  }

  Range bind(ExprId id, const Expr& expr) {
    const Comprehension& parts = ast_.comprehension(expr);
    Range sum = cost(parts.range).plus(cost(parts.init));
    locals_.push_back({parts.accu, path(parts.init), size(parts.init), entries(parts.init)});
    sum = sum.plus(cost(parts.result));
    const std::optional<Range> result_size = size(parts.result);
    const std::optional<EntrySizes> result_entries = entries(parts.result);
    locals_.pop_back();
    set_size(id, result_size);
    set_entries(id, result_entries);
    return sum;
  }

  void push_iterators(const Comprehension& parts) {
    const std::optional<EntrySizes> sizes = entries(parts.range);
    const TypeKind kind = sizes ? sizes->container : type_of_expr(parts.range)->kind;
    const auto push = [&](std::string_view name, std::string_view step, bool key) {
      std::optional<Range> size;
      if (sizes) size = key ? sizes->key : sizes->value;
      locals_.push_back({name, path(parts.range, step), size, std::nullopt});
    };
    if (!parts.iter2.empty()) {
      push(parts.iter, kind == TypeKind::kList ? "@indices" : "@keys", true);
      push(parts.iter2, kind == TypeKind::kList ? "@items" : "@values", false);
    } else {
      push(parts.iter, kind == TypeKind::kList ? "@items" : "@keys", kind == TypeKind::kMap);
    }
  }

  Range comprehension(ExprId id, const Expr& expr) {
    const Comprehension& parts = ast_.comprehension(expr);
    Range sum = cost(parts.range).plus(cost(parts.init));
    locals_.push_back({parts.accu, path(parts.init), size(parts.init), entries(parts.init)});
    const std::size_t mark = locals_.size();
    push_iterators(parts);
    const Range loop = cost(parts.condition);
    const Range step = cost(parts.step);
    locals_.resize(mark);
    sum = sum.plus(cost(parts.result));
    locals_.pop_back();
    const Range count = size_or_unknown(parts.range);
    sum = sum.plus(count.times(step.plus(loop)));
    const ExprKind init = ast_[parts.init].kind;
    if (init == ExprKind::kLiteral) {
      set_size(id, size(parts.init));
    } else if (init == ExprKind::kList || init == ExprKind::kMap) {
      set_size(id, count);
      set_entries(id, entries(parts.step));
    }
    return sum;
  }

  Range call(ExprId id, const Expr& expr) {
    const auto children = ast_.children(expr);
    if (expr.name == "dyn" && children.size() == 1) {
      const Range argument = cost(children[0].id);
      set_size(id, size(children[0].id));
      set_entries(id, entries(children[0].id));
      return argument.plus(Range::fixed(1));
    }
    std::vector<CostNode> arguments;
    std::vector<Range> costs;
    for (const Child& child : children) {
      costs.push_back(cost(child.id));
      arguments.push_back(node(child.id));
    }
    const Reference& reference = checked_.references[id];
    if (reference.overloads.empty()) return optional_select(expr, costs);
    Range sum;
    std::optional<CostNode> target;
    if (expr.member && !reference.namespaced) {
      sum = cost(expr.operand);
      target = node(expr.operand);
    }
    Range function{kUnknownCost, 0};
    std::optional<Range> result;
    for (const Overload* overload : reference.overloads) {
      const CallEstimate estimate =
          call_estimate(id, expr, *overload, reference, target ? &*target : nullptr, arguments, costs);
      function = function.joined(estimate.cost);
      if (estimate.result_size) result = result ? result->joined(*estimate.result_size) : estimate.result_size;
      index_path(id, *overload, children, result);
      if (!result) result = size(id);
    }
    set_size(id, result);
    return sum.plus(function);
  }

  // a.?b has an overload of its own upstream, which costs one and its operands.
  static Range optional_select(const Expr& expr, std::span<const Range> costs) {
    if (expr.name != operators::kOptionalSelect) return {};
    Range sum = Range::fixed(1);
    for (const Range cost : costs) sum = sum.plus(cost);
    return sum;
  }

  void index_path(ExprId id, const Overload& overload, std::span<const Child> children, std::optional<Range>& result) {
    const bool list = overload.id == "index_list";
    if ((!list && overload.id != "index_map") || children.empty()) return;
    const auto sizes = entries(children[0].id);
    result = sizes ? std::optional(sizes->value) : std::nullopt;
    paths_[id] = path(children[0].id, list ? "@items" : "@values");
  }

  CallEstimate call_estimate(ExprId id, const Expr& expr, const Overload& overload, const Reference& reference,
                             const CostNode* target, std::span<const CostNode> arguments,
                             std::span<const Range> costs) {
    Range sum;
    for (const Range cost : costs) sum = sum.plus(cost);
    if (auto found = estimate_library_call(reference.function->name, overload.id, target, arguments, sizes_)) {
      found->cost = found->cost.plus(sum);
      return *found;
    }
    if (expr.name == operators::kAnd || expr.name == operators::kOr) {
      return {{costs[0].min, costs[0].plus(costs[1]).max}, std::nullopt};
    }
    const auto children = ast_.children(expr);
    if (expr.name == operators::kConditional) {
      set_entries(id, joined(entries(children[1].id), entries(children[2].id)));
      return {costs[0].plus(costs[1].joined(costs[2])),
              size_or_unknown(children[1].id).joined(size_or_unknown(children[2].id))};
    }
    CallEstimate out = standard(overload.id, target, arguments);
    if (overload.id == "add_string" || overload.id == "add_bytes" || overload.id == "add_list") {
      set_entries(id, joined(entries(children[0].id), entries(children[1].id)));
    }
    out.cost = out.cost.plus(sum);
    return out;
  }

  static Range known(const CostNode& node) { return node.size.value_or(Range::unknown()); }

  // The rules of the language's own functions.
  static CallEstimate standard(std::string_view id, const CostNode* target, std::span<const CostNode> arguments) {
    if (id == "string_format" && target != nullptr) return {known(*target).scaled(kTraversalFactor), std::nullopt};
    if (arguments.size() == 1) {
      const Range size = known(arguments[0]);
      const Range traversal = size.scaled(kTraversalFactor);
      if (id == "string_to_bytes") return {traversal, Range{size.min, size.max * 4}};
      if (id == "bytes_to_string") return {traversal, Range{size.min / 4, size.max}};
      if (id == "strings_quote") return {traversal, Range{size.min + 2, size.max * 2 + 2}};
      if (id == "starts_with_string" || id == "ends_with_string") return {traversal, std::nullopt};
      if (id == "matches_string" && target != nullptr) return {match(*target, arguments[0]), std::nullopt};
      if (id == "contains_string" && target != nullptr) {
        return {known(*target).scaled(kTraversalFactor).times(traversal), std::nullopt};
      }
    }
    if (arguments.size() == 2) {
      const Range left = known(arguments[0]);
      const Range right = known(arguments[1]);
      if (id == "in_list") return {right.scaled(1), std::nullopt};
      if (id == "matches") return {match(arguments[0], arguments[1]), std::nullopt};
      if (id == "add_list") return {Range::fixed(1), left.plus(right)};
      if (id == "add_string" || id == "add_bytes") {
        return {left.plus(right).scaled(kTraversalFactor), left.plus(right)};
      }
      if (compares_texts(id)) {
        const std::uint64_t most = std::min(left.max, right.max);
        return {Range{most > 0 ? 1U : 0U, most}.scaled(kTraversalFactor), std::nullopt};
      }
    }
    return {Range::fixed(1), std::nullopt};
  }

  static bool compares_texts(std::string_view id) {
    if (id == "equals" || id == "not_equals") return true;
    const bool order = id.starts_with("less_") || id.starts_with("greater_");
    return order && (id.ends_with("_string") || id.ends_with("_bytes"));
  }

  static Range match(const CostNode& text, const CostNode& pattern) {
    return known(text).plus(Range::fixed(1)).scaled(kTraversalFactor).times(known(pattern).scaled(kRegexFactor));
  }

  const CheckedAst& checked_;
  const Ast& ast_;
  const SizeEstimator& sizes_;
  EstimateOptions options_;
  boost::unordered_flat_map<ExprId, Path> paths_;
  boost::unordered_flat_map<ExprId, Range> computed_;
  boost::unordered_flat_map<ExprId, EntrySizes> entries_;
  std::vector<EstimatedLocal> locals_;
};

}  // namespace

Range estimate_cost(const CheckedAst& checked, const SizeEstimator& sizes, const EstimateOptions& options) {
  return Estimator(checked, sizes, options).cost(checked.ast.root());
}

}  // namespace berth::cel
