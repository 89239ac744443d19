#include "dialects/dra/projection.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>

namespace berth::dialects::dra {

namespace {

namespace operators = cel::operators;
using cel::Expr;
using cel::ExprId;
using cel::ExprKind;

// How far a chain of selections has come from `device`.
struct Way {
  enum class Level : std::uint8_t { kDevice, kField, kDomain, kName };
  Level level = Level::kDevice;
  std::string_view field;
  std::string_view domain;
  std::string_view name;
};

class Reader {
 public:
  explicit Reader(const cel::CheckedAst& checked) : checked_(checked), ast_(checked.ast), seen_(checked.ast.size()) {}

  Projection read() {
    visit(ast_.root());
    std::ranges::sort(out_.names, [](const NameRead& a, const NameRead& b) { return key(a) < key(b); });
    const auto repeats = std::ranges::unique(out_.names, [](const NameRead& a, const NameRead& b) {
      return a.field == b.field && a.domain == b.domain && a.name == b.name;
    });
    out_.names.erase(repeats.begin(), repeats.end());
    return std::move(out_);
  }

 private:
  struct Alias {
    std::string_view name;
    std::optional<Way> way;  // none: something that is no part of a device
  };

  static std::tuple<NameRead::Field, const std::string&, const std::string&, std::uint32_t> key(const NameRead& read) {
    return {read.field, read.domain, read.name, read.offset};
  }

  [[nodiscard]] std::optional<std::string_view> text_of(ExprId id) const {
    const Expr& expr = ast_[id];
    if (expr.kind != ExprKind::kLiteral || !expr.literal.is(cel::Kind::kString)) return std::nullopt;
    return expr.literal.as_text();
  }

  // The way that an expression goes from `device`; nothing if it is no such chain or part of it is computed.
  [[nodiscard]] std::optional<Way> way(ExprId id) const {
    const Expr& expr = ast_[id];
    if (expr.kind == ExprKind::kIdent) {
      const auto alias = std::find_if(aliases_.rbegin(), aliases_.rend(),
                                      [&](const Alias& candidate) { return candidate.name == expr.name; });
      if (alias != aliases_.rend()) return alias->way;
      const cel::Reference& reference = checked_.references[id];
      if (reference.kind != cel::Reference::Kind::kVariable || reference.variable->name != "device")
        return std::nullopt;
      return Way{};
    }
    if (expr.kind == ExprKind::kSelect) return step(expr.operand, expr.name);
    if (expr.kind != ExprKind::kCall || expr.member) return std::nullopt;
    if (expr.name != operators::kIndex && expr.name != operators::kOptionalIndex &&
        expr.name != operators::kOptionalSelect) {
      return std::nullopt;
    }
    const auto arguments = ast_.children(expr);
    const auto text = text_of(arguments[1].id);
    return text ? step(arguments[0].id, *text) : std::nullopt;
  }

  [[nodiscard]] std::optional<Way> step(ExprId operand, std::string_view text) const {
    auto from = way(operand);
    if (!from) return std::nullopt;
    switch (from->level) {
      case Way::Level::kDevice:
        return Way{Way::Level::kField, text, {}, {}};
      case Way::Level::kField:
        if (from->field != "attributes" && from->field != "capacity") return std::nullopt;
        return Way{Way::Level::kDomain, from->field, text, {}};
      case Way::Level::kDomain:
        return Way{Way::Level::kName, from->field, from->domain, text};
      case Way::Level::kName:
        return std::nullopt;
    }
    return std::nullopt;
  }

  void record(const Way& way, std::uint32_t offset) {
    if (way.level == Way::Level::kDevice) {
      out_.driver = out_.allow_multiple = out_.all_attributes = out_.all_capacities = true;
      return;
    }
    if (way.field == "driver") {
      out_.driver = true;
    } else if (way.field == "attributes" || way.field == "capacity") {
      const bool attributes = way.field == "attributes";
      if (way.level == Way::Level::kField) {
        (attributes ? out_.all_attributes : out_.all_capacities) = true;
        return;
      }
      const auto field = attributes ? NameRead::Field::kAttribute : NameRead::Field::kCapacity;
      out_.names.push_back({field, std::string(way.domain), std::string(way.name), offset});
    } else {
      out_.allow_multiple = true;
    }
  }

  void visit(ExprId id) {
    if (id == cel::kNoExpr) return;
    const Expr& expr = ast_[id];
    if (const auto read = way(id)) {
      record(*read, expr.offset);
      return;
    }
    // A node that macros use twice is the same both times, unless names around it mean something else.
    if (aliases_.empty()) {
      if (seen_[id]) return;
      seen_[id] = true;
    }
    if (expr.kind == ExprKind::kCall) note_comparison(expr);
    if (expr.kind == ExprKind::kCall && expr.name == operators::kIn && membership(expr)) return;
    if (expr.kind == ExprKind::kComprehension) {
      comprehension(ast_.comprehension(expr));
      return;
    }
    visit(expr.operand);
    for (const cel::Child& child : ast_.children(expr)) visit(child.id);
  }

  // "name" in device.attributes["domain"].
  bool membership(const Expr& expr) {
    const auto arguments = ast_.children(expr);
    const auto text = text_of(arguments[0].id);
    if (!text) return false;
    const auto read = step(arguments[1].id, *text);
    if (!read || read->level < Way::Level::kDomain) return false;
    record(*read, expr.offset);
    return true;
  }

  void note_comparison(const Expr& expr) {
    if (expr.name != operators::kEqual && expr.name != operators::kIn) return;
    const auto arguments = ast_.children(expr);
    const auto is_driver = [&](ExprId id) {
      const auto read = way(id);
      return read && read->level == Way::Level::kField && read->field == "driver";
    };
    const auto note = [&](ExprId id) {
      if (const auto text = text_of(id)) out_.drivers.push_back({std::string(*text), ast_[id].offset});
    };
    if (is_driver(arguments[0].id)) {
      note(arguments[1].id);
      if (ast_[arguments[1].id].kind == ExprKind::kList) {
        for (const cel::Child& element : ast_.children(ast_[arguments[1].id])) note(element.id);
      }
    } else if (expr.name == operators::kEqual && is_driver(arguments[1].id)) {
      note(arguments[0].id);
    }
  }

  void comprehension(const cel::Comprehension& parts) {
    visit(parts.range);
    const auto bound = parts.iter == cel::kUnusedIterator ? way(parts.init) : std::nullopt;
    if (!bound) visit(parts.init);
    const std::size_t outside = aliases_.size();
    aliases_.push_back({parts.accu, bound});
    const std::size_t with_accu = aliases_.size();
    aliases_.push_back({parts.iter, std::nullopt});
    if (!parts.iter2.empty()) aliases_.push_back({parts.iter2, std::nullopt});
    visit(parts.condition);
    // The step of a binding only repeats the bound value.
    if (!bound) visit(parts.step);
    aliases_.resize(with_accu);
    visit(parts.result);
    aliases_.resize(outside);
  }

  const cel::CheckedAst& checked_;
  const cel::Ast& ast_;
  std::vector<bool> seen_;
  std::vector<Alias> aliases_;
  Projection out_;
};

}  // namespace

Projection projection_of(const cel::CheckedAst& checked) { return Reader(checked).read(); }

}  // namespace berth::dialects::dra
