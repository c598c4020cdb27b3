// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "gfx/layout/layout.h"

/// Parts shared by the arrangements of a scene. Private to layout*.cpp.
namespace tilestep::gfx {

/// The margins around grids, derived from the text's height. `compact` omits indices and makes
/// headers smaller. `memories` adds lines for the names of memories and frames around the matrices.
struct Rooms {
  explicit Rooms(float textHeight, bool compact, bool memories)
      : text(textHeight),
        margin(text * (compact ? 0.6F : 0.9F)),
        title(text * (compact ? 1.4F : 1.9F)),
        header(text * (compact ? 1.2F : 1.5F)),
        indices(compact ? 0 : text * 1.15F),
        gutter(text * (compact ? 0.6F : 1.5F)),
        gap(text * (compact ? 0.6F : 1.2F)),
        headerWidth(text * (compact ? 4.0F : 7.0F)),
        narrowHeader(text * (compact ? 3.5F : 5.2F)),
        largestCell(text * 3.4F),
        largestSlot(text * 4.4F),
        memoryLine(memories ? text : 0),
        frame(memories ? text * 0.3F : 0) {}
  /// For viewports so small that complete headers would leave no space for cells.
  [[nodiscard]] Rooms withoutHeaders() const {
    Rooms tight = *this;
    tight.headerWidth = tight.narrowHeader = 0;
    tight.gutter = gutter / 2;
    return tight;
  }
  float text;  ///< The text's height.
  float margin, title, header, indices, gutter, gap, headerWidth;
  float narrowHeader;  ///< For three columns with little space: "M 32 × 32".
  float largestCell, largestSlot;
  float memoryLine;  ///< The height of a line with a memory's name; 0 if there are no such lines.
  float frame;       ///< The distance between matrices and the frame around them.
};

struct Size {
  uint32_t rows = 0, columns = 0;
};

/// The only panel with a role; absent if there is none or more than one.
[[nodiscard]] std::optional<size_t> only(const SceneModel& model, PanelRole role);

/// Whether left, top and product are the only panels, so that they form an L.
[[nodiscard]] bool formL(const SceneModel& model);

[[nodiscard]] bool isOutput(PanelRole role);

/// A grid whose upper left cell is at (x, y), rounded to whole pixels.
[[nodiscard]] Grid place(float x, float y, Size size, float cell, float header);

/// The largest cell size up to `limit` for which `fits` is true. Sizes of at least 6 pixels are
/// whole numbers, so that all cells are equal.
template <class Fits>
float largest(float limit, Fits fits) {
  if (fits(limit)) return limit;
  float low = 0, high = limit;
  for (int i = 0; i < 40; ++i) {
    const float middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low >= 6 ? std::floor(low) : low;
}

/// The minimum cell size of small matrices in pixels, if there is space: cells can be told apart,
/// and in matrices of at most 4 × 4 their values can be read. 0, for no minimum, if matrices are
/// larger. `text` is the text's height.
[[nodiscard]] float clearCell(const SceneModel& model, float text);

/// The score of an arrangement. Cell sizes count as ratios, so their logarithms are added. Slots
/// that are not larger than the matrix cells that they enlarge lower the score, and so do cells
/// below `clear` pixels; an L of slots (`corner`) raises it a little.
[[nodiscard]] float scoreOf(float cell, float slot, bool corner, float clear);

/// The mirrored arrangement: M and N form an L around P; Mds below M and Nds to the right of N form
/// a second L around Pvalue. Loads then run down and to the right without crossing anything. For
/// products with two shared arrays and one grid of threads.
struct Mirrored {
  float cell = 0, slot = 0;
  float score = -1e30F;
};
[[nodiscard]] std::optional<Mirrored> bestMirrored(const SceneModel& model, float width,
                                                   float height, const Rooms& rooms);
void placeMirrored(const SceneModel& model, const Mirrored& mirrored, Point corner, float width,
                   float height, const Rooms& rooms, Layout& layout);

/// Adds the names of the memories and the frames around the matrices to placed grids. `width` is
/// the viewport's width.
void nameMemories(const SceneModel& model, const Rooms& rooms, float width, Layout& layout);

}  // namespace tilestep::gfx
