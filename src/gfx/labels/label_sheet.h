// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gfx/labels/label_text.h"
#include "gfx/layer_parts.h"

/// The labels of one scene at one zoom while they are collected. Private to this folder.
namespace tilestep::gfx {

/// "global memory", or "global" if there is little space.
struct MemoryWords {
  const char *full, *brief;
};
[[nodiscard]] MemoryWords wordsOf(Memory memory);

struct Range {
  uint32_t first = 0, end = 0;
};

struct HeaderNote {
  std::string text, shorter;
  float most = 0;          ///< The greatest width of the whole header.
  std::string badge = {};  ///< Follows the text, on a plate: "4×"; may be empty.
};

/// Collects labels. Lengths are in pixels on screen.
class LabelSheet {
 public:
  LabelSheet(const Layers& of, const Camera& by, float width, float height);

  void add(Label label) { labels_.push_back(std::move(label)); }
  [[nodiscard]] Label& last() { return labels_.back(); }
  /// The labels. Those that a line crosses have a plate.
  [[nodiscard]] std::vector<Label> take() &&;

  [[nodiscard]] Label make(std::string text, Point at, float height, Color color, Label::Kind kind,
                           Label::Align align = Label::Align::center) const;
  [[nodiscard]] Color plateColor() const { return withAlpha(palette.background, 0.85F); }
  [[nodiscard]] std::string counted(int64_t count) const;
  /// Replaces counts: "4,096 loads" becomes "? loads", "wrong result: 12 of 16 elements" becomes
  /// "wrong result".
  [[nodiscard]] std::string counted(const std::string& text) const;

  [[nodiscard]] HeaderNote noteOf(const Grid& grid, const std::string& size,
                                  const std::string& more) const;
  /// The note of an array or a thread grid. If the name of its memory has no separate line, the
  /// note includes it; the memory's name takes precedence over the size.
  [[nodiscard]] HeaderNote noteOf(const Grid& grid, const std::string& name,
                                  const std::string& size, const std::string& more,
                                  Memory memory) const;
  /// Name and note above a grid. When zoomed in, they stay at the viewport's edge, so that the
  /// grid's name is always visible.
  void header(const Grid& grid, const std::string& name, const HeaderNote& note, bool indices);
  /// Whether a badge fits behind the name and the note.
  [[nodiscard]] bool hasRoomInHeader(const Grid& grid, const std::string& name,
                                     const HeaderNote& note, const std::string& badge) const;
  /// The row numbers on the left and the column numbers above.
  void indices(const Grid& grid, uint32_t rows, uint32_t columns, bool left, bool top);

  [[nodiscard]] float cellPx(const Grid& grid) const { return grid.cell * camera.zoom(); }
  /// Calls `draw(row, column, box)` for each cell that the viewport shows.
  template <class Draw>
  void eachVisible(const Grid& grid, uint32_t rows, uint32_t columns, Draw draw) {
    const Box box = camera.toScreen(grid.box);
    const float cell = cellPx(grid);
    const Range rowRange = visible(box.y, cell, rows, viewHeight);
    const Range columnRange = visible(box.x, cell, columns, viewWidth);
    for (uint32_t r = rowRange.first; r < rowRange.end; ++r)
      for (uint32_t c = columnRange.first; c < columnRange.end; ++c)
        draw(r, c, Box{box.x + float(c) * cell, box.y + float(r) * cell, cell, cell});
  }

  /// Adds one line of text to a cell at a share of its height; false if it would be unreadable.
  /// Texts with fewer than `atLeast` characters are as high as a text with that many, so that all
  /// texts are equally high.
  bool line(const std::string& text, const Box& cell, float atShare, float share, Color color,
            size_t atLeast = 0);
  /// Adds a value, with fewer digits if the cell is narrow.
  void number(float value, const Box& cell, float atShare, float share, Color color);
  /// Marks a wrong value by more than its colour. Smaller cells have smaller marks.
  void warning(const Box& cell);

  const Layers& layers;
  const SceneModel& model;
  const Palette& palette;
  const Camera& camera;
  const float viewWidth, viewHeight;
  const float textPx, leastPx;  ///< The usual and the minimum height of text.

 private:
  void addPlates();
  [[nodiscard]] Box guessedBox(size_t label) const;
  [[nodiscard]] Point headerPlace(const Grid& grid, const Box& box, bool indices) const;
  [[nodiscard]] float toNeighbour(const Grid& grid, float from) const;
  [[nodiscard]] Range visible(float start, float cell, uint32_t count, float extent) const;

  std::vector<Label> labels_;
};

/// Add the labels of one matrix, shared array or grid of threads of the scene.
void labelMatrix(LabelSheet& sheet, size_t panel);
void labelArray(LabelSheet& sheet, size_t array);
void labelThreads(LabelSheet& sheet, size_t threads);

}  // namespace tilestep::gfx
