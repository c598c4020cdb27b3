// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ui/kit/plot.h"

/// Plots with many points. Each point costs about one comparison, and the number of drawn shapes
/// depends only on the plot's size in pixels. Nothing is averaged: a column of pixels is shown as
/// its minimum and maximum, or point by point. Create them anew each frame, like the plot.
namespace tilestep::ui {

/// The index of the first of `count` points whose x is not below `x`; `at(i)` gives x in ascending
/// order.
template <class At>
[[nodiscard]] size_t firstFrom(size_t count, At at, double x) {
  size_t low = 0;
  while (count > 0) {
    const size_t half = count / 2;
    if (at(low + half) < x) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return low;
}

struct PlotColumn {
  double first = 0, last = 0, least = 0, greatest = 0;
  double x = 0;       ///< The x of its first point.
  size_t points = 0;  ///< 0 if the column is empty.
  bool gap = false;   ///< The line is broken before it.
};

/// A curve. Add its points in ascending x, then draw it.
class PlotLine {
 public:
  explicit PlotLine(const Plot& plot);
  /// The caller may omit points far outside of the frame (firstFrom), except for one neighbour on
  /// each side.
  void add(double x, double y) {
    if (at_ + 2 < columns_.size() && x >= bounds_[at_ + 1]) goTo(x);
    put(columns_[at_], x, y);
  }
  /// Breaks the line: the next point is not joined to the previous one.
  void gap() { gap_ = true; }
  void draw(const Plot& plot, ImU32 colour, float thickness) const;
  /// Column 0 holds everything left of the frame, the last column everything right of it.
  [[nodiscard]] const std::vector<PlotColumn>& columns() const { return columns_; }

 private:
  void goTo(double x);
  void put(PlotColumn& column, double x, double y) {
    if (column.points++ == 0) {
      column.first = column.least = column.greatest = y;
      column.x = x;
      column.gap = gap_;
      gap_ = false;
    }
    column.last = y;
    if (y < column.least) column.least = y;
    if (y > column.greatest) column.greatest = y;
  }
  std::vector<double> bounds_;  ///< Column i covers bounds_[i] <= x < bounds_[i + 1].
  std::vector<PlotColumn> columns_;
  size_t at_ = 0;
  bool gap_ = false;
};

/// Unconnected points, in ascending x. Up to about a thousand are drawn as round dots; more are
/// drawn as squares of a grid, each filled if at least one point falls into it.
class PlotDots {
 public:
  PlotDots(const Plot& plot, float size);
  void add(double x, double y);
  void draw(const Plot& plot, ImU32 colour) const;
  [[nodiscard]] size_t filled() const;                   ///< Squares, for tests.
  [[nodiscard]] size_t above() const { return above_; }  ///< Points above the frame.

 private:
  static constexpr size_t kFew = 1200;
  const PlotAxis y_;
  float size_ = 2;
  size_t rows_ = 1, at_ = 0, words_ = 1, above_ = 0;
  double scale_ = 1, start_ = 0;  ///< Row = (value or its logarithm - start) * scale.
  std::vector<double> bounds_;
  std::vector<uint64_t> cells_;  ///< words_ per column: one bit per row, from the bottom.
  std::vector<PlotPoint> few_;   ///< The points while there are few.
  size_t count_ = 0;
};

}  // namespace tilestep::ui
