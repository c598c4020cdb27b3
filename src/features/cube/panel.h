// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "features/cube/panel_projection.h"
#include "features/cube/view.h"
#include "features/names.h"
#include "gfx/drawing/drawing.h"
#include "gfx/window.h"
#include "ui/kit/legend.h"

namespace tilestep::features {

/// The stage: the number of multiply-adds done and of elements loaded, the step's sentence, the
/// cube, and beside it a table of the phases if there is room.
void drawCube(const Context& context);

/// Turns the cube while it is on the stage, and switches between it and the flat scene.
bool handleCube(const gfx::KeyEvent& event, UiState& ui);

/// As many phases as fit in a table, always including the present one.
void drawCubeTable(const Context& context, const CubeView& view, float height);
/// The width of that table in pixels.
[[nodiscard]] float widthOfCubeTable(const Context& context, const CubeView& view);

/// The colours of the cube's parts.
struct CubeColours {
  /// The visible side of a point; without a mark, of a point that is not done yet.
  [[nodiscard]] gfx::Color point(const CubeMark& mark, CubeSide side) const;
  /// For loaded elements in M and N.
  [[nodiscard]] gfx::Color loaded(bool now) const;
  const gfx::Palette& palette;
};

/// Draws the cube into a box of the current window. Dragging turns it.
void drawCubePicture(const Context& context, const CubeView& view, const gfx::Box& box);

/// A parallelogram on the screen, filled by `count` points side by side along u.
struct CubeQuad {
  gfx::Point corner, u, v;
  uint32_t count = 1;
};
/// The visible sides of a face: one, or three for a point that is drawn individually.
[[nodiscard]] std::vector<CubeQuad> quadsOf(const CubeFace& face, bool separate,
                                            const CubeProjection& projection);
/// The row, column and k of the frontmost multiply-add under a screen position, if there is one.
[[nodiscard]] std::optional<CubePoint> pointUnder(const CubeStep& step,
                                                  const CubeProjection& projection,
                                                  gfx::Point place);

/// The meaning of the marks on the stage. `context` must outlive them.
[[nodiscard]] std::vector<LegendMark> cubeMarks(const Context& context);

}  // namespace tilestep::features
