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

/// A rectangle in the GPU's format. Sizes are in world units, except that names ending in Px denote
/// ImGui coordinates on screen, regardless of the zoom.
struct RectInstance {
  Box box;
  float radius = 0;    ///< Corner radius as a fraction of the shorter side, 0 to 0.5.
  float radiusPx = 0;  ///< Corner radius on screen; the larger of `radius` and `radiusPx` applies.
  float insetPx = 0;   ///< Shrinks the rectangle (above 0) or enlarges it (below 0) on screen.
  float borderPx = 0;
  float glowPx = 0;  ///< Soft halo in the border's colour, outside of it.
  float minPx = 0;   ///< Minimum size, so that a tile of a huge matrix stays visible.
  float level = 1;   ///< The fraction of the height, from below, with the colour `fill`; the rest
                     ///< has the colour `rest`.
  float dash = 0;    ///< 1 for a dashed border.
  float snap = 1;    ///< 1 puts edges on whole pixels; 0 for moving rectangles.
  Color fill{0, 0, 0, 0}, border{0, 0, 0, 0}, rest{0, 0, 0, 0};
};

struct LineInstance {
  Point from, to;
  float widthPx = 1;
  float arrowPx = 0;  ///< Length of the head at `to`; 0 for none.
  float headPx = 0;   ///< Width of the head at its base.
  float skipPx = 0;   ///< The length omitted at the start of the line.
  float reachPx = 0;  ///< The length by which the line extends beyond `to`.
  Color color;
};

/// An element that moves from one cell to another. The GPU computes its current position, so layers
/// do not change while it moves.
struct MoverInstance {
  Box from, to;
  float share = 1;  ///< Its size as a fraction of the cells' size.
  Color fill, border;
};

/// One matrix, drawn from a texture. If its cells are small, one quad's shader computes cells, grid
/// and colours; if they are large, each visible cell is one instance.
struct MatrixQuad {
  Box box;
  uint32_t rows = 0, columns = 0;
  uint32_t gridRows = 0, gridColumns = 0;
  std::shared_ptr<const Picture> picture;
  Detail detail;        ///< Drawn over the picture.
  bool absent = false;  ///< Unwritten cells are hatched as not computed, at any size.
  float low = -1, high = 1;
  float dim = 1;  ///< Strength of the values outside `focus`, 0 to 1.
  std::vector<CellRect>
      focus;  ///< Values here have full strength; only the first kMaxFocus areas are used.
  static constexpr size_t kMaxFocus = 16;
  bool operator==(const MatrixQuad&) const = default;
};

/// Instances with a hash of their content, so that a renderer uploads only what changed.
template <class T>
struct Instances {
  std::vector<T> items;
  uint64_t hash = 0;
};

/// Moving elements between the same two grids. All have completed the same share of their path, so
/// they stay within a box that moves from `from` to `to`.
struct Flight {
  Box from, to;  ///< The bounding boxes of the start and end cells.
  Instances<MoverInstance> movers;
  /// From centre to centre of the cells. Only the part ahead of the mover is drawn.
  Instances<LineInstance> paths;
  /// The bounding boxes of the movers, and of the rest of their paths. `progress` is the elapsed
  /// share of the time.
  [[nodiscard]] Box moversAt(float progress) const;
  [[nodiscard]] Box pathsAt(float progress) const;
};

/// The range of one grid's cells in Layers::cells.
struct Stretch {
  Box box;  ///< The box around the cells.
  size_t first = 0, count = 0;
};

/// The drawn parts of the scene, from back to front: matrices, marks on them, cells, links.
struct Layers {
  std::vector<MatrixQuad> matrices;
  Instances<RectInstance> marks;  ///< Outlines of highlights and frames, which are never filled.
  Instances<RectInstance> cells;  ///< Slots and accumulators.
  std::vector<Stretch> grids;     ///< The parts of `cells`, by grid.
  Instances<LineInstance> ribbons;
  Instances<LineInstance> lines;  ///< Links at rest.
  std::vector<Flight> flights;    ///< Links in motion; only these or `lines` are drawn, not both.
  Palette palette;
  Layout layout;
  std::shared_ptr<const SceneModel> model;  ///< For labels and hit().
};

/// The completed share of a moving element's path after a share of the time. Elements start and
/// stop slowly, so that the eye can follow them.
[[nodiscard]] float eased(float progress);

/// Pure.
[[nodiscard]] Layers buildLayers(std::shared_ptr<const SceneModel> model, const Layout& layout,
                                 const Palette& palette);

/// Whether two scenes result in the same pixels, except for labels.
[[nodiscard]] bool drawnAlike(const Layers& a, const Layers& b);

/// A text for ImGui's draw list, in viewport coordinates.
struct Label {
  enum class Align : uint8_t { center, left, right };
  enum class Kind : uint8_t { title, header, note, index, cell, badge };
  std::string text;
  std::string shorter;  ///< Shown if `text` does not fit; may be empty.
  Point
      at;  ///< The text's centre, left end or right end, depending on `align`, at half its height.
  float heightPx = 13;   ///< Font size.
  float leastPx = 0;     ///< The smallest font size to which the text may shrink.
  float maxWidthPx = 0;  ///< The maximum width; 0 for no limit. A wider text shrinks or is omitted.
  Color color;
  Align align = Align::center;
  Kind kind = Kind::cell;
  /// Starts a little to the right of the previous label. The two labels then share this label's
  /// maximum width.
  bool follows = false;
  Color plate{0, 0, 0, 0};  ///< Background with a small margin, unless transparent.
};

/// The texts that are readable at this zoom: names and dimensions always, cells if they are large
/// enough, and nothing outside the viewport. Pure.
[[nodiscard]] std::vector<Label> labelsOf(const Layers& layers, const Camera& camera, float width,
                                          float height);

/// The cell under a point of the viewport. Pure.
[[nodiscard]] std::optional<Place> hit(const Layers& layers, const Camera& camera, Point pointer);

/// A tooltip's lines for a place: "Mds[0][1] = 0.53", "from M[0,5], by warp 0".
[[nodiscard]] std::string describe(const SceneModel& model, const Place& place);

/// The block that computes a cell of a panel with a tile grid (P); x counts columns of blocks, y
/// counts rows.
struct BlockIndex {
  uint32_t x = 0, y = 0;
};
[[nodiscard]] std::optional<BlockIndex> blockAt(const SceneModel& model, const Place& place);

}  // namespace tilestep::gfx
