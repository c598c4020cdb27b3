// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "features/timeline/panel_picture.h"
#include "features/timeline/timeline_view.h"
#include "ui/kit/key_signs.h"

namespace tilestep::features {

bool handleTimeline(const gfx::KeyEvent& event, model::Session& session, UiState& ui) {
  const auto snapshot = session.snapshot();
  if (ui.stage != Stage::timeline || !snapshot->view<TimelineStage>().view) return false;
  auto& look = ui.looks.of<TimelineLook>();
  const TimelineNow now = timelineNow(*snapshot, look);
  const TimelineView& view = now.view;
  const std::optional<Arrow> arrow = arrowOf(event.key);
  if (look.of != snapshot->view<TimelineStage>().view)
    look = {snapshot->view<TimelineStage>().view, std::nullopt, std::nullopt};
  constexpr double kZoom = 1.5, kStep = 0.2;
  const int in = zoomOf(event.key);
  if (event.control && in != 0) {
    look.range = zoomed(view, now.range, 0.5, 0.5, in > 0 ? kZoom : 1 / kZoom, ZoomAxes::both);
  } else if (event.alt && arrow) {
    look.range = panned(view, now.range, kStep * arrow->x, kStep * arrow->y);
  } else if (event.control && arrow && !snapshot->view<TimelineStage>().sameGrid) {
    Dim3 at = now.chosen ? view.blockAt(*now.chosen) : Dim3{0, 0, 0};
    at.x = std::min(at.x + static_cast<uint32_t>(std::max(arrow->x, 0)), view.grid.x - 1);
    at.y = std::min(at.y + static_cast<uint32_t>(std::max(arrow->y, 0)), view.grid.y - 1);
    if (arrow->x < 0 && at.x > 0) --at.x;
    if (arrow->y < 0 && at.y > 0) --at.y;
    look.chosen = view.indexOf(at);
  } else if (event.text == U'f' || event.text == U'F') {
    look.range.reset();
  } else if ((event.text == U'z' || event.text == U'Z') && now.chosen) {
    look.range = rangeOfBlock(view, *now.chosen);
  } else if (event.key == gfx::Key::enter && now.chosen &&
             !snapshot->view<TimelineStage>().sameGrid) {
    session.apply(model::command("timeline.block", view.blockAt(*now.chosen)));
  } else {
    return false;
  }
  return true;
}

}  // namespace tilestep::features
