#include "cel/parser.h"

#include <fmt/format.h>
#include <boost/container/small_vector.hpp>

#include "cel/lexer.h"
#include "cel/literal.h"

namespace berth::cel {

namespace {

using Exprs = boost::container::small_vector<ExprId, 8>;
using Children = boost::container::small_vector<Child, 8>;

struct BinaryOperator {
  int precedence = 0;  // 0: not a binary operator
  std::string_view function;
};

constexpr int kOrPrecedence = 1;
constexpr int kAndPrecedence = 2;

BinaryOperator binary_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::kOr:
      return {kOrPrecedence, operators::kOr};
    case TokenKind::kAnd:
      return {kAndPrecedence, operators::kAnd};
    case TokenKind::kEqual:
      return {3, operators::kEqual};
    case TokenKind::kNotEqual:
      return {3, operators::kNotEqual};
    case TokenKind::kLess:
      return {3, operators::kLess};
    case TokenKind::kLessEqual:
      return {3, operators::kLessEqual};
    case TokenKind::kGreater:
      return {3, operators::kGreater};
    case TokenKind::kGreaterEqual:
      return {3, operators::kGreaterEqual};
    case TokenKind::kIn:
      return {3, operators::kIn};
    case TokenKind::kPlus:
      return {4, operators::kAdd};
    case TokenKind::kMinus:
      return {4, operators::kSubtract};
    case TokenKind::kStar:
      return {5, operators::kMultiply};
    case TokenKind::kSlash:
      return {5, operators::kDivide};
    case TokenKind::kPercent:
      return {5, operators::kModulo};
    default:
      return {};
  }
}

// Recursive descent for what nests, precedence climbing for binary operators. The first error wins: every function
// returns kNoExpr after it, and the token stream ends, so that nothing is parsed any more.
class Parser {
 public:
  Parser(Ast& ast, const ParseOptions& options) : ast_(ast), options_(options), lexer_(ast.source().text()) {
    advance();
  }

  ExprId run() {
    const ExprId root = expression();
    if (token_.kind != TokenKind::kEnd) unexpected("the end of the expression");
    if (lexer_.failure()) fail(lexer_.failure()->offset, lexer_.failure()->message);
    if (!issue_ && ast_.too_large()) {
      fail(0, fmt::format("the expression is too large after macro expansion: more than {} nodes, or more than {} deep",
                          Ast::kMaxWeight, Ast::kMaxDepth));
    }
    return issue_ ? kNoExpr : root;
  }

  [[nodiscard]] const std::optional<Issue>& issue() const { return issue_; }

 private:
  void advance() { token_ = lexer_.next(); }
  bool accept(TokenKind kind) {
    if (token_.kind != kind) return false;
    advance();
    return true;
  }
  bool expect(TokenKind kind, std::string_view what) {
    if (accept(kind)) return true;
    unexpected(what);
    return false;
  }

  ExprId fail(std::uint32_t offset, std::string message) {
    if (!issue_) issue_ = Issue{offset, ast_.source().position(offset), std::move(message)};
    token_ = {TokenKind::kEnd, token_.offset, {}};
    return kNoExpr;
  }
  ExprId unexpected(std::string_view wanted) {
    if (lexer_.failure()) return fail(lexer_.failure()->offset, lexer_.failure()->message);
    if (token_.kind == TokenKind::kEnd) {
      return fail(token_.offset, fmt::format("Syntax error: the expression ends where {} is expected", wanted));
    }
    return fail(token_.offset, fmt::format("Syntax error: found '{}' where {} is expected", token_.text, wanted));
  }

