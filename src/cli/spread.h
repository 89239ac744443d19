// Mean and standard deviation over the seeds of a study, in the order in which they are added.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/writer.h"

namespace berth::cli {

class Spread {
 public:
  void add(double value) {
    ++count_;
    sum_ += value;
    squares_ += value * value;
  }
  // In percent; of nothing 0.
  void add(std::int64_t part, std::int64_t whole) {
    add(whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
  }
  [[nodiscard]] double mean() const { return sum_ / count_; }
  [[nodiscard]] double deviation() const { return std::sqrt(std::max(0.0, squares_ / count_ - mean() * mean())); }

 private:
  double count_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

// "12.3 ± 0.4".
[[nodiscard]] std::string spread_text(const Spread& value);

// An object with `mean` and `deviation`.
void write_spread(text::Writer& writer, std::string_view key, const Spread& value);

}  // namespace berth::cli
