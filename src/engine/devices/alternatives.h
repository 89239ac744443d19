// Alternatives: goes through the alternatives of firstAvailable requests, in the user's order, until all fit together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/devices/bounds.h"
#include "engine/devices/checks.h"
#include "engine/devices/completion.h"
#include "engine/devices/symmetry.h"

namespace berth::engine::devices {

class Alternatives {
 public:
  Alternatives(Trial& trial, const Symmetry& symmetry, const Needs& needs, Completion& probe, Completion& final)
      : trial_(trial), symmetry_(symmetry), needs_(needs), probe_(probe), final_(final) {}

  // Fits `demands` and all requests from (claim, request) on. Each prefix of choices is probed before it is extended.
  // Done: the devices are taken. `final` chooses them; `probe` only asks whether there are any.
  Completion::End run(std::vector<Demand> demands, std::uint32_t claim, std::uint32_t request);

 private:
  struct Place {
    std::uint32_t claim = 0;
    std::uint32_t request = 0;
  };
  Completion::End choose(std::size_t number, const std::vector<Demand>& demands);
  [[nodiscard]] bool possible(std::uint32_t option) const;
  [[nodiscard]] bool within_limit(std::size_t number, const std::vector<Demand>& demands) const;
  [[nodiscard]] Demand demand(std::uint32_t option) const;
  // False: what all requests take at least, whichever alternatives are chosen, is more than is left.
  [[nodiscard]] bool may_be_had(const std::vector<Demand>& demands);

  using Key = std::vector<std::int64_t>;
  [[nodiscard]] Key key(std::size_t number, const std::vector<Demand>& demands) const;

  Trial& trial_;
  const Symmetry& symmetry_;
  const Needs& needs_;
  Completion& probe_;
  Completion& final_;
  Bounds bounds_{trial_};
  std::vector<Place> open_;  // requests with a choice
  std::set<Key> failed_;     // choices that came to nothing, up to what cannot be told apart
};

}  // namespace berth::engine::devices
