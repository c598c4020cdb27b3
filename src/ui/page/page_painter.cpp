// SPDX-License-Identifier: Apache-2.0
#include "ui/page/page_painter.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gfx/drawing/frame_drawing.h"
#include "gfx/drawing/scene_drawing.h"
#include "ui/kit/panels.h"

namespace tilestep::ui {
namespace {

/// In pixels. Views that scroll in the window are drawn at the full height of their content, and
/// then trimmed.
constexpr float kWidth = 360, kSceneHeight = 400, kStageWidth = 400, kStageHeight = 420,
                kDetailHeight = 420, kLadderHeight = 900;
constexpr float kMargin = 4;  ///< Around the drawing, in pixels.

/// The box without the empty parts above and below all shapes.
gfx::Box trimmed(const gfx::Drawing& drawing, const gfx::Box& box) {
  float top = box.y + box.height, bottom = box.y;
  for (const gfx::Shape& shape : drawing.shapes) {
    const gfx::Box bounds = gfx::boundsOf(shape);
    const float from = std::max(bounds.y, shape.clip.y);
    const float to = std::min(bounds.y + bounds.height, shape.clip.y + shape.clip.height);
    const bool across = bounds.x + bounds.width > box.x && bounds.x < box.x + box.width;
    if (to <= from || !across) continue;
    top = std::min(top, from);
    bottom = std::max(bottom, to);
  }
  top = std::max(std::floor(top - kMargin), box.y);
  bottom = std::min(std::ceil(bottom + kMargin), box.y + box.height);
  return bottom > top ? gfx::Box{box.x, top, box.width, bottom - top} : box;
}

}  // namespace

gfx::Drawing PagePainter::drawing(const Request& request, Theme theme, const Draw& draw) {
  UiState ui = withoutPerson(request.ui);
  ui.theme = theme;
  const gfx::Palette palette = paletteOf(theme);
  frame_.draw({request.now, request.session, ui, palette, request.width, request.height}, draw);
  return gfx::drawingOf(*ImGui::GetDrawData(), {});
}

PagePanel PagePainter::panel(const Request& request, const Draw& draw) {
  PagePanel panel{drawing(request, Theme::light, draw),
                  drawing(request, Theme::dark, draw),
                  {0, 0, request.width, request.height}};
  panel.box = trimmed(panel.light, panel.box);
  return panel;
}

std::vector<PagePanel> PagePainter::scenes(const model::Snapshot& now, model::Session& session,
                                           const UiState& ui) {
  const HiddenFrame::Current current(frame_);
  // The sentence above the scenes is omitted: the page has it as text.
  const float count = now.companion ? 2 : 1, gap = 2 * frame_.fonts().textPixels;
  const Request request{now, session, ui, count * kWidth + gap, kSceneHeight + 4 * gap};
  const Draw draw = [&](const Context& context) { scene_->draw(context, 1, 0); };
  const auto described = [&](Theme theme) {
    gfx::Drawing labels, whole;
    const auto paint = [&] { labels = drawing(request, theme, draw); };
    paint();
    paintUntilStill([&] { return scene_->moving(); }, paint);
    for (const gfx::SceneCall& scene : scene_->shown()) gfx::describeScene(scene, whole);
    std::ranges::move(labels.shapes, std::back_inserter(whole.shapes));
    return whole;
  };
  const gfx::Drawing light = described(Theme::light), dark = described(Theme::dark);
  std::vector<PagePanel> panels;
  for (const gfx::SceneCall& scene : scene_->shown())
    panels.push_back({light, dark, trimmed(light, scene.view.viewport)});
  return panels;
}

PagePanel PagePainter::stage(const model::Snapshot& now, model::Session& session,
                             const UiState& ui) {
  const HiddenFrame::Current current(frame_);
  const float height = ui.stage == Stage::sweeps ? kLadderHeight : kStageHeight;
  return panel({now, session, ui, kStageWidth, height}, drawStage);
}

PagePanel PagePainter::detail(const model::Snapshot& now, model::Session& session,
                              const UiState& ui) {
  const HiddenFrame::Current current(frame_);
  return panel({now, session, ui, kStageWidth, kDetailHeight}, [](const Context& context) {
    drawPart(context.ui.threadView ? Part::thread : Part::warp, context);
  });
}

}  // namespace tilestep::ui
