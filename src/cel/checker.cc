#include "cel/checker.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cel/regex.h"
#include "cel/suggest.h"
#include "cel/time.h"
#include "cel/unifier.h"

namespace berth::cel {

namespace {

struct Local {
  std::string_view name;
  TypeRef type;
};

class Checker {
 public:
  explicit Checker(CheckedAst& out)
      : out_(out), ast_(out.ast), environment_(*out.environment), pool_(*out.pool), unifier_(*out.pool) {}

  std::vector<Issue> run() {
    visit(ast_.root());
    for (TypeRef& type : out_.types) {
      if (type != nullptr) type = unifier_.substitute(type, true);
    }
    if (environment_.validate_literals() && issues_.empty()) {
      for (const ExprId id : literals_) check_elements(id);
      for (const ExprId id : formats_) check_format(id);
    }
    return std::move(issues_);
  }

 private:
  static constexpr std::size_t kMaxIssues = 20;

  TypeRef fail(ExprId at, std::string message) {
    const std::uint32_t offset = ast_[at].offset;
    const bool repeated = std::ranges::any_of(
        issues_, [&](const Issue& issue) { return issue.offset == offset && issue.message == message; });
    if (!repeated && issues_.size() < kMaxIssues) {
      issues_.push_back({offset, ast_.source().position(offset), std::move(message)});
    }
    return &types::kError;
  }

  TypeRef shown(TypeRef type) { return unifier_.substitute(type, true); }

  // A node that macros use in two places means the same in both.
  TypeRef visit(ExprId id) {
    if (out_.types[id] != nullptr) return out_.types[id];
    const Expr& expr = ast_[id];
    TypeRef type = nullptr;
    switch (expr.kind) {
      case ExprKind::kLiteral:
        type = type_of(expr.literal);
        break;
      case ExprKind::kIdent:
        type = ident(id, expr);
        break;
      case ExprKind::kSelect:
        type = select(id, expr);
        break;
      case ExprKind::kCall:
        type = expr.name == operators::kOptionalSelect ? optional_select(id, expr) : call(id, expr);
        break;
      case ExprKind::kList:
        type = list(id, expr);
        break;
      case ExprKind::kMap:
        type = map(id, expr);
        break;
      case ExprKind::kStruct:
        type = structure(id, expr);
        break;
      case ExprKind::kComprehension:
        type = comprehension(expr);
        break;
    }
    out_.types[id] = type;
    return type;
  }

  [[nodiscard]] const Local* find_local(std::string_view name) const {
    const auto found = std::find_if(locals_.rbegin(), locals_.rend(), [&](const Local& l) { return l.name == name; });
    return found == locals_.rend() ? nullptr : &*found;
  }

  // A declared variable or type of that name in the container; notes it as the node's meaning.
  TypeRef declared(ExprId id, std::string_view name) {
    Reference& reference = out_.references[id];
    TypeRef type = nullptr;
    environment_.resolve(name, [&](std::string_view candidate) {
      if (const Variable* variable = environment_.find_variable(candidate); variable != nullptr) {
        reference.kind = Reference::Kind::kVariable;
        reference.variable = variable;
        type = variable->type;
      } else if (const TypeRef named = environment_.find_type(candidate); named != nullptr) {
        reference.kind = Reference::Kind::kType;
        reference.type = named;
        type = pool_.type_of(named);
      }
      return type != nullptr;
    });
    return type;
  }

  TypeRef ident(ExprId id, const Expr& expr) {
    if (const Local* local = find_local(expr.name); local != nullptr) {
      out_.references[id].kind = Reference::Kind::kLocal;
      return local->type;
    }
    if (const TypeRef type = declared(id, expr.name); type != nullptr) return type;
    return fail(id, fmt::format("undeclared reference to '{}' (in container '{}'){}", expr.name,
                                environment_.container(), suggestion(expr.name, environment_.names())));
  }

  // The variable or type that a.b.c is as a whole, unless a is a variable of a loop.
  TypeRef qualified(ExprId id) {
    ExprId first = id;
    while (ast_[first].kind == ExprKind::kSelect && !ast_[first].test_only) first = ast_[first].operand;
    if (ast_[first].kind != ExprKind::kIdent || find_local(ast_[first].name) != nullptr) return nullptr;
    if (!environment_.may_qualify(ast_[first].name)) return nullptr;
    return declared(id, ast_.qualified_name(id));
  }

