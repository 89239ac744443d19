// A linear program whose columns are found while it is solved: maximize sum value * x, sum column * x <= limits, x >=
// 0, limits >= 0. The revised simplex method with an explicit inverse; each pivot costs O(rows * rows).
#pragma once

#include <cstddef>
#include <vector>

namespace berth::sim::openb {

class ColumnProgram {
 public:
  struct Entry {
    std::size_t row = 0;
    double amount = 0;
  };
  struct Column {
    double value = 0;
    std::vector<Entry> entries;
  };

  explicit ColumnProgram(std::vector<double> limits);

  void add(Column column) { columns_.push_back(std::move(column)); }
  // Pivots until no known column improves.
  void solve();

  [[nodiscard]] double objective() const;
  [[nodiscard]] const std::vector<double>& prices() const { return prices_; }  // by row

 private:
  // Columns are numbered after the slacks of the rows.
  [[nodiscard]] double gain(std::size_t number) const;
  [[nodiscard]] std::vector<double> direction(std::size_t number) const;
  bool pivot(std::size_t entering);
  void price();

  std::vector<double> limits_;
  std::vector<Column> columns_;
  std::vector<std::vector<double>> inverse_;  // of the basis
  std::vector<double> amounts_;               // of the basic columns
  std::vector<std::size_t> basis_;            // by row: number
  std::vector<double> prices_;
};

}  // namespace berth::sim::openb
