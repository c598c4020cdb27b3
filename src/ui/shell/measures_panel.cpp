// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "features/gains/view.h"
#include "features/load_history/view.h"
#include "ui/kit/section.h"
#include "ui/kit/widgets.h"
#include "ui/shell/panels.h"

namespace tilestep::ui {
namespace {

/// What is drawn while it lives is a view's picture.
class Noted {
 public:
  Noted(const Context& context, std::string_view view)
      : box_(context.ui.viewBoxes[std::string(view)]),
        start_(ImGui::GetCursorScreenPos()),
        width_(ImGui::GetContentRegionAvail().x),
        margin_(0.6F * context.em),
        heading_(1.8F * context.em) {}
  ~Noted() {
    // What is scrolled out of the panel is no picture.
    const float window = ImGui::GetWindowPos().y;
    const float top = std::max(start_.y - heading_, window);
    const float end = std::min(ImGui::GetCursorScreenPos().y, window + ImGui::GetWindowHeight());
    box_ = {start_.x - margin_, top, width_ + 2 * margin_, end - top};
  }
  Noted(const Noted&) = delete;
  Noted& operator=(const Noted&) = delete;

 private:
  gfx::Box& box_;
  ImVec2 start_;
  float width_, margin_, heading_;
};

/// The plot of a presentation, as large as there is room; V shows the next.
void drawAlone(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  const model::Plot plot = context.ui.plot;
  heading(context, nameOf(plot), "V: next");
  const float height = ImGui::GetContentRegionAvail().y;
  switch (plot) {
    case model::Plot::story:
      if (now.view<model::LoadHistoryView>().story) {
        const Noted noted(context, "story");
        return drawStory(context, std::max(height - 3 * context.em, 8 * context.em));
      }
      return hint(context, "Nothing to compare phase by phase yet.");
    case model::Plot::roofline: {
      const Noted noted(context, "roofline");
      return drawRoofline(context, std::max(height - 3.6F * context.em, 8 * context.em));
    }
    case model::Plot::gains:
      if (now.view<model::GainsView>().known) {
        const Noted noted(context, "gains");
        return drawGains(context);
      }
      return hint(context, "Only products are compared with the naive kernel.");
    case model::Plot::traffic: {
      const Noted noted(context, "traffic");
      return drawTraffic(context);
    }
    case model::Plot::history: {
      const Noted noted(context, "history");
      return drawHistory(context, std::max(height, 8 * context.em));
    }
    case model::Plot::occupancy: {
      const Noted noted(context, "occupancy");
      return drawOccupancy(context, height);
    }
  }
}

}  // namespace

void drawMeasures(const Context& context, const Sections& sections) {
  if (context.ui.presenting) return drawAlone(context);
  if (context.ui.occupancyAlone) {
    heading(context, "Occupancy", "O: all plots and tables");
    const Noted noted(context, "occupancy");
    return drawOccupancy(context, ImGui::GetContentRegionAvail().y);
  }
  const float room = ImGui::GetContentRegionAvail().y;
  for (const std::unique_ptr<Section>& section : sections) {
    const std::optional<Section::Heading> title = section->heading(context);
    if (!title || !foldingHeading(context, title->title.c_str(), title->aside)) continue;
    const Noted noted(context, section->table());
    section->draw(context, room);
  }
}

}  // namespace tilestep::ui
