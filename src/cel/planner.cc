#include "cel/planner.h"

#include <algorithm>

#include <fmt/format.h>

#include "cel/plan/access_nodes.h"
#include "cel/plan/build_nodes.h"
#include "cel/plan/call_nodes.h"
#include "cel/plan/fold_nodes.h"
#include "cel/plan/logic_nodes.h"

namespace berth::cel {

namespace {

// A call is computed when the program is made only if that is cheap.
constexpr std::uint64_t kMaxFoldCost = 1'000;

bool is_conversion(std::string_view function) {
  for (const std::string_view name :
       {"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}) {
    if (function == name) return true;
  }
  return false;
}

}  // namespace

NodePtr Planner::node(ExprId id, std::uint64_t chain_cost) {
  const Expr& expr = ast_[id];
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return std::make_unique<ConstantNode>(expr.literal);
    case ExprKind::kIdent:
      return ident(id, expr, chain_cost);
    case ExprKind::kSelect:
      return select(id, expr, chain_cost);
    case ExprKind::kCall:
      return call(id, expr, chain_cost);
    case ExprKind::kList:
      return list(expr);
    case ExprKind::kMap:
      return map(expr);
    case ExprKind::kStruct:
      return failure(fmt::format("messages of type '{}' cannot be made here", expr.name));
    case ExprKind::kComprehension:
      return comprehension(expr);
  }
  return failure("unknown kind of expression");
}

NodePtr Planner::failure(std::string_view message) { return std::make_unique<FailureNode>(arena_.copy(message)); }

const Planner::Local* Planner::find_local(std::string_view name) const {
  const auto found = std::find_if(locals_.rbegin(), locals_.rend(), [&](const Local& l) { return l.name == name; });
  return found == locals_.rend() ? nullptr : &*found;
}

bool Planner::is_access(ExprId id) const {
  const Expr& expr = ast_[id];
  switch (expr.kind) {
    case ExprKind::kIdent:
    case ExprKind::kSelect:
      return true;
    case ExprKind::kCall:
      return expr.name == operators::kIndex || expr.name == operators::kOptionalIndex ||
             expr.name == operators::kOptionalSelect || expr.name == operators::kConditional;
    default:
      return false;
  }
}

std::uint64_t Planner::own_chain_cost(ExprId operand, std::uint64_t chain_cost) const {
  return is_access(operand) ? 0 : chain_cost;
}

NodePtr Planner::declared(const Reference& reference, std::uint64_t chain_cost) const {
  if (reference.kind == Reference::Kind::kVariable) {
    return std::make_unique<VariableNode>(reference.variable->slot, reference.variable->name, chain_cost);
  }
  if (reference.kind == Reference::Kind::kType) return std::make_unique<ConstantNode>(Value::type(reference.type));
  return nullptr;
}

NodePtr Planner::ident(ExprId id, const Expr& expr, std::uint64_t chain_cost) {
  if (const Local* local = find_local(expr.name); local != nullptr) {
    if (local->bind != nullptr) return std::make_unique<LazyNode>(local->slot, local->bind->init(), chain_cost);
    return std::make_unique<LocalNode>(local->slot, chain_cost);
  }
  NodePtr known = declared(checked_.references[id], chain_cost);
  return known ? std::move(known) : failure(fmt::format("no such attribute: {}", expr.name));
}

NodePtr Planner::select(ExprId id, const Expr& expr, std::uint64_t chain_cost) {
  if (!expr.test_only) {
    if (NodePtr known = declared(checked_.references[id], chain_cost)) return known;
  }
  const Access access = expr.test_only ? Access::kPresence : Access::kRequired;
  const std::uint64_t own = own_chain_cost(expr.operand, chain_cost);
  const TypeRef type = checked_.types[expr.operand];
  if (checked_.checked && type != nullptr && type->kind == TypeKind::kStruct) {
    const StructType* structure = checked_.environment->find_struct(type->name);
    for (std::uint32_t slot = 0; structure != nullptr && slot < structure->fields.size(); ++slot) {
      if (structure->fields[slot].name == expr.name) {
        return std::make_unique<FieldNode>(node(expr.operand, chain_cost), expr.name, slot, access, own);
      }
    }
  }
  return std::make_unique<SelectNode>(node(expr.operand, chain_cost), expr.name, access, *checked_.environment, own);
}

NodePtr Planner::call(ExprId id, const Expr& expr, std::uint64_t chain_cost) {
  if (expr.name == operators::kAnd || expr.name == operators::kOr) return logic(id, expr.name);
  if (NodePtr made = operator_call(expr, ast_.children(expr), chain_cost)) return made;
  return function_call(id, expr);
}

// Operators that have nodes of their own.
NodePtr Planner::operator_call(const Expr& expr, std::span<const Child> children, std::uint64_t chain_cost) {
  const std::string_view name = expr.name;
  const auto argument = [&](std::size_t i, std::uint64_t cost) { return node(children[i].id, cost); };
  if (name == operators::kEqual || name == operators::kNotEqual) {
    return std::make_unique<EqualNode>(argument(0, kChained), argument(1, kChained), name == operators::kNotEqual);
  }
  if (name == operators::kIndex || name == operators::kOptionalIndex) {
    return std::make_unique<IndexNode>(argument(0, chain_cost), argument(1, 0), name == operators::kOptionalIndex,
                                       own_chain_cost(children[0].id, chain_cost));
  }
  if (name == operators::kConditional) {
    return std::make_unique<ConditionalNode>(argument(0, kChained), argument(1, 0), argument(2, 0));
  }
  if (name == operators::kNotStrictlyFalse) return std::make_unique<NotStrictlyFalseNode>(argument(0, kChained));
  if (name == operators::kOptionalSelect) {
    return std::make_unique<SelectNode>(argument(0, chain_cost), ast_[children[1].id].literal.as_text(),
                                        Access::kOptional, *checked_.environment,
                                        own_chain_cost(children[0].id, chain_cost));
  }
  if (expr.member && children.size() == 1 && (name == "or" || name == "orValue") &&
      checked_.environment->find_function("optional.of") != nullptr) {
    return std::make_unique<OptionalOrNode>(node(expr.operand), argument(0, kChained), name == "orValue");
  }
  return nullptr;
}

NodePtr Planner::function_call(ExprId id, const Expr& expr) {
  const Reference& reference = checked_.references[id];
  if (reference.function == nullptr) return failure(fmt::format("no such overload: {}", expr.name));
  std::vector<NodePtr> arguments;
  const bool member = expr.member && !reference.namespaced;
  if (member) arguments.push_back(node(expr.operand));
  for (const Child& child : ast_.children(expr)) arguments.push_back(node(child.id));

  std::vector<Candidate> candidates;
  const auto consider = [&](const Overload& overload) {
    const bool fits = overload.member == member && overload.parameters.size() == arguments.size();
    if (fits && overload.implementation != nullptr) candidates.emplace_back(overload);
  };
  if (checked_.checked) {
    for (const Overload* overload : reference.overloads) consider(*overload);
  } else {
    for (const Overload& overload : reference.function->overloads) consider(overload);
  }
  std::uint64_t argument_cost = 0;
  for (const NodePtr& argument : arguments) argument_cost += argument->constant_cost();
  if (candidates.empty()) return failure(fmt::format("no such overload: {}", expr.name));
  const std::string_view overload = candidates.size() == 1 ? candidates.front().overload().id : std::string_view();
  RuntimeCost cost = RuntimeCost::find(reference.function->name, overload);
  // Nothing is in an empty list, whatever it is.
  if (overload == "in_list" && ast_[ast_.children(expr)[1].id].kind == ExprKind::kList &&
      ast_[ast_.children(expr)[1].id].child_count == 0) {
    return std::make_unique<ConstantNode>(Value::boolean(false));
  }
  // Membership in a constant list is a look-up.
  if (overload == "in_list" && arguments[1]->constant() != nullptr) cost = RuntimeCost::free();
  auto made = std::make_unique<CallNode>(reference.function->name, std::move(candidates), std::move(arguments), cost);
  EvalContext context(arena_);
  context.set_cost_limit(kMaxFoldCost);
  const auto value = made->fold(context);
  if (!value && converts_constant(id)) bad_conversion_ = id;
  if (value) {
    // Upstream computes conversions of literals beforehand too, but charges for all other calls.
    const bool free = is_conversion(reference.function->name) && argument_cost == 0;
    return std::make_unique<ConstantNode>(*value, free ? 0 : context.cost());
  }
  return made;
}

// A conversion of a literal, or of such a conversion: what upstream computes when it makes the program.
bool Planner::converts_constant(ExprId id) const {
  const Expr& expr = ast_[id];
  if (expr.kind != ExprKind::kCall || expr.member || expr.child_count != 1) return false;
  const Function* function = checked_.references[id].function;
  if (function == nullptr || !is_conversion(function->name)) return false;
  const ExprId argument = ast_.children(expr)[0].id;
  return ast_[argument].kind == ExprKind::kLiteral || converts_constant(argument);
}

NodePtr Planner::logic(ExprId id, std::string_view function) {
  std::vector<NodePtr> terms;
  collect_terms(id, function, terms);
  return std::make_unique<LogicNode>(std::move(terms), function == operators::kOr);
}

void Planner::collect_terms(ExprId id, std::string_view function, std::vector<NodePtr>& terms) {
  const Expr& expr = ast_[id];
  if (expr.kind != ExprKind::kCall || expr.name != function || expr.child_count != 2) {
    terms.push_back(node(id));
    return;
  }
  for (const Child& child : ast_.children(expr)) collect_terms(child.id, function, terms);
}

NodePtr Planner::list(const Expr& expr) {
  std::vector<ListNode::Element> elements;
  for (const Child& child : ast_.children(expr)) elements.push_back({node(child.id), child.optional});
  auto made = std::make_unique<ListNode>(std::move(elements));
  EvalContext context(arena_);
  if (const auto value = made->fold(context)) {
    // A list of literals is free; one of computed elements is made anew each time upstream.
    const bool free = context.cost() == kListCost;
    return std::make_unique<ConstantNode>(*value, free ? 0 : context.cost());
  }
  return made;
}

NodePtr Planner::map(const Expr& expr) {
  std::vector<MapNode::Entry> entries;
  const auto children = ast_.children(expr);
  for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
    entries.push_back({node(children[i].id), node(children[i + 1].id), children[i].optional});
  }
  auto made = std::make_unique<MapNode>(std::move(entries), checked_.environment->any_map_keys());
  EvalContext context(arena_);
  if (const auto value = made->fold(context)) {
    const bool free = context.cost() == kMapCost;
    return std::make_unique<ConstantNode>(*value, free ? 0 : context.cost());
  }
  return made;
}

