// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "features/occupancy/occupancy_view.h"
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
      if (now.story) {
        const Noted noted(context, "story");
        return drawStory(context, std::max(height - 3 * context.em, 8 * context.em));
      }
      return hint(context, "Nothing to compare phase by phase yet.");
    case model::Plot::roofline: {
      const Noted noted(context, "roofline");
      return drawRoofline(context, std::max(height - 3.6F * context.em, 8 * context.em));
    }
    case model::Plot::gains:
      if (now.gainsKnown) {
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

void drawMeasures(const Context& context) {
  if (context.ui.presenting) return drawAlone(context);
  const float height = ImGui::GetContentRegionAvail().y;
  if (context.ui.occupancyAlone) {
    heading(context, "Occupancy", "O: all plots and tables");
    const Noted noted(context, "occupancy");
    return drawOccupancy(context, ImGui::GetContentRegionAvail().y);
  }
  const model::RooflineView& roofline = context.snapshot.roofline;
  const std::string origin =
      roofline.device.empty() ? "" : roofline.device + " · " + roofline.origin;
  if (context.ui.stage != Stage::roofline && foldingHeading(context, "Roofline", origin)) {
    const Noted noted(context, "roofline");
    drawRoofline(context, std::clamp(0.36F * height, 16 * context.em, 28 * context.em));
  }
  const model::Snapshot& now = context.snapshot;
  if (now.gainsKnown) {
    if (foldingHeading(context, "What tiling changes", now.gains.of)) {
      const Noted noted(context, "gains");
      drawGains(context);
    }
  }
  if (now.story && foldingHeading(context, "As the phases pass")) {
    const Noted noted(context, "story");
    drawStory(context, 9 * context.em);
  }
  if (foldingHeading(context, "Traffic")) {
    const Noted noted(context, "traffic");
    drawTraffic(context);
  }
  const auto* occupancy = now.views.get<model::OccupancyView>();
  if (occupancy != nullptr && foldingHeading(context, "Occupancy", occupancy->device)) {
    const Noted noted(context, "occupancy");
    drawOccupancy(context, 0);
  }
  const char* title = now.measures ? "Over the last changes" : "Over the last changes, counted";
  if (foldingHeading(context, title)) {
    const Noted noted(context, "history");
    drawHistory(context, std::max(ImGui::GetContentRegionAvail().y, 7 * context.em));
  }
}

}  // namespace tilestep::ui
