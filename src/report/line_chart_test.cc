#include "report/line_chart.h"

#include <gtest/gtest.h>

namespace berth::report {
namespace {

TEST(LineChart, DrawsEverySeriesAndEscapesText) {
  const LineChart chart{.title = "a < b & \"c\"",
                        .x_label = "x",
                        .y_label = "y",
                        .series = {{"one", {{0, 0}, {10, 5}}}, {"two", {{0, 1}, {10, 1}}, true}}};
  const std::string svg = render_svg(chart);
  EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
  EXPECT_NE(svg.find(">one</text>"), std::string::npos);
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
  EXPECT_EQ(svg, render_svg(chart));
}

TEST(LineChart, SurvivesNoDataAndOnePoint) {
  EXPECT_NE(render_svg({}).find("</svg>"), std::string::npos);
  EXPECT_EQ(render_svg({.series = {{"one", {{3, 3}}}}}).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace berth::report