  // or ['?' or ':' expression]
  ExprId expression() {
    if (++nesting_ > options_.max_nesting) {
      return fail(token_.offset,
                  fmt::format("the expression is nested too deeply: at most {} levels", options_.max_nesting));
    }
    ExprId result = binary(kOrPrecedence);
    const std::uint32_t offset = token_.offset;
    if (!issue_ && accept(TokenKind::kQuestion)) {
      const ExprId yes = binary(kOrPrecedence);
      if (issue_ || !expect(TokenKind::kColon, "':' of a conditional")) return kNoExpr;
      const ExprId no = expression();
      if (issue_) return kNoExpr;
      result = ast_.call(operators::kConditional, {result, yes, no}, offset);
    }
    --nesting_;
    return result;
  }

  // Operators of at least the given precedence, to the left.
  ExprId binary(int least) {
    if (least == kOrPrecedence || least == kAndPrecedence) return logical(least);
    ExprId left = unary();
    int levels = nesting_;  // each arithmetic operator of a chain is one, as it is upstream
    while (!issue_) {
      const BinaryOperator found = binary_operator(token_.kind);
      if (found.precedence < least) break;
      if (found.precedence > 3 && ++levels > options_.max_nesting) {
        return fail(token_.offset, fmt::format("the expression has too many operators in a row: at most {} levels",
                                               options_.max_nesting));
      }
      const std::uint32_t offset = token_.offset;
      advance();
      const ExprId right = binary(found.precedence + 1);
      if (issue_) return kNoExpr;
      left = ast_.call(found.function, {left, right}, offset);
    }
    return left;
  }

  // Chains of && and || become balanced trees, so that long ones are not deep; both are associative.
  ExprId logical(int precedence) {
    Exprs terms{binary(precedence + 1)};
    boost::container::small_vector<std::uint32_t, 8> offsets;
    while (!issue_ && binary_operator(token_.kind).precedence == precedence) {
      offsets.push_back(token_.offset);
      advance();
      terms.push_back(binary(precedence + 1));
    }
    if (issue_) return kNoExpr;
    return balance(precedence == kOrPrecedence ? operators::kOr : operators::kAnd, terms, offsets);
  }
  ExprId balance(std::string_view function, std::span<const ExprId> terms, std::span<const std::uint32_t> offsets) {
    if (terms.size() == 1) return terms[0];
    const std::size_t middle = (terms.size() - 1) / 2;
    const ExprId left = balance(function, terms.first(middle + 1), offsets.first(middle));
    const ExprId right = balance(function, terms.subspan(middle + 1), offsets.subspan(middle + 1));
    return ast_.call(function, {left, right}, offsets[middle]);
  }

  ExprId unary() {
    const Token first = token_;
    if (first.kind == TokenKind::kNot) {
      bool odd = false;
      while (accept(TokenKind::kNot)) odd = !odd;
      const ExprId operand = member();
      return issue_ || !odd ? operand : ast_.call(operators::kNot, {operand}, first.offset);
    }
    if (first.kind != TokenKind::kMinus) return member();
    int signs = 0;
    while (accept(TokenKind::kMinus)) ++signs;
    const bool odd = signs % 2 != 0;
    if (signs == 1 && (token_.kind == TokenKind::kInt || token_.kind == TokenKind::kDouble)) {
      return postfix(number(true, first.offset));
    }
    const ExprId operand = member();
    return issue_ || !odd ? operand : ast_.call(operators::kNegate, {operand}, first.offset);
  }

  ExprId member() { return postfix(primary()); }

  ExprId postfix(ExprId expr) {
    while (!issue_) {
      const std::uint32_t offset = token_.offset;
      if (accept(TokenKind::kDot)) {
        expr = selection(expr, offset);
      } else if (accept(TokenKind::kLeftBracket)) {
        const bool optional = optional_mark();
        const ExprId index = expression();
        if (issue_ || !expect(TokenKind::kRightBracket, "']' of an index")) return kNoExpr;
        expr = ast_.call(optional ? operators::kOptionalIndex : operators::kIndex, {expr, index}, offset);
      } else if (token_.kind == TokenKind::kLeftBrace) {
        const std::string name = ast_.qualified_name(expr);
        if (name.empty()) return expr;
        advance();
        expr = message(ast_.keep(name), offset);
      } else {
        return expr;
      }
    }
    return kNoExpr;
  }

