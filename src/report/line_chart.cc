#include "report/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "text/utf8.h"

namespace berth::report {
namespace {

// Okabe and Ito's palette, which readers with colour blindness can tell apart.
constexpr std::array<std::string_view, 8> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                      "#e69f00", "#56b4e9", "#000000", "#999999"};
constexpr double kWidth = 760;
constexpr double kHeight = 460;
constexpr double kLeft = 62;
constexpr double kRight = 150;  // room for the legend
constexpr double kTop = 56;
constexpr double kBottom = 52;

using Range = std::pair<double, double>;

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text::visible(text)) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

Range data_range(const LineChart& chart, bool x) {
  Range range{0, 0};
  bool first = true;
  for (const Series& series : chart.series) {
    for (const auto& point : series.points) {
      const double value = x ? point.first : point.second;
      range.first = first ? value : std::min(range.first, value);
      range.second = first ? value : std::max(range.second, value);
      first = false;
    }
  }
  if (range.first == range.second) range.second = range.first + 1;
  return range;
}

// A step of 1, 2 or 5 times a power of ten that gives at most `most` ticks.
double tick_step(const Range& range, int most) {
  const double raw = (range.second - range.first) / most;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

class Canvas {
 public:
  Canvas(const LineChart& chart, Range x, Range y) : chart_(chart), x_(x), y_(y) {}

  std::string draw() {
    fmt::format_to(std::back_inserter(out_),
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
                   "font-size=\"12\">\n<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n",
                   kWidth, kHeight, kWidth, kHeight);
    text(kLeft, 24, "start", chart_.title, "font-size=\"16\" font-weight=\"bold\"");
    text(kLeft, 42, "start", chart_.subtitle, "fill=\"#555555\"");
    draw_axes();
    fmt::format_to(std::back_inserter(out_),
                   "<clipPath id=\"plot\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", kLeft,
                   kTop, kWidth - kLeft - kRight, kHeight - kTop - kBottom);
    for (std::size_t i = 0; i < chart_.series.size(); ++i) draw_series(i);
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  [[nodiscard]] double at_x(double value) const {
    return kLeft + (value - x_.first) / (x_.second - x_.first) * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double at_y(double value) const {
    return kHeight - kBottom - (value - y_.first) / (y_.second - y_.first) * (kHeight - kTop - kBottom);
  }
  void text(double x, double y, std::string_view anchor, std::string_view content, std::string_view more = "") {
    fmt::format_to(std::back_inserter(out_), "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y,
                   anchor, more, escape(content));
  }
  void line(double x1, double y1, double x2, double y2, std::string_view style) {
    fmt::format_to(std::back_inserter(out_), "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1,
                   y1, x2, y2, style);
  }

  void draw_axes() {
    const double x_step = tick_step(x_, 14);
    for (double tick = std::ceil(x_.first / x_step) * x_step; tick <= x_.second + x_step * 1e-6; tick += x_step) {
      line(at_x(tick), kTop, at_x(tick), kHeight - kBottom, "stroke=\"#eeeeee\"");
      text(at_x(tick), kHeight - kBottom + 16, "middle", fmt::format("{:g}", std::round(tick / x_step) * x_step));
    }
    const double y_step = tick_step(y_, 10);
    for (double tick = std::ceil(y_.first / y_step) * y_step; tick <= y_.second + y_step * 1e-6; tick += y_step) {
      line(kLeft, at_y(tick), kWidth - kRight, at_y(tick), "stroke=\"#eeeeee\"");
      text(kLeft - 6, at_y(tick) + 4, "end", fmt::format("{:g}", std::round(tick / y_step) * y_step));
    }
    line(kLeft, kHeight - kBottom, kWidth - kRight, kHeight - kBottom, "stroke=\"#333333\"");
    line(kLeft, kTop, kLeft, kHeight - kBottom, "stroke=\"#333333\"");
    text((kLeft + kWidth - kRight) / 2, kHeight - 12, "middle", chart_.x_label);
    const double middle = (kTop + kHeight - kBottom) / 2;
    text(16, middle, "middle", chart_.y_label, fmt::format("transform=\"rotate(-90 16 {:.1f})\"", middle));
  }

  void draw_series(std::size_t index) {
    const Series& series = chart_.series[index];
    const std::string_view colour = kColours[index % kColours.size()];
    const std::string_view dash = series.dashed ? " stroke-dasharray=\"6 4\"" : "";
    fmt::format_to(std::back_inserter(out_),
                   "<polyline clip-path=\"url(#plot)\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{} points=\"",
                   colour, dash);
    for (const auto& [x, y] : series.points)
      fmt::format_to(std::back_inserter(out_), "{:.1f},{:.1f} ", at_x(x), at_y(y));
    out_ += "\"/>\n";
    const double y = kTop + 14 + 20 * static_cast<double>(index);
    const double x = kWidth - kRight + 12;
    line(x, y, x + 22, y, fmt::format("stroke=\"{}\" stroke-width=\"2.4\"{}", colour, dash));
    text(x + 28, y + 4, "start", series.name);
  }

  const LineChart& chart_;
  Range x_;
  Range y_;
  std::string out_;
};

}  // namespace

std::string render_svg(const LineChart& chart) {
  return Canvas(chart, chart.x_range.value_or(data_range(chart, true)),
                chart.y_range.value_or(data_range(chart, false)))
      .draw();
}

}  // namespace berth::report
