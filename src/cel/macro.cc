#include "cel/macro.h"

#include <array>

namespace berth::cel {

namespace {

enum class Quantifier : std::uint8_t { kAll, kExists, kExistsOne };

// accu is combined with the predicate at each element; && and || stop the loop as soon as they cannot change.
ExprId quantifier(const MacroCall& call, Quantifier kind, std::string_view iter, std::string_view iter2,
                  ExprId predicate) {
  Ast& ast = call.ast;
  const std::uint32_t at = call.offset;
  const auto accu = [&] { return ast.ident(kAccumulator, at); };
  Comprehension parts;
  parts.range = call.target;
  parts.iter = iter;
  parts.iter2 = iter2;
  parts.accu = kAccumulator;
  switch (kind) {
    case Quantifier::kAll:
      parts.init = ast.literal(Value::boolean(true), at);
      parts.condition = ast.call(operators::kNotStrictlyFalse, {accu()}, at);
      parts.step = ast.call(operators::kAnd, {accu(), predicate}, at);
      parts.result = accu();
      break;
    case Quantifier::kExists:
      parts.init = ast.literal(Value::boolean(false), at);
      parts.condition = ast.call(operators::kNotStrictlyFalse, {ast.call(operators::kNot, {accu()}, at)}, at);
      parts.step = ast.call(operators::kOr, {accu(), predicate}, at);
      parts.result = accu();
      break;
    case Quantifier::kExistsOne: {
      parts.init = ast.literal(Value::integer(0), at);
      parts.condition = ast.literal(Value::boolean(true), at);
      const ExprId one = ast.literal(Value::integer(1), at);
      parts.step =
          ast.call(operators::kConditional, {predicate, ast.call(operators::kAdd, {accu(), one}, at), accu()}, at);
      parts.result = ast.call(operators::kEqual, {accu(), ast.literal(Value::integer(1), at)}, at);
      break;
    }
  }
  return ast.comprehension(parts, at);
}

template <Quantifier kind>
ExprId expand_quantifier(const MacroCall& call) {
  const std::string_view iter = call.variable(0);
  return iter.empty() ? kNoExpr : quantifier(call, kind, iter, {}, call.arguments[1]);
}

template <Quantifier kind>
ExprId expand_quantifier_two(const MacroCall& call) {
  const std::string_view key = call.variable(0);
  if (key.empty()) return kNoExpr;
  const std::string_view value = call.variable(1);
  if (value.empty()) return kNoExpr;
  if (key == value) return call.fail(call.arguments[1], "duplicate variable name: " + std::string(value));
  return quantifier(call, kind, key, value, call.arguments[2]);
}

// A loop that collects: accu starts as `init`, gains `add` at each element that passes `filter` (kNoExpr: all).
ExprId collector(const MacroCall& call, std::string_view iter, std::string_view iter2, ExprId init, ExprId filter,
                 ExprId add) {
  Ast& ast = call.ast;
  const std::uint32_t at = call.offset;
  Comprehension parts;
  parts.range = call.target;
  parts.iter = iter;
  parts.iter2 = iter2;
  parts.accu = kAccumulator;
  parts.init = init;
  parts.condition = ast.literal(Value::boolean(true), at);
  parts.step =
      filter == kNoExpr ? add : ast.call(operators::kConditional, {filter, add, ast.ident(kAccumulator, at)}, at);
  parts.result = ast.ident(kAccumulator, at);
  return ast.comprehension(parts, at);
}

ExprId append_to_accu(const MacroCall& call, ExprId element) {
  Ast& ast = call.ast;
  return ast.call(operators::kAdd, {ast.ident(kAccumulator, call.offset), ast.list({element}, call.offset)},
                  call.offset);
}

ExprId expand_filter(const MacroCall& call) {
  const std::string_view iter = call.variable(0);
  if (iter.empty()) return kNoExpr;
  return collector(call, iter, {}, call.ast.list({}, call.offset), call.arguments[1],
                   append_to_accu(call, call.arguments[0]));
}

struct KeyAndValue {
  std::string_view key;
  std::string_view value;
};

std::optional<KeyAndValue> two_variables(const MacroCall& call) {
  const KeyAndValue names{call.variable(0), call.issue->message.empty() ? call.variable(1) : std::string_view()};
  if (names.key.empty() || names.value.empty()) return std::nullopt;
  if (names.key == names.value) {
    call.fail(call.arguments[1], "duplicate variable name: " + std::string(names.value));
    return std::nullopt;
  }
  return names;
}

ExprId expand_transform_list(const MacroCall& call) {
  const auto names = two_variables(call);
  if (!names) return kNoExpr;
  const bool filtered = call.arguments.size() == 4;
  return collector(call, names->key, names->value, call.ast.list({}, call.offset),
                   filtered ? call.arguments[2] : kNoExpr, append_to_accu(call, call.arguments.back()));
}

ExprId expand_transform_map(const MacroCall& call) {
  const auto names = two_variables(call);
  if (!names) return kNoExpr;
  Ast& ast = call.ast;
  const bool filtered = call.arguments.size() == 4;
  const ExprId insert = ast.call(
      "cel.@mapInsert",
      {ast.ident(kAccumulator, call.offset), ast.ident(names->key, call.offset), call.arguments.back()}, call.offset);
  return collector(call, names->key, names->value, ast.map({}, call.offset), filtered ? call.arguments[2] : kNoExpr,
                   insert);
}

ExprId expand_transform_map_entry(const MacroCall& call) {
  const auto names = two_variables(call);
  if (!names) return kNoExpr;
  Ast& ast = call.ast;
  const bool filtered = call.arguments.size() == 4;
  const ExprId insert =
      ast.call("cel.@mapInsert", {ast.ident(kAccumulator, call.offset), call.arguments.back()}, call.offset);
  return collector(call, names->key, names->value, ast.map({}, call.offset), filtered ? call.arguments[2] : kNoExpr,
                   insert);
}

ExprId expand_has(const MacroCall& call) {
  const Expr& argument = call.ast[call.arguments[0]];
  if (argument.kind != ExprKind::kSelect || argument.test_only) {
    return call.fail(call.arguments[0], "invalid argument to has() macro: it takes a field selection such as a.b");
  }
  return call.ast.select(argument.operand, argument.name, call.offset, true);
}

ExprId expand_bind(const MacroCall& call) {
  const Expr& target = call.ast[call.target];
  if (target.kind != ExprKind::kIdent || target.name != "cel") return kNoExpr;
  const std::string_view variable = call.variable(0);
  if (variable.empty()) return kNoExpr;
  return make_bind(call.ast, variable, call.arguments[1], call.arguments[2], call.offset);
}

// target.hasValue() ? <mapped> : optional.none(), with the variable bound to target.value() in <mapped>.
template <bool flat>
ExprId expand_optional_map(const MacroCall& call) {
  const std::string_view variable = call.variable(0);
  if (variable.empty()) return kNoExpr;
  Ast& ast = call.ast;
  const std::uint32_t at = call.offset;
  ExprId mapped = make_bind(ast, variable, ast.member_call("value", call.target, {}, at), call.arguments[1], at);
  if constexpr (!flat) mapped = ast.call("optional.of", {mapped}, at);
  return ast.call(operators::kConditional,
                  {ast.member_call("hasValue", call.target, {}, at), mapped, ast.call("optional.none", {}, at)}, at);
}

constexpr std::array kStandard = {
    Macro{"has", false, 1, expand_has},
    Macro{"all", true, 2, expand_quantifier<Quantifier::kAll>},
    Macro{"exists", true, 2, expand_quantifier<Quantifier::kExists>},
    Macro{"exists_one", true, 2, expand_quantifier<Quantifier::kExistsOne>},
    Macro{"map", true, 2, expand_map},
    Macro{"map", true, 3, expand_map},
    Macro{"filter", true, 2, expand_filter},
};
constexpr std::array kTwoVariable = {
    Macro{"all", true, 3, expand_quantifier_two<Quantifier::kAll>},
    Macro{"exists", true, 3, expand_quantifier_two<Quantifier::kExists>},
    Macro{"exists_one", true, 3, expand_quantifier_two<Quantifier::kExistsOne>},
    Macro{"existsOne", true, 3, expand_quantifier_two<Quantifier::kExistsOne>},
    Macro{"transformList", true, 3, expand_transform_list},
    Macro{"transformList", true, 4, expand_transform_list},
    Macro{"transformMap", true, 3, expand_transform_map},
    Macro{"transformMap", true, 4, expand_transform_map},
    Macro{"transformMapEntry", true, 3, expand_transform_map_entry},
    Macro{"transformMapEntry", true, 4, expand_transform_map_entry},
};
constexpr std::array kOptional = {
    Macro{"optMap", true, 2, expand_optional_map<false>},
    Macro{"optFlatMap", true, 2, expand_optional_map<true>},
};
constexpr std::array kBinding = {Macro{"bind", true, 3, expand_bind}};

}  // namespace

ExprId expand_map(const MacroCall& call) {
  const std::string_view iter = call.variable(0);
  if (iter.empty()) return kNoExpr;
  const bool filtered = call.arguments.size() == 3;
  return collector(call, iter, {}, call.ast.list({}, call.offset), filtered ? call.arguments[1] : kNoExpr,
                   append_to_accu(call, call.arguments.back()));
}

ExprId make_bind(Ast& ast, std::string_view variable, ExprId init, ExprId result, std::uint32_t offset) {
  Comprehension parts;
  parts.range = ast.list({}, offset);
  parts.iter = kUnusedIterator;
  parts.accu = variable;
  parts.init = init;
  parts.condition = ast.literal(Value::boolean(false), offset);
  parts.step = ast.ident(variable, offset);
  parts.result = result;
  return ast.comprehension(parts, offset);
}

ExprId MacroCall::fail(ExprId at, std::string message) const {
  if (issue->message.empty()) *issue = {ast[at].offset, {}, std::move(message)};
  return kNoExpr;
}

std::string_view MacroCall::variable(std::size_t argument) const {
  const Expr& expr = ast[arguments[argument]];
  if (expr.kind != ExprKind::kIdent || expr.name.starts_with('.')) {
    fail(arguments[argument], "argument must be a simple name");
    return {};
  }
  if (expr.name == "__result__") {
    fail(arguments[argument], "iteration variable overwrites accumulator variable");
    return {};
  }
  return expr.name;
}

std::span<const Macro> standard_macros() { return kStandard; }
std::span<const Macro> two_variable_macros() { return kTwoVariable; }
std::span<const Macro> optional_macros() { return kOptional; }
std::span<const Macro> binding_macros() { return kBinding; }

}  // namespace berth::cel