  bool optional_mark() {
    const std::uint32_t offset = token_.offset;
    if (!accept(TokenKind::kQuestion)) return false;
    if (!options_.optional_syntax) fail(offset, "unsupported syntax '?'");
    return true;
  }

  // What follows a dot.
  ExprId selection(ExprId operand, std::uint32_t offset) {
    const bool optional = optional_mark();
    if (issue_) return kNoExpr;
    const Token name = token_;
    if (name.kind == TokenKind::kEscapedIdentifier || name.kind == TokenKind::kReserved ||
        name.kind == TokenKind::kIdentifier) {
      advance();
    } else {
      return unexpected("a field name");
    }
    if (optional) {
      return ast_.call(operators::kOptionalSelect, {operand, ast_.string_literal(name.text, name.offset)}, offset);
    }
    const std::uint32_t call_offset = token_.offset;
    if (name.kind != TokenKind::kEscapedIdentifier && accept(TokenKind::kLeftParen)) {
      return finish_call(name.text, operand, call_offset);
    }
    return ast_.select(operand, name.text, offset);
  }

  // After the opening parenthesis.
  ExprId finish_call(std::string_view name, ExprId target, std::uint32_t offset) {
    Exprs arguments;
    if (token_.kind != TokenKind::kRightParen) {
      do {
        arguments.push_back(expression());
        if (issue_) return kNoExpr;
      } while (accept(TokenKind::kComma));
    }
    if (!expect(TokenKind::kRightParen, "')' of a call")) return kNoExpr;
    Issue issue;
    const MacroCall call{ast_, target, arguments, offset, &issue};
    for (const Macro& macro : options_.macros) {
      if (macro.name != name || macro.receiver != (target != kNoExpr) || macro.arguments != arguments.size()) continue;
      const ExprId expanded = macro.expand(call);
      if (!issue.message.empty()) return fail(issue.offset, issue.message);
      if (expanded != kNoExpr) return expanded;
    }
    return ast_.member_call(name, target, arguments, offset);
  }

  ExprId primary() {
    const Token token = token_;
    switch (token.kind) {
      case TokenKind::kLeftParen: {
        advance();
        const ExprId inner = expression();
        return !issue_ && expect(TokenKind::kRightParen, "')'") ? inner : kNoExpr;
      }
      case TokenKind::kLeftBracket:
        advance();
        return list(token.offset);
      case TokenKind::kLeftBrace:
        advance();
        return map(token.offset);
      case TokenKind::kDot:
        advance();
        if (token_.kind != TokenKind::kIdentifier) return unexpected("a name");
        return name(true, token.offset);
      case TokenKind::kIdentifier:
        return name(false, token.offset);
      case TokenKind::kReserved:
        return fail(token.offset, fmt::format("reserved identifier: {}", token.text));
      default:
        return literal();
    }
  }

  // A variable, a call of a global function, or the first part of a longer name. A leading dot stays in the name.
  ExprId name(bool rooted, std::uint32_t offset) {
    std::string_view text = token_.text;
    if (rooted) text = ast_.keep("." + std::string(text));
    advance();
    const std::uint32_t call_offset = token_.offset;
    if (accept(TokenKind::kLeftParen)) return finish_call(text, kNoExpr, call_offset);
    return ast_.ident(text, offset);
  }

  ExprId literal() {
    const Token token = token_;
    switch (token.kind) {
      case TokenKind::kInt:
      case TokenKind::kUint:
      case TokenKind::kDouble:
        return number(false, token.offset);
      case TokenKind::kString:
      case TokenKind::kBytes: {
        advance();
        const bool bytes = token.kind == TokenKind::kBytes;
        const auto text = parse_quoted_literal(token.text, bytes);
        if (!text) return fail(token.offset, text.error().message);
        return bytes ? ast_.bytes_literal(*text, token.offset) : ast_.string_literal(*text, token.offset);
      }
      case TokenKind::kTrue:
      case TokenKind::kFalse:
        advance();
        return ast_.literal(Value::boolean(token.kind == TokenKind::kTrue), token.offset);
      case TokenKind::kNull:
        advance();
        return ast_.literal(Value::null(), token.offset);
      default:
        return unexpected("an operand");
    }
  }

