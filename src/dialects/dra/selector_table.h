// SelectorTable: what selectors say about kinds of devices, for the engine.
//
// An expression is compiled when it is first asked about. It is evaluated once per distinct projection: kinds that
// agree on all that the expression reads (driver, some attributes, some capacities) share one evaluation, so that a
// million devices that differ in their UUIDs cost a handful. Expressions that read the same share the numbers of these
// projections, so that a kind is looked at once for all of them; asking again is two array accesses.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/interner.h"
#include "dialects/dra/device_selector.h"
#include "engine/devices/catalogue.h"
#include "engine/devices/selector_answers.h"
#include "engine/names.h"

namespace berth::dialects::dra {

// Not for several threads at once: answering fills the memo.
class SelectorTable final : public engine::devices::SelectorAnswers {
 public:
  // `expressions` is DeviceTranslator::selectors. All must live as long as the table; expressions, kinds and names may
  // be added at any time.
  SelectorTable(const Interner<engine::devices::SelectorId>& expressions, engine::devices::Catalogue& catalogue,
                const engine::Names& names, const SelectorRules& rules = {});

  [[nodiscard]] engine::devices::SelectorAnswer answer(engine::devices::SelectorId selector,
                                                       engine::devices::KindId kind) const override;

  [[nodiscard]] std::uint32_t reads(engine::devices::SelectorId selector) const override;
  [[nodiscard]] std::uint32_t look(std::uint32_t reads, engine::devices::KindId kind) const override;

  // Null if it does not compile.
  [[nodiscard]] const DeviceSelector* selector(engine::devices::SelectorId id) const;
  // The message of an error in an answer; in the catalogue, so that reports find it.
  [[nodiscard]] std::string_view error(engine::devices::SelectorErrorId id) const {
    return catalogue_.selector_errors.text(id);
  }
  // Expressions run so far, for measurements and tests.
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }

 private:
  using Answer = engine::devices::SelectorAnswer;
  enum class Version : std::uint8_t { kUnseen, kGood, kNone };
  struct KeyHash {
    std::size_t operator()(const std::vector<std::uint64_t>& key) const;
  };
  // What expressions that read the same see, numbered.
  struct Sight {
    Projection reads;
    std::uint32_t position = 0;          // in sights_
    std::vector<std::uint32_t> by_kind;  // the number, or kUnseen
    boost::unordered_flat_map<std::vector<std::uint64_t>, std::uint32_t, KeyHash> numbers;
    // Ids of the names that the projection has, in its order; none: not seen yet.
    std::vector<engine::devices::AttributeId> attributes;
    std::vector<engine::devices::CapacityId> qualified;  // "domain/name"
    std::vector<engine::devices::CapacityId> bare;       // "name", which counts for drivers of that domain
    std::size_t names_seen = 0;
  };
  struct Entry {
    explicit Entry(Result<DeviceSelector> compiled) : selector(std::move(compiled)) {}
    Result<DeviceSelector> selector;
    Sight* sight = nullptr;                      // if it compiles
    std::vector<std::optional<Answer>> answers;  // by number
  };

  Entry& entry(engine::devices::SelectorId id) const;
  Sight& sight(const Projection& reads) const;
  [[nodiscard]] std::uint32_t number(Sight& sight, engine::devices::KindId kind) const;
  void project(Sight& sight, const engine::devices::Kind& kind, engine::devices::KindId id) const;
  [[nodiscard]] bool is_no_version(engine::devices::AtomId atom) const;
  [[nodiscard]] bool is_unreadable(const engine::devices::Kind& kind) const;
  void find_names(Sight& sight) const;
  [[nodiscard]] Answer evaluate(Entry& entry, engine::devices::KindId kind) const;
  [[nodiscard]] std::string hint(Entry& entry) const;
  [[nodiscard]] Answer failure(std::string_view message) const;

  const Interner<engine::devices::SelectorId>& expressions_;
  engine::devices::Catalogue& catalogue_;
  const engine::Names& names_;
  SelectorCompiler compiler_;
  mutable std::deque<Entry> entries_;  // by SelectorId
  mutable std::deque<Sight> sights_;
  mutable std::vector<std::uint64_t> key_;
  mutable std::vector<Version> versions_;  // by AtomId
  mutable cel::Arena device_arena_;
  mutable cel::Arena scratch_;
  mutable std::uint64_t evaluations_ = 0;
};

}  // namespace berth::dialects::dra
