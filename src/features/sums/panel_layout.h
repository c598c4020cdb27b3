// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "features/sums/tree.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// The places of the picture of sums, in pixels.
struct SumLayout {
  float left = 0, top = 0;  ///< Of the first element; below the head.
  float cell = 0;           ///< Width of an element with its gap.
  float row = 0;            ///< From one row to the next; the first has no way above it.
  float band = 0;           ///< Height of the elements.
  float ticks = 0;          ///< Height of the threads below them.
  float thread = 0;         ///< Width of a thread.
  uint32_t shown = 0;       ///< The elements with room.
  float column = 0;         ///< Width of one of the columns of counts.

  [[nodiscard]] float right() const { return left + cell * static_cast<float>(shown); }
  [[nodiscard]] float x(float element) const { return left + element * cell; }
  [[nodiscard]] float middle(uint32_t element) const {
    return x(static_cast<float>(element) + 0.5F);
  }
  /// The elements' upper edge. The way of the additions is above it, within the row.
  [[nodiscard]] float y(size_t index) const { return top + row * static_cast<float>(index); }
  [[nodiscard]] float bottom(size_t index) const { return y(index) + band + ticks; }
  /// The row at a height, of `rows`.
  [[nodiscard]] size_t rowAt(float height, size_t rows) const {
    size_t index = 0;
    while (index + 1 < rows && height > bottom(index)) ++index;
    return index;
  }
};

}  // namespace tilestep::ui
