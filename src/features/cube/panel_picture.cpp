// SPDX-License-Identifier: Apache-2.0
// Draws the cube: points, the columns of all blocks, and the loaded elements beside its sides.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "features/cube/cube_text.h"
#include "features/cube/panel.h"
#include "features/cube/panel_labels.h"
#include "model/text/step_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using gfx::Point;

/// Adjacent points and elements smaller than this many pixels are drawn as one area.
constexpr float kLeastCell = 6;

ImVec2 vec(Point at) {
  return {at.x, at.y};
}

float real(uint32_t number) {
  return static_cast<float>(number);
}

CubeRange shownOf(const CubeTrace& cube, const CubeTurn& turn) {
  const float depth = real(cube.shape.depth);
  if (!turn.blockAlone)
    return {{0, 0, 0}, {real(cube.shape.rows), real(cube.shape.columns), depth}};
  const ProductArea& block = cube.block;
  return {{real(block.top), real(block.left), 0},
          {real(block.top + block.rows), real(block.left + block.columns), depth}};
}

CubeRange columnOf(const CubeTrace& cube) {
  CubeTurn alone;
  alone.blockAlone = true;
  return shownOf(cube, alone);
}

using Edge = std::pair<CubePlace, CubePlace>;

/// The nine visible edges of a box, or the three hidden ones.
std::vector<Edge> edgesOf(const CubeRange& range, bool seen) {
  const auto& [a, b] = range;
  if (!seen)
    return {{{b.i, b.j, a.k}, {b.i, b.j, b.k}},
            {{b.i, a.j, a.k}, {b.i, b.j, a.k}},
            {{a.i, b.j, a.k}, {b.i, b.j, a.k}}};
  return {{{a.i, a.j, b.k}, {a.i, b.j, b.k}}, {{b.i, a.j, b.k}, {b.i, b.j, b.k}},
          {{a.i, a.j, b.k}, {b.i, a.j, b.k}}, {{a.i, b.j, b.k}, {b.i, b.j, b.k}},
          {{a.i, a.j, a.k}, {a.i, a.j, b.k}}, {{a.i, b.j, a.k}, {a.i, b.j, b.k}},
          {{b.i, a.j, a.k}, {b.i, a.j, b.k}}, {{a.i, a.j, a.k}, {b.i, a.j, a.k}},
          {{a.i, a.j, a.k}, {a.i, b.j, a.k}}};
}

class CubePicture {
 public:
  CubePicture(const Context& context, const CubeView& view, const gfx::Box& box)
      : context_(context),
        cube_(*view.cube),
        step_(*view.step),
        palette_(context.palette),
        colours_{context.palette},
        list_(*ImGui::GetWindowDrawList()),
        labels_(context, cube_, context.ui.cube),
        projection_(context.ui.cube, shownOf(cube_, context.ui.cube), labels_.inside(box)),
        thin_(std::max(1.0F, context.em / 16)) {}

  [[nodiscard]] const CubeProjection& projection() const { return projection_; }

  void draw() {
    drawEdges(projection_.shown(), false, colour(palette_.line), thin_);
    drawColumns(false);
    drawEdges(columnOf(cube_), false, colour(palette_.strongLine), thin_);
    for (const CubeFace& face : step_.faces) drawFace(face);
    drawStored();
    drawColumns(true);
    drawEdges(projection_.shown(), true, colour(palette_.strongLine), thin_);
    drawEdges(columnOf(cube_), true, colour(palette_.chosen), 1.5F * thin_);
    drawSheets();
    drawSlab();
    labels_.draw(list_, projection_);
  }

 private:
  void line(Point from, Point to, ImU32 color, float width) {
    list_.AddLine(vec(from), vec(to), color, width);
  }
  void line(const CubePlace& from, const CubePlace& to, ImU32 color, float width) {
    line(projection_.at(from), projection_.at(to), color, width);
  }
  void drawEdges(const CubeRange& range, bool seen, ImU32 color, float width) {
    for (const auto& [from, to] : edgesOf(range, seen)) line(from, to, color, width);
  }

  /// A parallelogram without antialiased edges, because a picture may contain thousands.
  void fill(Point corner, Point u, Point v, ImU32 color) {
    const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
    list_.PrimReserve(6, 4);
    const auto first = static_cast<ImDrawIdx>(list_._VtxCurrentIdx);
    for (const int index : {0, 1, 2, 0, 2, 3})
      list_.PrimWriteIdx(static_cast<ImDrawIdx>(first + index));
    list_.PrimWriteVtx(vec(corner), uv, color);
    list_.PrimWriteVtx({corner.x + u.x, corner.y + u.y}, uv, color);
    list_.PrimWriteVtx({corner.x + u.x + v.x, corner.y + u.y + v.y}, uv, color);
    list_.PrimWriteVtx({corner.x + v.x, corner.y + v.y}, uv, color);
  }

