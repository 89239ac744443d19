// Tournament: which of a fixed number of places comes first, where one place changes at a time. Each match is between
// two neighbours, its winner plays on; when a place changes only the matches on its way up are played again.
#pragma once

#include <bit>
#include <cstddef>
#include <limits>
#include <vector>

namespace berth {

class Tournament {
 public:
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

  // Nobody takes part at first. O(places).
  explicit Tournament(std::size_t places)
      : size_(places == 0 ? 0 : std::bit_ceil(places)), winners_(2 * size_, kNobody) {}

  [[nodiscard]] std::size_t winner() const { return winners_.empty() ? kNobody : winners_[1]; }

  // The place changed: does it take part, and whom does it win against? `before(a, b)`: place a comes before place b, a
  // strict weak order; of equals the lower place wins. O(log(places)) calls.
  template <class Before>
  void replay(std::size_t place, bool takes_part, const Before& before) {
    std::size_t match = size_ + place;
    winners_[match] = takes_part ? place : kNobody;
    for (match /= 2; match > 0; match /= 2) {
      const std::size_t left = winners_[2 * match];
      const std::size_t right = winners_[2 * match + 1];
      const bool right_wins = left == kNobody || (right != kNobody && before(right, left));
      winners_[match] = right_wins ? right : left;
    }
  }

 private:
  std::size_t size_;
  std::vector<std::size_t> winners_;  // of each match, the last one at 1; from size_ on the places themselves
};

}  // namespace berth
