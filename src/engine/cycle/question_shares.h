// Question shares: how often a search may look at a pod and a node, dealt out over its parts, so that a hard part does
// not use up what the others need. Each part gets an equal share of what is left, and what it leaves over the next
// have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace berth::engine {

class QuestionShares {
 public:
  // `least`: what a part gets at least, as long as there is any.
  QuestionShares(std::int64_t limit, std::int64_t least) : until_(limit), least_(least) {}

  void ask() { ++asked_; }
  [[nodiscard]] std::int64_t asked() const { return asked_; }
  // The part under way has no questions left.
  [[nodiscard]] bool used_up() const { return asked_ >= until_; }
  // Some part had none left.
  [[nodiscard]] bool was_cut() const { return cut_; }

  // The next of so many parts that are left, as long as it lives. Parts may have parts.
  class Part {
   public:
    Part(QuestionShares& shares, std::size_t parts_left) : shares_(shares), until_(shares.until_) {
      const std::int64_t left = std::max<std::int64_t>(until_ - shares.asked_, 0);
      const auto parts = static_cast<std::int64_t>(std::max<std::size_t>(parts_left, 1));
      shares.until_ = std::min(until_, shares.asked_ + std::max(left / parts, shares.least_));
    }
    ~Part() {
      shares_.cut_ = shares_.cut_ || shares_.used_up();
      shares_.until_ = until_;
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    QuestionShares& shares_;
    std::int64_t until_;
  };

 private:
  std::int64_t until_;
  std::int64_t least_;
  std::int64_t asked_ = 0;
  bool cut_ = false;
};

}  // namespace berth::engine