bool Planner::is_bind(const Comprehension& parts) const {
  const Expr& range = ast_[parts.range];
  const Expr& condition = ast_[parts.condition];
  return range.kind == ExprKind::kList && range.child_count == 0 && condition.kind == ExprKind::kLiteral &&
         condition.literal.is_false();
}

NodePtr Planner::bind(const Comprehension& parts) {
  const std::uint32_t slot = local_count_++;
  auto made = std::make_unique<BindNode>(slot, node(parts.init));
  locals_.push_back({parts.accu, slot, made.get()});
  made->set_result(node(parts.result));
  locals_.pop_back();
  return made;
}

NodePtr Planner::comprehension(const Expr& expr) {
  const Comprehension& parts = ast_.comprehension(expr);
  if (is_bind(parts)) return bind(parts);
  FoldParts fold;
  fold.range = node(parts.range);
  fold.init = node(parts.init);
  fold.two_variables = !parts.iter2.empty();
  fold.accu_slot = local_count_++;
  fold.iter_slot = local_count_++;
  if (fold.two_variables) fold.iter2_slot = local_count_++;
  locals_.push_back({parts.accu, fold.accu_slot});
  locals_.push_back({parts.iter, fold.iter_slot});
  if (fold.two_variables) locals_.push_back({parts.iter2, fold.iter2_slot});
  fold.condition = node(parts.condition);
  fold.step = step(parts, fold.accu_slot);
  locals_.resize(locals_.size() - (fold.two_variables ? 2 : 1));
  fold.result = node(parts.result);
  locals_.pop_back();
  return std::make_unique<FoldNode>(std::move(fold));
}

