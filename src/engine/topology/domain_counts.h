// DomainCounts: a number per domain of a topology key, nearly all of them 0 where each of many nodes is a domain.
//
// Ten thousand apps that spread over a hundred thousand hosts have ten thousand counters, whose pods are on a few hosts
// each. So beyond kMostDense domains the numbers are in a hash map, until an eighth of them is not 0; below it, and
// from then on, they are an array. Reading and changing one is O(1) in both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace berth::engine {

class DomainCounts {
 public:
  static constexpr std::size_t kMostDense = std::size_t{1} << 14U;

  // All are 0.
  void reset(std::size_t domains) {
    size_ = domains;
    few_.clear();
    dense_.assign(domains <= kMostDense ? domains : 0, 0);
  }
  // Those that are new are 0.
  void grow(std::size_t domains) {
    size_ = domains;
    if (is_dense()) {
      dense_.resize(domains, 0);
    } else if (domains <= kMostDense) {
      make_dense();
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool is_dense() const { return !dense_.empty(); }
  [[nodiscard]] std::int32_t operator[](std::uint32_t domain) const {
    if (is_dense()) return dense_[domain];
    const auto found = few_.find(domain);
    return found == few_.end() ? 0 : found->second;
  }
  void set(std::uint32_t domain, std::int32_t count) {
    if (is_dense()) {
      dense_[domain] = count;
    } else if (count == 0) {
      few_.erase(domain);
    } else {
      few_[domain] = count;
      if (few_.size() * 8 > size_) make_dense();
    }
  }

 private:
  void make_dense() {
    dense_.assign(size_, 0);
    for (const auto& [domain, count] : few_) dense_[domain] = count;
    few_ = {};
  }

  std::size_t size_ = 0;
  std::vector<std::int32_t> dense_;  // empty: see few_
  boost::unordered_flat_map<std::uint32_t, std::int32_t> few_;
};

}  // namespace berth::engine
