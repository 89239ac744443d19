#include "sim/openb/column_program.h"

#include <numeric>
#include <utility>

namespace berth::sim::openb {
namespace {

constexpr double kLeastGain = 1e-7;
constexpr double kLeastPivot = 1e-9;

}  // namespace

ColumnProgram::ColumnProgram(std::vector<double> limits)
    : limits_(std::move(limits)), amounts_(limits_), basis_(limits_.size()), prices_(limits_.size(), 0) {
  std::iota(basis_.begin(), basis_.end(), std::size_t{0});
  inverse_.assign(limits_.size(), std::vector<double>(limits_.size(), 0));
  for (std::size_t row = 0; row < limits_.size(); ++row) inverse_[row][row] = 1;
}

double ColumnProgram::gain(std::size_t number) const {
  if (number < limits_.size()) return -prices_[number];
  const Column& column = columns_[number - limits_.size()];
  double gain = column.value;
  for (const Entry& entry : column.entries) gain -= prices_[entry.row] * entry.amount;
  return gain;
}

std::vector<double> ColumnProgram::direction(std::size_t number) const {
  std::vector<double> result(limits_.size(), 0);
  for (std::size_t row = 0; row < limits_.size(); ++row) {
    if (number < limits_.size()) {
      result[row] = inverse_[row][number];
      continue;
    }
    for (const Entry& entry : columns_[number - limits_.size()].entries) {
      result[row] += inverse_[row][entry.row] * entry.amount;
    }
  }
  return result;
}

void ColumnProgram::price() {
  prices_.assign(limits_.size(), 0);
  for (std::size_t row = 0; row < limits_.size(); ++row) {
    if (basis_[row] < limits_.size()) continue;  // a slack has no value
    const double value = columns_[basis_[row] - limits_.size()].value;
    for (std::size_t i = 0; i < limits_.size(); ++i) prices_[i] += value * inverse_[row][i];
  }
}

bool ColumnProgram::pivot(std::size_t entering) {
  const std::vector<double> step = direction(entering);
  std::size_t leaving = limits_.size();
  for (std::size_t row = 0; row < limits_.size(); ++row) {
    if (step[row] <= kLeastPivot) continue;
    if (leaving == limits_.size() || amounts_[row] * step[leaving] < amounts_[leaving] * step[row]) leaving = row;
  }
  if (leaving == limits_.size()) return false;  // unbounded, which limits on every column rule out
  std::vector<double>& pivot_row = inverse_[leaving];
  for (double& cell : pivot_row) cell /= step[leaving];
  amounts_[leaving] /= step[leaving];
  for (std::size_t row = 0; row < limits_.size(); ++row) {
    if (row == leaving || step[row] == 0) continue;
    for (std::size_t i = 0; i < limits_.size(); ++i) inverse_[row][i] -= step[row] * pivot_row[i];
    amounts_[row] -= step[row] * amounts_[leaving];
    if (amounts_[row] < 0) amounts_[row] = 0;
  }
  basis_[leaving] = entering;
  price();
  return true;
}

void ColumnProgram::solve() {
  while (true) {
    std::size_t best = 0;
    double best_gain = kLeastGain;
    for (std::size_t number = 0; number < limits_.size() + columns_.size(); ++number) {
      if (const double gained = gain(number); gained > best_gain) {
        best = number;
        best_gain = gained;
      }
    }
    if (best_gain <= kLeastGain || !pivot(best)) return;
  }
}

double ColumnProgram::objective() const {
  double sum = 0;
  for (std::size_t row = 0; row < limits_.size(); ++row) {
    if (basis_[row] >= limits_.size()) sum += columns_[basis_[row] - limits_.size()].value * amounts_[row];
  }
  return sum;
}

}  // namespace berth::sim::openb
