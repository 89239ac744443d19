// A line chart as one self-contained SVG: axes with round ticks, a line per series, a legend. For results in docs and
// reports. Deterministic: the same data give the same bytes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace berth::report {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  // ascending in x
  bool dashed = false;                            // for bounds and published results
};

struct LineChart {
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::string y_label;
  std::vector<Series> series;  // drawn in order; up to eight are told apart by colour
  // The visible range; what lies outside is cut off. None: the range of the data.
  std::optional<std::pair<double, double>> x_range;
  std::optional<std::pair<double, double>> y_range;
};

[[nodiscard]] std::string render_svg(const LineChart& chart);

}  // namespace berth::report