  /// `count` cells along u with lines between them, or one area if the cells are too small.
  void fillCells(const CubeQuad& quad, gfx::Color color, gfx::Color between) {
    const float count = real(quad.count);
    const Point u{quad.u.x / count, quad.u.y / count};
    const bool small =
        std::hypot(u.x, u.y) < kLeastCell || std::hypot(quad.v.x, quad.v.y) < kLeastCell;
    fill(quad.corner, quad.u, quad.v, colour(small ? color : between));
    if (small) return;
    constexpr float kGap = 0.09F, kFilled = 1 - 2 * kGap;
    const Point innerU{kFilled * u.x, kFilled * u.y},
        innerV{kFilled * quad.v.x, kFilled * quad.v.y};
    for (uint32_t i = 0; i < quad.count; ++i) {
      const float along = real(i) + kGap;
      fill({quad.corner.x + along * u.x + kGap * quad.v.x,
            quad.corner.y + along * u.y + kGap * quad.v.y},
           innerU, innerV, colour(color));
    }
  }

  void drawFace(const CubeFace& face) {
    const std::vector<CubeQuad> quads = quadsOf(face, step_.separate, projection_);
    if (!step_.separate) {
      const gfx::Color color = colours_.point(face.mark, face.side);
      return fillCells(quads.front(), color, gfx::mix(color, palette_.background, 0.5F));
    }
    constexpr std::array<CubeSide, 3> kSides{CubeSide::left, CubeSide::right, CubeSide::product};
    for (size_t i = 0; i < quads.size(); ++i)
      fill(quads[i].corner, quads[i].u, quads[i].v, colour(colours_.point(face.mark, kSides[i])));
  }

  /// The edges of all blocks' columns in front of the traced block's (`near`), or behind it.
  void drawColumns(bool near) {
    if (context_.ui.cube.blockAlone || cube_.tileRows == 0) return;
    const uint32_t rows = cube_.shape.rows, columns = cube_.shape.columns;
    const float depth = real(cube_.shape.depth), end = near ? depth : 0;
    constexpr float kLeast = 4;  // Lines closer together would look like an area.
    const bool fine = real(cube_.tileRows) * projection_.edgeI() >= kLeast &&
                      real(cube_.tileColumns) * projection_.edgeJ() >= kLeast;
    if (!fine) return;
    const ImU32 color = colour(palette_.line);
    constexpr uint64_t kMostColumns = 64;  // More would hide the interior.
    const bool inner =
        uint64_t{rows / cube_.tileRows} * (columns / cube_.tileColumns) <= kMostColumns;
    for (uint32_t i = 0; i < rows; i += cube_.tileRows)
      line({real(i), 0, end}, {real(i), real(columns), end}, color, thin_);
    for (uint32_t j = 0; j < columns; j += cube_.tileColumns)
      line({0, real(j), end}, {real(rows), real(j), end}, color, thin_);
    for (uint32_t i = 0; i < rows; i += cube_.tileRows)
      for (uint32_t j = 0; j < columns; j += cube_.tileColumns) {
        const bool before = i <= cube_.block.top || j <= cube_.block.left;
        if (before == near && (inner || i == 0 || j == 0))
          line({real(i), real(j), 0}, {real(i), real(j), depth}, color, thin_);
      }
  }

  /// Elements of P that this step stores, on P's side.
  void drawStored() {
    const float depth = real(cube_.shape.depth);
    for (const CubeRun& run : step_.product) {
      if (!run.now) continue;
      const Point corner = projection_.at({real(run.row), real(run.column), depth});
      const Point right = projection_.at({real(run.row), real(run.column + run.count), depth});
      const Point below = projection_.at({real(run.row + 1), real(run.column), depth});
      fillCells({corner,
                 {right.x - corner.x, right.y - corner.y},
                 {below.x - corner.x, below.y - corner.y},
                 run.count},
                palette_.accent, gfx::mix(palette_.accent, palette_.background, 0.5F));
    }
  }

  /// M and N with their loaded elements.
  void drawSheets() {
    const auto& [a, b] = projection_.shown();
    const auto left = [&](float i, float k) { return projection_.onLeft(i, k); };
    const auto right = [&](float k, float j) { return projection_.onRight(k, j); };
    drawSheet({left(a.i, a.k), left(a.i, b.k), left(b.i, b.k), left(b.i, a.k)});
    for (const CubeRun& run : step_.left) {
      if (real(run.row) < a.i || real(run.row) >= b.i) continue;
      drawRun(run, left(real(run.row), real(run.column)),
              left(real(run.row), real(run.column + run.count)),
              left(real(run.row + 1), real(run.column)));
    }
    drawSheet({right(a.k, a.j), right(a.k, b.j), right(b.k, b.j), right(b.k, a.j)});
    for (const CubeRun& run : step_.right) {
      if (real(run.column) < a.j || real(run.column) >= b.j) continue;
      drawRun(run, right(real(run.row), real(run.column)),
              right(real(run.row), real(run.column + run.count)),
              right(real(run.row + 1), real(run.column)));
    }
  }

