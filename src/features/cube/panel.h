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

/// The stage: how many multiply-adds are done and what they loaded, the step's sentence, the cube,
/// and beside it the phases as a table where there is room.
void drawCube(const Context& context);

/// Turns the cube while it is on the stage, and switches between it and the flat scene.
bool handleCube(const gfx::KeyEvent& event, UiState& ui);

/// The phases as a table, as many as fit, the present one among them.
void drawCubeTable(const Context& context, const CubeView& view, float height);
/// How wide that table is, pixels.
[[nodiscard]] float widthOfCubeTable(const Context& context, const CubeView& view);

/// The colours of the cube's parts.
struct CubeColours {
  /// The visible side of a point; without its mark, of one that is to come.
  [[nodiscard]] gfx::Color point(const CubeMark& mark, CubeSide side) const;
  /// Of loaded elements in M and N.
  [[nodiscard]] gfx::Color loaded(bool now) const;
  const gfx::Palette& palette;
};

/// The cube drawn into a box of the current window. Dragging turns it.
void drawCubePicture(const Context& context, const CubeView& view, const gfx::Box& box);

/// A parallelogram on the screen, which `count` points side by side fill along u.
struct CubeQuad {
  gfx::Point corner, u, v;
  uint32_t count = 1;
};
/// The visible sides of a face: one, or of a point that is drawn by itself three.
[[nodiscard]] std::vector<CubeQuad> quadsOf(const CubeFace& face, bool separate,
                                            const CubeProjection& projection);
/// The multiply-add in front under a place of the screen, if there is one: its row, column and k.
[[nodiscard]] std::optional<CubePoint> pointUnder(const CubeStep& step,
                                                  const CubeProjection& projection,
                                                  gfx::Point place);

/// The meaning of the marks on the stage. `context` must outlive them.
[[nodiscard]] std::vector<LegendMark> cubeMarks(const Context& context);

}  // namespace tilestep::features
