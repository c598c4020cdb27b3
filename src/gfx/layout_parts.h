// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "gfx/layout.h"

/// What the arrangements of a scene share; used by layout*.cpp alone.
namespace tilestep::gfx {

/// Rooms around grids, all from the text's height.
struct Rooms {
  explicit Rooms(float text)
      : margin(text * 0.9F),
        title(text * 1.9F),
        header(text * 1.5F),
        indices(text * 1.15F),
        gutter(text * 1.5F),
        gap(text * 1.2F),
        headerWidth(text * 7),
        largestCell(text * 3.4F),
        largestSlot(text * 4.4F) {}
  float margin, title, header, indices, gutter, gap, headerWidth, largestCell, largestSlot;
};

struct Size {
  uint32_t rows = 0, columns = 0;
};

/// The one panel of a role; nothing where there is none, or more than one.
[[nodiscard]] std::optional<size_t> only(const SceneModel& model, PanelRole role);

/// A grid with its upper left cell at (x, y), on whole pixels.
[[nodiscard]] Grid place(float x, float y, Size size, float cell, float header);

/// The largest cell at which `fits` still holds, up to a limit; whole pixels where cells are large
/// enough to be told apart, so that all of them come out equal.
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

/// Both cell sizes matter as ratios, so their logarithms are added. Slots must not come out smaller
/// than the matrix cells they enlarge, and meeting in a corner is worth a little size.
[[nodiscard]] float scoreOf(float cell, float slot, bool corner);

/// The mirrored L: M and N keep their L around P, Mds stands below M and Nds right of N, and they
/// make a second L around Pvalue, so that loads run down and right and cross nothing. For products
/// with two shared arrays and one grid of threads.
struct Mirrored {
  float cell = 0, slot = 0;
  float score = -1e30F;
};
[[nodiscard]] std::optional<Mirrored> bestMirrored(const SceneModel& model, float width,
                                                   float height, const Rooms& rooms);
void placeMirrored(const SceneModel& model, const Mirrored& mirrored, Point corner, float width,
                   float height, const Rooms& rooms, Layout& layout);

}  // namespace tilestep::gfx