  void drawSheet(const std::array<Point, 4>& corners) {
    const gfx::Color sheet = gfx::mix(palette_.surface, palette_.line, 0.3F);
    list_.AddQuadFilled(vec(corners[0]), vec(corners[1]), vec(corners[2]), vec(corners[3]),
                        colour(sheet, 0.75F));
    list_.AddQuad(vec(corners[0]), vec(corners[1]), vec(corners[2]), vec(corners[3]),
                  colour(palette_.strongLine), thin_);
  }

  void drawRun(const CubeRun& run, Point corner, Point along, Point next) {
    const gfx::Color color = colours_.loaded(run.now);
    fillCells({corner,
               {along.x - corner.x, along.y - corner.y},
               {next.x - corner.x, next.y - corner.y},
               run.count},
              color, gfx::mix(color, palette_.background, 0.5F));
  }

  /// The present phase along k, its elements in M and N, and connecting lines between them.
  void drawSlab() {
    if (!step_.slab) return;
    const ProductArea& block = cube_.block;
    const CubeRange slab{{real(block.top), real(block.left), real(step_.slab->first)},
                         {real(block.top + block.rows), real(block.left + block.columns),
                          real(step_.slab->last + 1)}};
    const auto& [a, b] = slab;
    const ImU32 color = colour(palette_.accent), faint = colour(palette_.accent, 0.45F);
    const float width = 1.5F * thin_;
    drawEdges(slab, true, color, width);
    for (const float k : {a.k, b.k}) {
      for (const float i : {a.i, b.i})
        line(projection_.onLeft(i, k), projection_.at({i, a.j, k}), faint, thin_);
      for (const float j : {a.j, b.j})
        line(projection_.onRight(k, j), projection_.at({a.i, j, k}), faint, thin_);
    }
    const auto frame = [&](Point p, Point q, Point r, Point s) {
      list_.AddQuad(vec(p), vec(q), vec(r), vec(s), color, width);
    };
    frame(projection_.onLeft(a.i, a.k), projection_.onLeft(a.i, b.k), projection_.onLeft(b.i, b.k),
          projection_.onLeft(b.i, a.k));
    frame(projection_.onRight(a.k, a.j), projection_.onRight(a.k, b.j),
          projection_.onRight(b.k, b.j), projection_.onRight(b.k, a.j));
  }

  const Context& context_;
  const CubeTrace& cube_;
  const CubeStep& step_;
  const gfx::Palette& palette_;
  CubeColours colours_;
  ImDrawList& list_;
  CubeLabels labels_;
  CubeProjection projection_;
  float thin_;
};

/// "P[2][3] += M[2][5] · N[5][3]", with thread and step.
void tellPoint(const Context& context, const CubeView& view, const CubePoint& at) {
  const auto same = [&](const CubePoint& point) {
    return point.row == at.row && point.column == at.column && point.k == at.k;
  };
  const auto point = std::ranges::find_if(view.cube->points, same);
  if (point == view.cube->points.end()) return;
  const auto element = [](const std::string& name, uint32_t row, uint32_t column) {
    return name + "[" + std::to_string(row) + "][" + std::to_string(column) + "]";
  };
  const ProductShape& shape = view.cube->shape;
  const Dim3 thread = trace::threadOf(point->thread, view.of->replay->recording().blockShape);
  const std::optional<uint32_t>& phase = view.cube->phases[point->step].phase;
  showTooltip(context, element(shape.productName, at.row, at.column) +
                           " += " + element(shape.leftName, at.row, at.k) + " · " +
                           element(shape.rightName, at.k, at.column) + "\nThread (" +
                           std::to_string(thread.x) + ", " + std::to_string(thread.y) + ")" +
                           (phase ? ", phase " + std::to_string(*phase) : "") + ".");
}

/// Dragging turns the cube, a double click resets it, hovering describes a point.
void takeMouse(const Context& context, const CubeView& view, const CubeProjection& projection,
               const gfx::Box& box) {
  if (context.ui.readOnly) return;
  ImGui::SetCursorScreenPos({box.x, box.y});
  ImGui::InvisibleButton("##cube", {box.width, box.height});
  const ImGuiIO& io = ImGui::GetIO();
  constexpr float kDegrees = 0.35F;  // Per pixel at scale 1.
  const float perPixel = kDegrees * 16 / context.em;
  CubeTurn& turn = context.ui.cube;
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1))
    turn.turn(perPixel * io.MouseDelta.x, perPixel * io.MouseDelta.y);
  if (!ImGui::IsItemHovered()) return;
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) turn = {.blockAlone = turn.blockAlone};
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  if (const auto point = pointUnder(*view.step, projection, {io.MousePos.x, io.MousePos.y}))
    tellPoint(context, view, *point);
}

}  // namespace

void drawCubePicture(const Context& context, const CubeView& view, const gfx::Box& box) {
  CubePicture picture(context, view, box);
  picture.draw();
  takeMouse(context, view, picture.projection(), box);
}

}  // namespace tilestep::features