// The step of a loop, with accu + [element] as an append in place: nothing else can refer to the accumulator.
NodePtr Planner::step(const Comprehension& parts, std::uint32_t accu_slot) {
  const auto append = [&](ExprId id) -> NodePtr {
    const Expr& add = ast_[id];
    if (add.kind != ExprKind::kCall || add.name != operators::kAdd || parts.accu != kAccumulator) return nullptr;
    const auto operands = ast_.children(add);
    const Expr& left = ast_[operands[0].id];
    const Expr& right = ast_[operands[1].id];
    if (left.kind != ExprKind::kIdent || left.name != kAccumulator || right.kind != ExprKind::kList ||
        right.child_count != 1) {
      return nullptr;
    }
    const Child& element = ast_.children(right)[0];
    if (element.optional) return nullptr;
    return std::make_unique<AppendNode>(accu_slot, node(element.id));
  };
  if (NodePtr made = append(parts.step)) return made;
  const Expr& expr = ast_[parts.step];
  if (expr.kind == ExprKind::kCall && expr.name == operators::kConditional) {
    const auto operands = ast_.children(expr);
    if (ast_[operands[1].id].kind == ExprKind::kCall) {
      NodePtr condition = node(operands[0].id);
      NodePtr yes = append(operands[1].id);
      if (!yes) yes = node(operands[1].id);
      return std::make_unique<ConditionalNode>(std::move(condition), std::move(yes), node(operands[2].id, 0));
    }
  }
  return node(parts.step);
}

}  // namespace berth::cel
