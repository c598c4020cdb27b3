// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/ui/kit/plot_frame.h"

namespace tilestep::ui::plot_test {

using PlotTest = PlotFrame;
constexpr ImU32 kWhite = 0xffffffffU;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool isFinite(ImVec2 at) {
  return std::isfinite(at.x) && std::isfinite(at.y);
}

void drawAll(Plot& plot, double x, double y) {
  EXPECT_TRUE(isFinite(plot.pixel(x, y)));
  EXPECT_FALSE(plot.label(x, y, "a label", kWhite, kWhite));
  EXPECT_FALSE(plot.text(plot.pixel(x, y), "a text", kWhite));
  plot.point(x, y, Mark::circle, 3, kWhite, false);
  plot.segment(x, y, 50, 10, kWhite, 1, false);
  plot.segment(50, 10, x, y, kWhite, 1, true);
  plot.area({{x, y}, {50, 10}, {60, 10}}, kWhite);
  plot.change(x, "a change", kWhite, kWhite);
}

TEST_F(PlotTest, NothingIsDrawnAtInvalidPositions) {
  frame();
  const int empty = vertices;
  for (const double x : {kNan, kInfinity, -kInfinity}) {
    frame([&](Plot& plot) {
      drawAll(plot, x, kNan);
      plot.cursor(x, kWhite);
      plot.readout(x, {{"a reading", kWhite}});
    });
    EXPECT_EQ(vertices, empty) << x;
  }
}

TEST_F(PlotTest, ATextAtNanIsNotDrawn) {
  frame([&](Plot& plot) {
    const auto none = static_cast<float>(kNan);
    EXPECT_FALSE(plot.text({none, none}, "a text", kWhite));
    EXPECT_FALSE(plot.text({500, none}, "a text", kWhite));
    EXPECT_TRUE(plot.text({500, 300}, "a text", kWhite));
  });
}

/// For example, a roof of 5e-324 bytes a second has such limits.
TEST_F(PlotTest, AxesWithInvalidLimitsHaveNoLabels) {
  for (const double low : {5e-324, 1e-300, kNan, kInfinity}) {
    for (const double high : {5e-324, 1e-300, 1e300, kInfinity, kNan}) {
      for (const bool isLogarithmic : {true, false}) {
        wholeY = {isLogarithmic, low, high, "y"};
        frame([&](Plot& plot) {
          for (const double y : {0.0, 5e-324, 1.0, 1e300, kNan}) {
            EXPECT_TRUE(isFinite(plot.pixel(50, y))) << low << " to " << high << ", " << y;
            plot.label(50, y, "a label", kWhite, kWhite);
            plot.point(50, y, Mark::square, 3, kWhite, false);
            plot.segment(0, y, 100, high, kWhite, 1, true);
          }
        });
      }
    }
  }
}

}  // namespace tilestep::ui::plot_test
