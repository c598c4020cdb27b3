// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ui/kit/plot.h"

/// Many points in a plot: 100,000 of them cost about a comparison each, and what is drawn grows
/// with the plot's pixels alone. Nothing is averaged: what a column of pixels holds is shown as
/// its least and greatest, or point by point. Made anew each frame, like the plot.
namespace tilestep::ui {

/// The first of `count` points whose x, which `at(i)` gives in ascending order, is not below `x`.
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

/// What of the points falls into one column of pixels.
struct PlotColumn {
  double first = 0, last = 0, least = 0, greatest = 0;
  double x = 0;       ///< Of its first point.
  size_t points = 0;  ///< 0: none falls into it.
  bool gap = false;   ///< The line is broken before it.
};

/// A curve. Add its points in ascending x, then draw it.
class PlotLine {
 public:
  explicit PlotLine(const Plot& plot);
  /// Those far outside the frame may be left out by the caller (firstFrom), but for one neighbour.
  void add(double x, double y) {
    if (at_ + 2 < columns_.size() && x >= bounds_[at_ + 1]) goTo(x);
    put(columns_[at_], x, y);
  }
  /// The next point is not joined with the last one.
  void gap() { gap_ = true; }
  void draw(const Plot& plot, ImU32 colour, float thickness) const;
  /// Column 0 is what lies left of the frame, the last one what lies right of it.
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
  std::vector<double> bounds_;  ///< Column i takes x from bounds_[i] to below bounds_[i + 1].
  std::vector<PlotColumn> columns_;
  size_t at_ = 0;
  bool gap_ = false;
};

/// Points that are not joined, in ascending x. Up to a thousand or so are drawn as round dots; more
/// are drawn as squares of a grid, each filled where at least one point falls into it.
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
  std::vector<uint64_t> cells_;  ///< words_ a column: a bit a row, from the bottom.
  std::vector<PlotPoint> few_;   ///< The first ones, while there are few.
  size_t count_ = 0;
};

}  // namespace tilestep::ui
