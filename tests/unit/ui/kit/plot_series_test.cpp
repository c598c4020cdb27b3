// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/plot_series.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/ui/kit/plot_frame.h"

namespace tilestep::ui::plot_series_test {

using PlotSeriesTest = PlotFrame;
constexpr ImU32 kWhite = 0xffffffffU;

TEST(PlotSeries, FirstFromFindsTheFirst) {
  const std::vector<double> xs{1, 2, 2, 5};
  const auto at = [&](size_t i) { return xs[i]; };
  EXPECT_EQ(firstFrom(xs.size(), at, 0), 0U);
  EXPECT_EQ(firstFrom(xs.size(), at, 2), 1U);
  EXPECT_EQ(firstFrom(xs.size(), at, 3), 3U);
  EXPECT_EQ(firstFrom(xs.size(), at, 6), 4U);
}

TEST_F(PlotSeriesTest, AColumnKeepsTheMinimumAndMaximumOfItsPoints) {
  wholeY = {false, 0, 10, "y"};
  frame([&](Plot& plot) {
    PlotLine line(plot);
    constexpr int kPoints = 100'000;
    for (int i = 0; i < kPoints; ++i)
      line.add(100.0 * i / kPoints, i == 54'321 ? 9.0 : 5 + std::sin(i * 0.01));
    size_t points = 0;
    double most = 0;
    for (const PlotColumn& column : line.columns()) {
      points += column.points;
      if (column.points > 0) most = std::max(most, column.greatest);
      EXPECT_LE(column.least, column.greatest);
    }
    EXPECT_EQ(points, size_t{kPoints}) << "each point is in one column";
    EXPECT_EQ(most, 9.0) << "one spike among 100,000 points is visible";
    line.draw(plot, kWhite, 1.5F);
  });
  EXPECT_LT(vertices, 20'000) << "the number of vertices grows with pixels, not with points";
}

TEST_F(PlotSeriesTest, PointsFallIntoTheColumnOfTheirPixel) {
  for (const bool logarithmic : {false, true}) {
    wholeX = {logarithmic, 1, 1000, "x"};
    frame([&](Plot& plot) {
      PlotLine line(plot);
      line.add(0.5, 1);  // Left of the frame.
      for (const double x : {1.0, 20.3, 700.2, 5000.0}) line.add(x, 1);
      EXPECT_EQ(line.columns().front().points, 1U);
      EXPECT_EQ(line.columns().back().points, 1U);
      for (const double x : {20.3, 700.2}) {
        const auto pixel = static_cast<size_t>(plot.pixel(x, 1).x - plot.min().x);
        EXPECT_EQ(line.columns()[pixel + 1].points, 1U) << x;
      }
    });
  }
}

TEST_F(PlotSeriesTest, DotsFillTheSquaresThatContainPoints) {
  wholeY = {false, 0, 10, "y"};
  frame([&](Plot& plot) {
    PlotDots dots(plot, 3);
    for (int i = 0; i < 5000; ++i) dots.add(50, 5);
    for (int i = 0; i < 5000; ++i) dots.add(60, 2.5 + (i % 2) * 5);
    dots.add(70, 11);
    dots.add(200, 5);
    EXPECT_EQ(dots.filled(), 3U);
    EXPECT_EQ(dots.above(), 1U);
    dots.draw(plot, kWhite);
  });
}

TEST_F(PlotSeriesTest, TheCostOfManyDotsDependsOnlyOnPixels) {
  wholeY = {false, 0, 1, "y"};
  frame([&](Plot& plot) {
    PlotDots dots(plot, 3);
    uint64_t state = 1;
    for (int i = 0; i < 100'000; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      dots.add(i * 1e-3, 0.4 + 0.1 * static_cast<double>(state >> 40) / (1 << 24));
    }
    dots.draw(plot, kWhite);
  });
  EXPECT_LT(vertices, 60'000);
}

}  // namespace tilestep::ui::plot_series_test