  TypeRef select(ExprId id, const Expr& expr) {
    if (!expr.test_only) {
      if (const TypeRef whole = qualified(id); whole != nullptr) return whole;
    }
    const TypeRef operand = visit(expr.operand);
    const TypeRef field = select_field(id, operand, expr.name, false);
    return expr.test_only && field->kind != TypeKind::kError ? &types::kBool : field;
  }

  TypeRef optional_select(ExprId id, const Expr& expr) {
    const auto children = ast_.children(expr);
    const TypeRef operand = visit(children[0].id);
    out_.types[children[1].id] = &types::kString;
    out_.references[id].kind = Reference::Kind::kFunction;
    return select_field(id, operand, ast_[children[1].id].literal.as_text(), true);
  }

  TypeRef select_field(ExprId id, TypeRef operand, std::string_view field, bool optional) {
    TypeRef target = unifier_.substitute(operand, false);
    if (is_optional(target)) {
      optional = true;
      target = unifier_.substitute(target->parameters.front(), false);
    }
    TypeRef type = nullptr;
    switch (target->kind) {
      case TypeKind::kMap:
        type = target->parameters[1];
        break;
      case TypeKind::kStruct:
        type = struct_field(id, target, field);
        break;
      case TypeKind::kParameter:
        // Nothing is known yet; what is learnt later must not contradict the selection.
        unifier_.assignable(&types::kDyn, target);
        type = &types::kDyn;
        break;
      case TypeKind::kDyn:
      case TypeKind::kAny:
      case TypeKind::kError:
        type = &types::kDyn;
        break;
      default:
        return fail(id, fmt::format("type '{}' does not support field selection", to_string(shown(target))));
    }
    return optional && type->kind != TypeKind::kError ? pool_.optional(type) : type;
  }

  TypeRef struct_field(ExprId id, TypeRef type, std::string_view name) {
    const StructType* structure = environment_.find_struct(type->name);
    std::vector<std::string_view> names;
    if (structure != nullptr) {
      for (const Field& field : structure->fields) {
        if (field.name == name) return field.type;
        names.push_back(field.name);
      }
    }
    return fail(id, fmt::format("undefined field '{}'{}", name, suggestion(name, names)));
  }

  TypeRef join(ExprId at, TypeRef so_far, TypeRef next) {
    if (so_far == nullptr) return next;
    if (unifier_.assignable(so_far, next)) return Unifier::most_general(so_far, next);
    if (!environment_.homogeneous_literals() || mixed_literals_) return &types::kDyn;
    fail(at, fmt::format("expected type '{}' but found '{}'", to_string(shown(so_far)), to_string(shown(next))));
    return so_far;
  }

  // The type of an element; of an optional one what it holds.
  TypeRef element(const Child& child) {
    const TypeRef type = visit(child.id);
    if (!child.optional) return type;
    const TypeRef known = unifier_.substitute(type, false);
    if (is_optional(known)) return known->parameters.front();
    if (is_dyn_or_error(known)) return &types::kDyn;
    return fail(child.id, fmt::format("expected type 'optional_type(dyn)' but found '{}'", to_string(shown(known))));
  }

  // Each clause of "%s has %d".format([a, b]) has an argument of a type that it can write, and each argument a clause.
  void check_format(ExprId id) {
    const Expr& expr = ast_[id];
    const ExprId list = ast_.children(expr)[0].id;
    const auto arguments = ast_.children(ast_[list]);
    std::string_view format = ast_[expr.operand].literal.as_text();
    std::size_t used = 0;
    for (std::size_t at = format.find('%'); at != std::string_view::npos; at = format.find('%')) {
      format.remove_prefix(at + 1);
      if (format.starts_with('%')) {
        format.remove_prefix(1);
        continue;
      }
      if (format.starts_with('.')) {
        const std::size_t end = std::min(format.size(), format.find_first_not_of("0123456789", 1));
        format.remove_prefix(end);
        if (end == 1) {
          fail(list, "a precision in the format string is no number");
          return;
        }
      }
      if (format.empty()) {
        fail(list, "the format string ends within a clause");
        return;
      }
      if (used == arguments.size()) {
        fail(list, fmt::format("the format string asks for more than {} arguments", used));
        return;
      }
      const ExprId argument = arguments[used++].id;
      const ExprId wrong = unformattable(format.front(), argument);
      if (wrong != kNoExpr) {
        fail(wrong, fmt::format("the clause %{} cannot write {}", format.front(), to_string(out_.types[wrong])));
        return;
      }
      format.remove_prefix(1);
    }
    if (used < arguments.size()) {
      fail(arguments[used].id, fmt::format("the format string asks for {} arguments only", used));
    }
  }

