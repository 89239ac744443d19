#include "dialects/dra/device_selector.h"

#include <fmt/format.h>

#include "cel/time_zone.h"

namespace berth::dialects::dra {

namespace {

// The value that counts: what an optional value holds, however deep.
cel::Value unwrapped(cel::Value value) {
  while (value.is(cel::Kind::kOptional) && value.as_optional() != nullptr) value = *value.as_optional();
  return value;
}

}  // namespace

SelectorOutcome DeviceSelector::evaluate(cel::Value device, cel::Arena& arena) const {
  static const cel::SystemTimeZones kZones;
  arena.reset();
  cel::EvalContext context(arena);
  context.set_cost_limit(kMaxSelectorCost);
  context.set_time_zones(&kZones);
  const cel::Value variables[] = {device};
  const cel::Value value = unwrapped(program_.evaluate(variables, context));
  SelectorOutcome outcome;
  outcome.cost = context.cost();
  if (value.is(cel::Kind::kBool)) {
    outcome.kind = value.as_bool() ? SelectorOutcome::Kind::kYes : SelectorOutcome::Kind::kNo;
    return outcome;
  }
  outcome.kind = SelectorOutcome::Kind::kError;
  outcome.error = value.is_error() ? std::string(value.as_error().message)
                                   : fmt::format("the result is {} and not a bool", cel::type_of(value)->name);
  return outcome;
}

SelectorCompiler::Language::Language(const SelectorRules& rules)
    : environment(selector_environment(rules)), sizes(*environment) {}

const SelectorCompiler::Language& SelectorCompiler::language() const {
  if (!language_) language_.emplace(rules_);
  return *language_;
}

std::expected<DeviceSelector, SelectorFailure> SelectorCompiler::try_compile(std::string_view expression) const {
  const auto failure = [](ErrorCode code, const cel::Source& source, std::uint32_t offset, std::string message) {
    return std::unexpected(SelectorFailure{code, {source, {{offset, source.position(offset), std::move(message)}}}});
  };
  if (expression.size() > kMaxExpressionBytes) {
    return failure(ErrorCode::kLimit, cel::Source(""), 0,
                   fmt::format("the expression has {} bytes; a selector may have {}: split it over several selectors, "
                               "all of which must hold",
                               expression.size(), kMaxExpressionBytes));
  }
  auto checked = cel::compile(expression, language().environment);
  if (!checked) return std::unexpected(SelectorFailure{ErrorCode::kSyntax, std::move(checked).error()});
  if (!is_selector_type(checked->result_type(), rules_)) {
    return failure(ErrorCode::kInvalid, checked->ast.source(), checked->ast[checked->ast.root()].offset,
                   fmt::format("the expression gives {}, and a selector must give a bool: compare it with something",
                               cel::to_string(checked->result_type())));
  }
  const std::uint64_t cost = cel::estimate_cost(*checked, language().sizes).max;
  Projection projection = projection_of(*checked);
  cel::Program program(*std::move(checked));
  if (program.bad_conversion() != cel::kNoExpr) {
    const cel::Ast& ast = program.checked().ast;
    return failure(ErrorCode::kSyntax, ast.source(), ast[program.bad_conversion()].offset,
                   "this constant cannot be converted");
  }
  return DeviceSelector(std::move(program), std::move(projection), cost);
}

Result<DeviceSelector> SelectorCompiler::compile(std::string_view expression) const {
  auto selector = try_compile(expression);
  if (!selector) return fail(selector.error().code, selector.error().failure.to_string());
  return *std::move(selector);
}

Result<DeviceSelector> SelectorCompiler::admit(std::string_view expression) const {
  BERTH_TRY(DeviceSelector selector, compile(expression));
  if (selector.estimated_cost() > kMaxSelectorCost) {
    return fail(ErrorCode::kLimit,
                fmt::format("The expression may cost {}, {} times the limit of {}; make what it "
                            "loops over or compares shorter.",
                            selector.estimated_cost(), selector.estimated_cost() / kMaxSelectorCost, kMaxSelectorCost));
  }
  return selector;
}

}  // namespace berth::dialects::dra