  template <class T>
  ExprId numeric(const Result<T>& value, Value (*make)(T), std::uint32_t offset) {
    return value ? ast_.literal(make(*value), offset) : fail(offset, value.error().message);
  }
  ExprId number(bool negative, std::uint32_t offset) {
    const Token token = token_;
    advance();
    if (token.kind == TokenKind::kInt) {
      return numeric<std::int64_t>(parse_int_literal(token.text, negative), &Value::integer, offset);
    }
    if (token.kind == TokenKind::kUint) {
      return numeric<std::uint64_t>(parse_uint_literal(token.text), &Value::unsigned_integer, offset);
    }
    return numeric<double>(parse_double_literal(token.text, negative), &Value::real, offset);
  }

  ExprId list(std::uint32_t offset) {
    Children elements;
    const bool empty = accept(TokenKind::kComma);  // [,] is a list, too
    while (!issue_ && !empty && token_.kind != TokenKind::kRightBracket) {
      const bool optional = optional_mark();
      elements.push_back({expression(), optional, {}});
      if (!accept(TokenKind::kComma)) break;
    }
    if (issue_ || !expect(TokenKind::kRightBracket, "']' of a list")) return kNoExpr;
    return ast_.list(elements, offset);
  }

  ExprId map(std::uint32_t offset) {
    Children entries;
    const bool empty = accept(TokenKind::kComma);
    while (!issue_ && !empty && token_.kind != TokenKind::kRightBrace) {
      const bool optional = optional_mark();
      entries.push_back({expression(), optional, {}});
      if (issue_ || !expect(TokenKind::kColon, "':' of a map entry")) return kNoExpr;
      entries.push_back({expression(), optional, {}});
      if (!accept(TokenKind::kComma)) break;
    }
    if (issue_ || !expect(TokenKind::kRightBrace, "'}' of a map")) return kNoExpr;
    return ast_.map(entries, offset);
  }

  ExprId message(std::string_view type, std::uint32_t offset) {
    Children fields;
    while (!issue_ && token_.kind != TokenKind::kRightBrace) {
      const bool optional = optional_mark();
      const Token field = token_;
      if (field.kind != TokenKind::kIdentifier && field.kind != TokenKind::kEscapedIdentifier &&
          field.kind != TokenKind::kReserved) {
        return unexpected("a field name");
      }
      advance();
      if (!expect(TokenKind::kColon, "':' of a field")) return kNoExpr;
      fields.push_back({expression(), optional, field.text});
      if (!accept(TokenKind::kComma)) break;
    }
    if (issue_ || !expect(TokenKind::kRightBrace, "'}' of a message")) return kNoExpr;
    return ast_.structure(type, fields, offset);
  }

  Ast& ast_;
  const ParseOptions& options_;
  Lexer lexer_;
  Token token_;
  std::optional<Issue> issue_;
  int nesting_ = 0;
};

}  // namespace

std::expected<Ast, CompileFailure> parse(std::string_view text, const ParseOptions& options) {
  if (text.size() > options.max_length) {
    Issue issue{
        0, {}, fmt::format("the expression has {} bytes; at most {} are allowed", text.size(), options.max_length)};
    return std::unexpected(CompileFailure{Source(std::string(text.substr(0, 80))), {std::move(issue)}});
  }
  Ast ast{Source(std::string(text))};
  Parser parser(ast, options);
  const ExprId root = parser.run();
  if (parser.issue()) return std::unexpected(CompileFailure{ast.source(), {*parser.issue()}});
  ast.set_root(root);
  return ast;
}

}  // namespace berth::cel
