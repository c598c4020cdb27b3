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

/// The stage: the counts of executed multiply-adds and loaded elements, the step's sentence, the
/// cube, and a table of the phases if there is space beside it.
void drawCube(const Context& context);

/// Handles the keys that turn the cube, and the key that shows the flat scene instead.
bool handleCube(const gfx::KeyEvent& event, UiState& ui);

/// Draws a table of as many phases as fit, always including the present phase.
void drawCubeTable(const Context& context, const CubeView& view, float height);
/// The width of that table in pixels.
[[nodiscard]] float widthOfCubeTable(const Context& context, const CubeView& view);

struct CubeColours {
  /// The colour of a point's side. Without a mark, the colour of a point that is not done yet.
  [[nodiscard]] gfx::Color point(const CubeMark& mark, CubeSide side) const;
  /// The colour of loaded elements in M and N.
  [[nodiscard]] gfx::Color loaded(bool now) const;
  const gfx::Palette& palette;
};

/// Draws the cube into a box of the current window. Dragging turns it.
void drawCubePicture(const Context& context, const CubeView& view, const gfx::Box& box);

/// A parallelogram on the screen, divided along u into `count` adjacent points.
struct CubeQuad {
  gfx::Point corner, u, v;
  uint32_t count = 1;
};
/// The visible sides of a face: one side, or three sides of an individual point.
[[nodiscard]] std::vector<CubeQuad> quadsOf(const CubeFace& face, bool separate,
                                            const CubeProjection& projection);
/// The row, column and k of the frontmost multiply-add under a screen position, if there is one.
[[nodiscard]] std::optional<CubePoint> pointUnder(const CubeStep& step,
                                                  const CubeProjection& projection,
                                                  gfx::Point place);

/// The legend of the marks on the stage. `context` must outlive the result.
[[nodiscard]] std::vector<LegendMark> cubeMarks(const Context& context);

}  // namespace tilestep::features
