// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gfx/camera.h"
#include "gfx/scene.h"

namespace tilestep::gfx {

struct LayoutRequest {
  float width = 0, height = 0;  ///< The viewport, in ImGui coordinates.
  /// The interface font's current height; it determines the headers' height.
  float textHeight = 16;
  float leastText = 12;  ///< The smallest allowed text height.
};

/// A grid of cells in world coordinates.
struct Grid {
  Box box;                 ///< The cells' area, without header.
  float cell = 0;          ///< Edge of one cell; cells are square.
  float headerHeight = 0;  ///< Height kept free above the box.
  [[nodiscard]] Box cellBox(uint32_t row, uint32_t column) const {
    return {box.x + float(column) * cell, box.y + float(row) * cell, cell, cell};
  }
};

enum class Memory : uint8_t { global, shared, registers };

struct MemoryName {
  Memory memory = Memory::global;
  Point at;         ///< The text's left end, at half its height.
  float width = 0;  ///< The available width.
};

/// The positions of everything. `panels`, `arrays` and `threads` are parallel to SceneModel's.
struct Layout {
  std::vector<Grid> panels, arrays, threads;
  Point title;  ///< Upper left corner of the title line.
  float textHeight = 16;
  float leastText = 12;  ///< No text is smaller than this.
  bool compact = false;  ///< Indices do not fit, and headers are smaller.
  /// Each memory has a line for its name: one in each frame, and one above or below each array and
  /// each thread grid.
  bool memoryLines = false;
  /// Without those lines, only the name of global memory is shown, if it fits.
  std::vector<MemoryName> memories;
  std::vector<Box> frames;  ///< Around the matrices, which are in global memory.
  Box bounds;               ///< The box around everything.
  /// Free space above M and left of N, for a figure or a sentence; empty if the panels form no L.
  Box corner;
};

/// Arranges a matrix product as an L (N above, M to the left, P in the corner). With two shared
/// arrays and one grid of threads, these form a second L at any size: Mds below M, Nds to the right
/// of N, Pvalue in the corner. Otherwise they are below the first L or to its right, whichever
/// allows larger cells. Other kernels have inputs, shared arrays and outputs from left to right. If
/// a small viewport leaves too little space for the slots, indices are omitted and only names
/// remain (Layout::compact); the text keeps its size. Memories have lines for their names
/// (Layout::memoryLines) if slots stay clear or every cell keeps most of its size. The layout
/// depends only on roles and sizes, never on values, so nothing moves while stepping, and two
/// scenes with equal sizes have equal layouts. Pure.
[[nodiscard]] Layout arrange(const SceneModel& model, const LayoutRequest& request);

}  // namespace tilestep::gfx
