// Completion: can a trial be completed with so many devices for each of some options, and with which? A complete search
// that is fast to say no.
//
// - Options with the least to choose from come first, and those that cannot be told apart are one. Counts bound the
//   search (bounds.h).
// - Within an option devices are a set: one that failed is left out below. With it go all devices that are the same up
//   to renaming (symmetry.h), so that n equal devices are one choice. Cards from which the same shares were taken are
//   still equal.
// - States that failed are remembered, so that different ways to one state are searched once. Of shares a state has
// what
//   they take of each device in sum, whoever has them.
//
// Candidates are tried in the order of a preference; the first solution is taken. Steps are counted against a limit,
// the work of the bounds included.
#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "engine/devices/bounds.h"
#include "engine/devices/effort.h"
#include "engine/devices/preference.h"
#include "engine/devices/symmetry.h"
#include "engine/devices/trial.h"

namespace berth::engine::devices {

struct Demand {
  std::uint32_t option = 0;
  std::int64_t count = 0;
  std::uint32_t start = 0;                              // only devices from this position on
  const std::vector<std::uint32_t>* members = nullptr;  // All: these, without a choice
};

class Completion {
 public:
  enum class End : std::uint8_t { kDone, kFailed, kLimit };

  Completion(Trial& trial, const Symmetry& symmetry, Preference* preference, Effort& effort)
      : trial_(trial), symmetry_(symmetry), preference_(preference), effort_(effort), bounds_(trial) {}

  // Done: the devices are taken. Else the trial is as before.
  End run(const std::vector<Demand>& demands);

 private:
  using State = std::vector<std::uint32_t>;
  struct StateHash {
    std::size_t operator()(const State& state) const;
  };

  // So many devices for options of one class (Symmetry::option_class).
  struct Group {
    std::vector<std::uint32_t> options;  // one per device; of All one
    std::uint32_t start = 0;
    const std::vector<std::uint32_t>* members = nullptr;
    [[nodiscard]] std::int64_t missing() const { return static_cast<std::int64_t>(options.size()); }
  };
  [[nodiscard]] std::vector<Group> grouped(const std::vector<Demand>& demands) const;
  End demand(std::size_t number);
  End pick(std::size_t number, std::int64_t missing);
  End take_all(std::size_t number);
  [[nodiscard]] bool candidate(const Group& demand, std::uint32_t option, std::uint32_t device) const;
  [[nodiscard]] std::vector<std::uint32_t> candidates(const Group& demand, std::uint32_t option);
  [[nodiscard]] bool enough_for_rest(std::size_t number, std::int64_t missing);
  [[nodiscard]] std::vector<std::uint32_t> usable(const Group& demand, bool leaving_out, std::uint64_t& work);
  void charge(std::uint64_t work);
  void leave_out(std::uint32_t device, std::uint32_t start, std::vector<std::uint32_t>& left_out);
  [[nodiscard]] bool stand_alike(std::uint32_t one, std::uint32_t other, std::uint32_t member) const;
  [[nodiscard]] State state(std::size_t number, std::int64_t missing);
  void add_taken(State& state) const;

  Trial& trial_;
  const Symmetry& symmetry_;
  Preference* preference_;
  Effort& effort_;
  Bounds bounds_;
  std::uint64_t work_ = 0;  // not charged yet
  std::vector<Group> demands_;
  std::vector<bool> excluded_;          // by device, for the option being filled
  std::vector<std::uint32_t> touched_;  // by component: devices taken there
  bool admin_ = false;                  // some option has adminAccess
  bool backtracked_ = false;            // bounds cost more than a first descent
  boost::unordered_flat_set<State, StateHash> failed_;
  std::size_t words_ = 0;  // in failed_
};

}  // namespace berth::engine::devices
