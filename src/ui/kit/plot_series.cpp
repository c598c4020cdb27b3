// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/plot_series.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tilestep::ui {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

size_t partsOf(float length, float part) {
  return static_cast<size_t>(std::clamp(std::ceil(length / part), 1.0F, 16384.0F));
}

/// Divides an axis of `length` pixels into parts of `part` pixels, and returns the values at their
/// boundaries. The last part may extend beyond the axis.
std::vector<double> edgesOf(const PlotAxis& axis, float length, float part) {
  std::vector<double> edges(partsOf(length, part) + 1);
  const double whole = static_cast<double>(length) / part;
  for (size_t i = 0; i < edges.size(); ++i)
    edges[i] = valueOn(axis, static_cast<double>(i) / whole);
  return edges;
}

}  // namespace

PlotLine::PlotLine(const Plot& plot) {
  const std::vector<double> edges = edgesOf(plot.x(), plot.max().x - plot.min().x, 1);
  bounds_.push_back(-kInfinite);
  bounds_.insert(bounds_.end(), edges.begin(), edges.end());
  bounds_.push_back(kInfinite);
  columns_.resize(bounds_.size() - 1);
}

void PlotLine::goTo(double x) {
  // Usually x is in the next column; larger distances use bisection.
  if (x < bounds_[at_ + 2]) {
    ++at_;
    return;
  }
  const auto above =
      std::upper_bound(bounds_.begin() + static_cast<ptrdiff_t>(at_), bounds_.end(), x);
  at_ = std::min(static_cast<size_t>(above - bounds_.begin()) - 1, columns_.size() - 1);
}

void PlotLine::draw(const Plot& plot, ImU32 colour, float thickness) const {
  ImDrawList& list = plot.list();
  list.PushClipRect(plot.min(), plot.max(), true);
  const PlotColumn* before = nullptr;
  ImVec2 from{};
  for (size_t i = 0; i < columns_.size(); ++i) {
    const PlotColumn& column = columns_[i];
    if (column.points == 0) continue;
    const bool outside = i == 0 || i + 1 == columns_.size();
    const double x = i == 0 ? plot.x().low : column.x;
    const ImVec2 first = plot.pixel(column.points == 1 ? column.x : x, column.first);
    if (before != nullptr && !column.gap) list.AddLine(from, first, colour, thickness);
    if (column.points > 1 && !outside) {
      const ImVec2 low = plot.pixel(x, column.least), high = plot.pixel(x, column.greatest);
      if (low.y - high.y > 0.5F) list.AddLine(low, high, colour, thickness);
    }
    before = &column;
    from = plot.pixel(x, column.last);
  }
  list.PopClipRect();
}

PlotDots::PlotDots(const Plot& plot, float size)
    : y_(plot.y()), size_(std::max(std::round(size), 1.0F)) {
  const float width = plot.max().x - plot.min().x, height = plot.max().y - plot.min().y;
  bounds_ = edgesOf(plot.x(), width, size_);
  rows_ = partsOf(height, size_);
  words_ = (rows_ + 63) / 64;
  cells_.assign(words_ * (bounds_.size() - 1), 0);
  const double rows = static_cast<double>(height) / size_;
  start_ = y_.logarithmic ? std::log(y_.low) : y_.low;
  scale_ = rows / ((y_.logarithmic ? std::log(y_.high) : y_.high) - start_);
}

void PlotDots::add(double x, double y) {
  if (!(x >= bounds_.front()) || x > bounds_.back()) return;
  if (count_++ < kFew) few_.push_back({x, y});
  while (at_ + 2 < bounds_.size() && x >= bounds_[at_ + 1]) ++at_;
  const double value = y_.logarithmic ? (y > 0 ? std::log(y) : -kInfinite) : y;
  const double row = (value - start_) * scale_;
  if (!(row >= 0)) return;
  if (row >= static_cast<double>(rows_)) {
    ++above_;
    return;
  }
  const auto at = static_cast<size_t>(row);
  cells_[at_ * words_ + at / 64] |= uint64_t{1} << (at % 64);
}

size_t PlotDots::filled() const {
  size_t count = 0;
  for (const uint64_t word : cells_) count += static_cast<size_t>(std::popcount(word));
  return count;
}

void PlotDots::draw(const Plot& plot, ImU32 colour) const {
  ImDrawList& list = plot.list();
  list.PushClipRect(plot.min(), plot.max(), true);
  if (count_ <= kFew) {
    for (const PlotPoint& point : few_)
      list.AddCircleFilled(plot.pixel(point.x, point.y), 0.6F * size_, colour, 8);
    list.PopClipRect();
    return;
  }
  for (size_t column = 0; column + 1 < bounds_.size(); ++column) {
    const uint64_t* words = &cells_[column * words_];
    const float left = plot.min().x + size_ * static_cast<float>(column);
    const auto isSet = [&](size_t row) { return (words[row / 64] >> (row % 64) & 1) != 0; };
    for (size_t row = 0; row < rows_;) {
      if (words[row / 64] == 0) {
        row = (row / 64 + 1) * 64;
        continue;
      }
      if (!isSet(row)) {
        ++row;
        continue;
      }
      const size_t first = row;
      while (row < rows_ && isSet(row)) ++row;
      list.AddRectFilled({left, plot.max().y - size_ * static_cast<float>(row)},
                         {left + size_, plot.max().y - size_ * static_cast<float>(first)}, colour);
    }
  }
  list.PopClipRect();
}

}  // namespace tilestep::ui
