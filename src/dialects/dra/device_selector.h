// A compiled device selector: the expression of a `selectors[].cel` of a DeviceClass or a ResourceClaim.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cel/program.h"
#include "dialects/dra/projection.h"
#include "dialects/dra/selector_rules.h"

namespace berth::dialects::dra {

struct SelectorOutcome {
  enum class Kind : std::uint8_t { kNo, kYes, kError };
  Kind kind = Kind::kNo;
  std::string error;       // kError: why, "no such key: profile"
  std::uint64_t cost = 0;  // what the evaluation cost, in the units of the CEL cost model
};

class DeviceSelector {
 public:
  // Of a value from device_value(). Resets the arena, in which nothing of the device may lie. Deterministic; safe from
  // several threads with an arena each.
  [[nodiscard]] SelectorOutcome evaluate(cel::Value device, cel::Arena& arena) const;

  [[nodiscard]] const Projection& projection() const { return projection_; }
  // The most that an evaluation may cost, as the API server estimates it.
  [[nodiscard]] std::uint64_t estimated_cost() const { return estimated_cost_; }
  [[nodiscard]] const cel::Source& source() const { return program_.checked().ast.source(); }

 private:
  friend class SelectorCompiler;
  DeviceSelector(cel::Program program, Projection projection, std::uint64_t estimated_cost)
      : program_(std::move(program)), projection_(std::move(projection)), estimated_cost_(estimated_cost) {}

  cel::Program program_;
  Projection projection_;
  std::uint64_t estimated_cost_;
};

// Why there is no selector; `failure` has the places in the expression.
struct SelectorFailure {
  ErrorCode code = ErrorCode::kSyntax;
  cel::CompileFailure failure;
};

// Not for use by several threads at a time.
class SelectorCompiler {
 public:
  explicit SelectorCompiler(const SelectorRules& rules = {}) : rules_(rules) {}

  // As the scheduler does. Errors: kSyntax for what does not compile, with line, column, a caret and the nearest name;
  // kInvalid for a type that is not bool; kLimit for over 10 KiB.
  [[nodiscard]] Result<DeviceSelector> compile(std::string_view expression) const;
  [[nodiscard]] std::expected<DeviceSelector, SelectorFailure> try_compile(std::string_view expression) const;
  // As the API server does before it takes an object: compile(), and kLimit for what may cost too much.
  [[nodiscard]] Result<DeviceSelector> admit(std::string_view expression) const;

  [[nodiscard]] const SelectorRules& rules() const { return rules_; }

 private:
  // What selectors are checked against. Most clusters have no selector, and it takes a millisecond to make.
  struct Language {
    explicit Language(const SelectorRules& rules);
    std::shared_ptr<const cel::Environment> environment;
    DeviceSizes sizes;
  };
  [[nodiscard]] const Language& language() const;

  SelectorRules rules_;
  mutable std::optional<Language> language_;  // made for the first selector
};

}  // namespace berth::dialects::dra
