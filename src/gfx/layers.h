// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gfx/camera.h"
#include "gfx/layout/layout.h"
#include "gfx/palette.h"
#include "gfx/scene.h"

namespace tilestep::gfx {

/// A rectangle in the GPU's format. Sizes are in world units; those with names in Px are in ImGui
/// coordinates on screen, whatever the zoom.
struct RectInstance {
  Box box;
  float radius = 0;    ///< Corner radius as a fraction of the shorter side, 0 to 0.5.
  float radiusPx = 0;  ///< Corner radius on screen; the larger of both counts.
  float insetPx = 0;   ///< Shrinks (above 0) or grows (below 0) on screen.
  float borderPx = 0;
  float glowPx = 0;  ///< Soft halo in the border's colour, outside of it.
  float minPx = 0;   ///< Minimum size, so that a tile of a huge matrix stays visible.
  float level = 1;   ///< The lower part that has the colour `fill`, 0 to 1; the rest has `rest`.
  float dash = 0;    ///< 1: dashed border.
  float snap = 1;    ///< 1: edges on whole pixels; 0 means for moving rectangles.
  Color fill{0, 0, 0, 0}, border{0, 0, 0, 0}, rest{0, 0, 0, 0};
};

struct LineInstance {
  Point from, to;
  float widthPx = 1;
  float arrowPx = 0;  ///< Length of the head at `to`; 0 for none.
  float headPx = 0;   ///< Width of the head at its base.
  float skipPx = 0;   ///< Omitted length at its start,
  float reachPx = 0;  ///< and at its end.
  Color color;
};

/// An element that moves from one cell to another. The GPU computes its current position, so layers
/// do not change while it moves.
struct MoverInstance {
  Box from, to;
  float share = 1;  ///< Its size relative to the cells'.
  Color fill, border;
};

/// One matrix, drawn from a texture. Small cells are drawn by one quad whose shader computes cells,
/// grid and colours; large ones by one instance per visible cell.
struct MatrixQuad {
  Box box;
  uint32_t rows = 0, columns = 0;
  uint32_t gridRows = 0, gridColumns = 0;
  std::shared_ptr<const Picture> picture;
  Detail detail;        ///< Drawn over the picture.
  bool absent = false;  ///< Unwritten cells are hatched as not computed, at any size.
  float low = -1, high = 1;
  float dim = 1;                ///< Strength of the values outside the highlights, 0 to 1.
  std::vector<CellRect> focus;  ///< Full strength here; at most kMaxFocus are used.
  static constexpr size_t kMaxFocus = 16;
  bool operator==(const MatrixQuad&) const = default;
};

/// Instances with a hash of their content, so that a renderer uploads only what changed.
template <class T>
struct Instances {
  std::vector<T> items;
  uint64_t hash = 0;
};

/// Moving elements between the same two grids. All have covered the same share of their path, so
/// they stay within a box that moves from `from` to `to`.
struct Flight {
  Box from, to;  ///< The bounding boxes of the start and end cells.
  Instances<MoverInstance> movers;
  /// From centre to centre of the cells; drawn only ahead of the mover.
  Instances<LineInstance> paths;
  /// The bounding boxes of the movers and of the rest of their paths. `progress`: elapsed share of
  /// the time.
  [[nodiscard]] Box moversAt(float progress) const;
  [[nodiscard]] Box pathsAt(float progress) const;
};

/// The range of one grid's cells among all cells of a scene.
struct Stretch {
  Box box;  ///< Around all of them.
  size_t first = 0, count = 0;
};

/// The drawn parts of the scene, from back to front: matrices, marks on them, cells, links.
struct Layers {
  std::vector<MatrixQuad> matrices;
  Instances<RectInstance> marks;  ///< Outlines of highlights and frames: never filled.
  Instances<RectInstance> cells;  ///< Slots and accumulators.
  std::vector<Stretch> grids;     ///< The parts of `cells`, by grid.
  Instances<LineInstance> ribbons;
  Instances<LineInstance> lines;  ///< Links at rest.
  std::vector<Flight> flights;    ///< Links in motion; either these or `lines` are drawn.
  Palette palette;
  Layout layout;
  std::shared_ptr<const SceneModel> model;  ///< For labels and hit().
};

/// The covered share of a moving element's path after a share of the time. Elements start and stop
/// slowly, so that the eye can follow them.
[[nodiscard]] float eased(float progress);

/// Pure.
[[nodiscard]] Layers buildLayers(std::shared_ptr<const SceneModel> model, const Layout& layout,
                                 const Palette& palette);

/// Whether both result in the same pixels, labels excepted.
[[nodiscard]] bool drawnAlike(const Layers& a, const Layers& b);

/// A text for ImGui's draw list, in viewport coordinates.
struct Label {
  enum class Align : uint8_t { center, left, right };
  enum class Kind : uint8_t { title, header, note, index, cell, badge };
  std::string text;
  std::string shorter;  ///< Shown if `text` does not fit; may be empty.
  Point at;  ///< The text's centre, left end or right end, by `align`, at half its height.
  float heightPx = 13;   ///< Font size.
  float leastPx = 0;     ///< The smallest font size to which the text may shrink.
  float maxWidthPx = 0;  ///< The maximum width; 0 means no limit. A wider text shrinks or is left out.
  Color color;
  Align align = Align::center;
  Kind kind = Kind::cell;
  /// Starts a little to the right of the previous label; both then share this label's maximum
  /// width.
  bool follows = false;
  Color plate{0, 0, 0, 0};  ///< Background with a small margin, unless transparent.
};

/// The texts that are readable at this zoom: names and dimensions always, cells if large enough,
/// nothing outside the viewport. Pure.
[[nodiscard]] std::vector<Label> labelsOf(const Layers& layers, const Camera& camera, float width,
                                          float height);

/// The cell under a point of the viewport. Pure.
[[nodiscard]] std::optional<Place> hit(const Layers& layers, const Camera& camera, Point pointer);

/// A tooltip's lines for a place: "Mds[0][1] = 0.53", "from M[0,5], by warp 0".
[[nodiscard]] std::string describe(const SceneModel& model, const Place& place);

/// The block that a cell of a gridded panel (P) belongs to; x counts columns of blocks, y counts
/// rows.
struct BlockIndex {
  uint32_t x = 0, y = 0;
};
[[nodiscard]] std::optional<BlockIndex> blockAt(const SceneModel& model, const Place& place);

}  // namespace tilestep::gfx