  // The argument, or the part of it, whose type the clause does not write; kNoExpr: none.
  [[nodiscard]] ExprId unformattable(char verb, ExprId id) const {
    const TypeKind kind = out_.types[id]->kind;
    if (kind == TypeKind::kDyn) return kNoExpr;
    const auto is_one_of = [&](std::initializer_list<TypeKind> kinds) {
      return std::ranges::find(kinds, kind) != kinds.end() ? kNoExpr : id;
    };
    switch (verb) {
      case 'd':
      case 'o':
        return is_one_of({TypeKind::kInt, TypeKind::kUint});
      case 'f':
      case 'e':
        return is_one_of({TypeKind::kDouble, TypeKind::kString});
      case 'b':
        return is_one_of({TypeKind::kInt, TypeKind::kUint, TypeKind::kBool});
      case 'x':
      case 'X':
        return is_one_of({TypeKind::kInt, TypeKind::kUint, TypeKind::kString, TypeKind::kBytes});
      case 's':
        break;
      default:
        return id;
    }
    const Expr& expr = ast_[id];
    if (expr.kind == ExprKind::kList || expr.kind == ExprKind::kMap) {
      for (const Child& child : ast_.children(expr)) {
        if (const ExprId wrong = unformattable(verb, child.id); wrong != kNoExpr) return wrong;
      }
      return kNoExpr;
    }
    return is_one_of({TypeKind::kList, TypeKind::kMap, TypeKind::kInt, TypeKind::kUint, TypeKind::kDouble,
                      TypeKind::kBool, TypeKind::kString, TypeKind::kTimestamp, TypeKind::kBytes, TypeKind::kDuration,
                      TypeKind::kType, TypeKind::kNull});
  }

  // Elements, keys and values of a literal have one type each, and none is dyn beside another.
  void check_elements(ExprId id) {
    const Expr& expr = ast_[id];
    const std::size_t step = expr.kind == ExprKind::kMap ? 2 : 1;
    const auto children = ast_.children(expr);
    for (std::size_t i = step; i < children.size(); ++i) {
      const TypeRef first = element_type(children[i % step]);
      const TypeRef other = element_type(children[i]);
      if (same_type(first, other)) continue;
      fail(children[i].id, fmt::format("expected type '{}' but found '{}'", to_string(first), to_string(other)));
      return;
    }
  }
  [[nodiscard]] TypeRef element_type(const Child& child) const {
    const TypeRef type = out_.types[child.id];
    return child.optional && is_optional(type) ? type->parameters.front() : type;
  }

  TypeRef list(ExprId id, const Expr& expr) {
    if (!mixed_literals_) literals_.push_back(id);
    TypeRef joined = nullptr;
    for (const Child& child : ast_.children(expr)) joined = join(child.id, joined, element(child));
    return pool_.list(joined == nullptr ? unifier_.fresh() : joined);
  }

  TypeRef map(ExprId id, const Expr& expr) {
    if (!mixed_literals_) literals_.push_back(id);
    TypeRef keys = nullptr;
    TypeRef values = nullptr;
    const auto children = ast_.children(expr);
    for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
      keys = join(children[i].id, keys, visit(children[i].id));
      values = join(children[i + 1].id, values, element(children[i + 1]));
    }
    return keys == nullptr ? pool_.map(unifier_.fresh(), unifier_.fresh()) : pool_.map(keys, values);
  }

  TypeRef structure(ExprId id, const Expr& expr) {
    TypeRef type = nullptr;
    environment_.resolve(expr.name, [&](std::string_view candidate) {
      type = environment_.find_type(candidate);
      return type != nullptr;
    });
    for (const Child& child : ast_.children(expr)) {
      const TypeRef value = element(child);
      if (type == nullptr || type->kind != TypeKind::kStruct) continue;
      const TypeRef wanted = struct_field(id, type, child.name);
      if (!unifier_.assignable(value, wanted)) {
        fail(child.id, fmt::format("expected type of field '{}' is '{}' but provided type is '{}'", child.name,
                                   to_string(wanted), to_string(shown(value))));
      }
    }
    if (type == nullptr || type->kind != TypeKind::kStruct) {
      return fail(id, fmt::format("'{}' is not a message type that can be made here", expr.name));
    }
    out_.references[id].kind = Reference::Kind::kType;
    out_.references[id].type = type;
    return type;
  }

