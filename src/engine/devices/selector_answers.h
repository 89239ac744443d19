// What selectors say about kinds of devices. Answers come from outside (src/dialects/dra evaluates CEL); the engine
// asks for one (selector, kind) as often as it likes, so whoever answers computes each once and keeps it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/devices/ids.h"

namespace berth::engine::devices {

struct SelectorAnswer {
  enum class Kind : std::uint8_t { kNo, kYes, kError };
  Kind kind = Kind::kNo;
  SelectorErrorId error;  // kError: which, for the report
  bool operator==(const SelectorAnswer&) const = default;
};

class SelectorAnswers {
 public:
  SelectorAnswers() = default;
  SelectorAnswers(const SelectorAnswers&) = delete;
  SelectorAnswers& operator=(const SelectorAnswers&) = delete;
  virtual ~SelectorAnswers() = default;

  // The same answer each time it is asked. A selector that does not compile is an error for every kind.
  [[nodiscard]] virtual SelectorAnswer answer(SelectorId selector, KindId kind) const = 0;

  // Selectors that look at the same parts of a kind have one number, and so have kinds that agree in these parts: a
  // selector says the same of them.
  [[nodiscard]] virtual std::uint32_t reads(SelectorId selector) const = 0;
  [[nodiscard]] virtual std::uint32_t look(std::uint32_t reads, KindId kind) const = 0;
};

// Answers written down beforehand. What was not set is no.
class AnswerTable final : public SelectorAnswers {
 public:
  void set(SelectorId selector, KindId kind, SelectorAnswer answer);
  [[nodiscard]] SelectorAnswer answer(SelectorId selector, KindId kind) const override;
  [[nodiscard]] std::uint32_t reads(SelectorId /*selector*/) const override { return 0; }
  [[nodiscard]] std::uint32_t look(std::uint32_t /*reads*/, KindId kind) const override { return kind.value(); }

 private:
  std::vector<std::vector<SelectorAnswer>> answers_;  // by selector, then kind
};

}  // namespace berth::engine::devices
