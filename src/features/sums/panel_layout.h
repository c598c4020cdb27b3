// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "features/names.h"

namespace tilestep::features {

/// The layout of the picture of sums, in pixels.
struct SumLayout {
  float left = 0, top = 0;  ///< Position of the first element, below the heading.
  float cell = 0;           ///< Width of an element with its gap.
  float row = 0;            ///< Distance between rows. The first row has no lines above it.
  float band = 0;           ///< Height of the elements.
  float ticks = 0;          ///< Height of the threads below the elements.
  float thread = 0;         ///< Width of a thread.
  uint32_t shown = 0;       ///< Number of elements that fit.
  float column = 0;         ///< Width of each column of counts.

  [[nodiscard]] float right() const { return left + cell * static_cast<float>(shown); }
  [[nodiscard]] float x(float element) const { return left + element * cell; }
  [[nodiscard]] float middle(uint32_t element) const {
    return x(static_cast<float>(element) + 0.5F);
  }
  /// The elements' upper edge. The lines of the additions are above it, within the row.
  [[nodiscard]] float y(size_t index) const { return top + row * static_cast<float>(index); }
  [[nodiscard]] float bottom(size_t index) const { return y(index) + band + ticks; }
  /// The row at a height, out of `rows`: the first row that ends at or below it, or the last row.
  [[nodiscard]] size_t rowAt(float height, size_t rows) const {
    const float above = std::ceil((height - bottom(0)) / row);
    return above > 0 ? std::min(static_cast<size_t>(above), rows - 1) : 0;
  }
  /// The rows that are at least partly between two heights, including their lines, as [first, end).
  [[nodiscard]] std::pair<size_t, size_t> rowsWithin(float above, float below, size_t rows) const {
    if (rows == 0 || below <= above) return {0, 0};
    constexpr float kFrame = 3;  // A frame's distance from its rows, pixels.
    if (bottom(rows - 1) + kFrame < above || top - kFrame > below) return {0, 0};
    return {rowAt(above, rows), rowAt(below, rows) + 1};
  }
};

}  // namespace tilestep::features