  struct Iteration {
    TypeRef first;
    TypeRef second;
  };
  Iteration iteration(ExprId range, bool two) {
    const TypeRef type = unifier_.substitute(out_.types[range], false);
    switch (type->kind) {
      case TypeKind::kList:
        return two ? Iteration{&types::kInt, type->parameters[0]} : Iteration{type->parameters[0], nullptr};
      case TypeKind::kMap:
        return {type->parameters[0], type->parameters[1]};
      case TypeKind::kDyn:
      case TypeKind::kError:
      case TypeKind::kParameter:
        unifier_.assignable(&types::kDyn, type);
        return {&types::kDyn, &types::kDyn};
      default:
        fail(range,
             fmt::format("expression of type '{}' cannot be range of a comprehension (must be list, map, or dynamic)",
                         to_string(shown(type))));
        return {&types::kError, &types::kError};
    }
  }

  TypeRef comprehension(const Expr& expr) {
    const Comprehension& parts = ast_.comprehension(expr);
    visit(parts.range);
    const bool two = !parts.iter2.empty();
    const Iteration types = iteration(parts.range, two);
    const TypeRef accu = visit(parts.init);
    locals_.push_back({parts.accu, accu});
    locals_.push_back({parts.iter, types.first});
    if (two) locals_.push_back({parts.iter2, types.second});
    visit(parts.condition);
    expect(parts.condition, &types::kBool);
    visit(parts.step);
    expect(parts.step, accu);
    locals_.resize(locals_.size() - (two ? 2 : 1));
    const TypeRef result = visit(parts.result);
    locals_.pop_back();
    return unifier_.substitute(result, false);
  }

  void expect(ExprId id, TypeRef wanted) {
    const TypeRef found = out_.types[id];
    if (unifier_.assignable(wanted, found)) return;
    fail(id, fmt::format("expected type '{}' but found '{}'", to_string(shown(wanted)), to_string(shown(found))));
  }

  TypeRef call(ExprId id, const Expr& expr) {
    std::vector<TypeRef> arguments;
    arguments.reserve(expr.child_count + 1);
    const Function* function = nullptr;
    Reference& reference = out_.references[id];
    reference = {};
    if (!expr.member) {
      environment_.resolve(expr.name, [&](std::string_view name) {
        function = environment_.find_function(name);
        return function != nullptr;
      });
    } else {
      function = namespaced_function(expr);
      if (function != nullptr) {
        reference.namespaced = true;
      } else {
        arguments.push_back(visit(expr.operand));
        function = environment_.find_function(expr.name);
      }
    }
    const bool mixed = std::exchange(mixed_literals_, mixed_literals_ || (expr.member && expr.name == "format"));
    for (const Child& child : ast_.children(expr)) arguments.push_back(visit(child.id));
    mixed_literals_ = mixed;
    if (environment_.validate_literals()) validate_literals(id, expr);
    if (function == nullptr) {
      return fail(id, fmt::format("undeclared reference to '{}' (in container '{}'){}", expr.name,
                                  environment_.container(), suggestion(expr.name, environment_.names())));
    }
    reference.kind = Reference::Kind::kFunction;
    reference.function = function;
    return overload(id, expr, arguments);
  }

  void validate_literals(ExprId id, const Expr& expr) {
    const auto children = ast_.children(expr);
    if (expr.name == "format" && expr.member && children.size() == 1 && ast_[children[0].id].kind == ExprKind::kList &&
        ast_[expr.operand].kind == ExprKind::kLiteral && ast_[expr.operand].literal.is(Kind::kString)) {
      formats_.push_back(id);
    }
    const bool pattern = expr.name == "matches" || expr.name == "find" || expr.name == "findAll";
    const std::size_t index = expr.name == "matches" && !expr.member ? 1 : 0;
    if (children.size() <= index) return;
    const Expr& argument = ast_[children[index].id];
    if (argument.kind != ExprKind::kLiteral || !argument.literal.is(Kind::kString)) return;
    const std::string_view text = argument.literal.as_text();
    const bool valid = pattern                    ? compile_pattern(text) != nullptr
                       : expr.name == "duration"  ? parse_duration(text).has_value()
                       : expr.name == "timestamp" ? parse_timestamp(text).has_value()
                                                  : true;
    if (!valid) fail(children[index].id, fmt::format("invalid {} argument", expr.name));
  }

  // `strings.quote(x)`: a global function whose name has a dot.
  const Function* namespaced_function(const Expr& expr) {
    ExprId first = expr.operand;
    while (ast_[first].kind == ExprKind::kSelect && !ast_[first].test_only) first = ast_[first].operand;
    if (ast_[first].kind != ExprKind::kIdent || find_local(ast_[first].name) != nullptr) return nullptr;
    if (!environment_.may_qualify(ast_[first].name)) return nullptr;
    const std::string target = ast_.qualified_name(expr.operand);
    const Function* function = nullptr;
    environment_.resolve(target + "." + std::string(expr.name), [&](std::string_view name) {
      function = environment_.find_function(name);
      return function != nullptr;
    });
    return function;
  }

