// Violations: what did not hold during a case, with the second; the same is said once, of the first moment.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_set.hpp>

namespace berth::sim {

class Violations {
 public:
  void add(std::int64_t now, std::string what) {
    if (!said_.insert(what).second) return;
    all_.push_back(fmt::format("at {}: {}", now, std::move(what)));
  }
  [[nodiscard]] const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
  boost::unordered_flat_set<std::string> said_;  // the same without the moment
};

}  // namespace berth::sim