  TypeRef overload(ExprId id, const Expr& expr, std::span<const TypeRef> arguments) {
    Reference& reference = out_.references[id];
    const bool member = expr.member && !reference.namespaced;
    TypeRef result = nullptr;
    for (const Overload& candidate : reference.function->overloads) {
      if (candidate.member != member || candidate.parameters.size() != arguments.size()) continue;
      TypeRef type = candidate.result;
      if (!candidate.generic) {
        if (!unifier_.assignable(arguments, candidate.parameters)) continue;
      } else {
        instances_.clear();
        std::vector<TypeRef> parameters;
        for (const TypeRef parameter : candidate.parameters) parameters.push_back(instantiate(parameter));
        if (!unifier_.assignable(arguments, parameters)) continue;
        type = unifier_.substitute(instantiate(type), false);
      }
      reference.overloads.push_back(&candidate);
      if (result == nullptr) {
        result = type;
      } else if (!is_dyn(result) && !same_type(result, type)) {
        result = &types::kDyn;
      }
    }
    if (result != nullptr) return result;
    return fail(id, fmt::format("found no matching overload for '{}' applied to '{}'", expr.name,
                                signature(arguments, member)));
  }

  std::string signature(std::span<const TypeRef> arguments, bool member) {
    std::string out;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (member && i == 0) {
        out = to_string(shown(arguments[0])) + ".(";
        continue;
      }
      if (out.empty()) out = "(";
      if (!out.ends_with('(')) out += ", ";
      out += to_string(shown(arguments[i]));
    }
    return (out.empty() ? "(" : out) + ")";
  }

  // The overload's type with its parameters replaced by variables of this call.
  TypeRef instantiate(TypeRef type) {
    if (type->kind == TypeKind::kParameter) {
      for (const auto& [name, variable] : instances_) {
        if (name == type->name) return variable;
      }
      return instances_.emplace_back(type->name, unifier_.fresh()).second;
    }
    if (type->parameters.empty()) return type;
    Type copy{type->kind, type->name, {}, type->max_size};
    for (const TypeRef parameter : type->parameters) copy.parameters.push_back(instantiate(parameter));
    return pool_.make(std::move(copy));
  }

  CheckedAst& out_;
  const Ast& ast_;
  const Environment& environment_;
  TypePool& pool_;
  Unifier unifier_;
  std::vector<Local> locals_;
  std::vector<std::pair<std::string_view, TypeRef>> instances_;
  std::vector<Issue> issues_;
  std::vector<ExprId> literals_;  // lists and maps of one type
  std::vector<ExprId> formats_;   // calls of format() on a literal with a literal list
  bool mixed_literals_ = false;   // inside the arguments of format()
};

CheckedAst prepare(Ast ast, std::shared_ptr<const Environment> environment) {
  const std::size_t size = ast.size();
  CheckedAst out{std::move(ast), std::move(environment), std::make_unique<TypePool>(), {}, {}, true};
  out.types.resize(size, nullptr);
  out.references.resize(size);
  return out;
}

}  // namespace

std::expected<CheckedAst, CompileFailure> check(Ast ast, std::shared_ptr<const Environment> environment) {
  CheckedAst out = prepare(std::move(ast), std::move(environment));
  std::vector<Issue> issues = Checker(out).run();
  if (!issues.empty()) return std::unexpected(CompileFailure{out.ast.source(), std::move(issues)});
  return out;
}

CheckedAst leave_unchecked(Ast ast, std::shared_ptr<const Environment> environment) {
  CheckedAst out = prepare(std::move(ast), std::move(environment));
  // Checking finds the meaning of names as far as it comes; what it complains about is left to the evaluation.
  (void)Checker(out).run();
  out.checked = false;
  for (TypeRef& type : out.types) type = &types::kDyn;
  for (Reference& reference : out.references) reference.overloads.clear();
  return out;
}

std::expected<CheckedAst, CompileFailure> compile(std::string_view text,
                                                  std::shared_ptr<const Environment> environment) {
  auto ast = parse(text, environment->parse_options());
  if (!ast) return std::unexpected(std::move(ast).error());
  return check(*std::move(ast), std::move(environment));
}

}  // namespace berth::cel
