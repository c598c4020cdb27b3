// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "features/panel_registry.h"
#include "ui/kit/panels.h"
#include "ui/kit/tunable_slider.h"
#include "ui/kit/widgets.h"
#include "ui/shell/help/glossary.h"
#include "ui/shell/layout.h"

namespace tilestep::ui {
namespace {

/// Records a view's box: the area that is drawn during this object's lifetime.
class Noted {
 public:
  Noted(const Context& context, std::string_view view)
      : box_(context.ui.viewBoxes[std::string(view)]),
        start_(ImGui::GetCursorScreenPos()),
        width_(ImGui::GetContentRegionAvail().x),
        margin_(0.6F * context.em),
        heading_(1.8F * context.em) {}
  ~Noted() {
    // Parts that are scrolled out of the panel do not count.
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

const FeaturePanel* panelOf(model::PlotKind plot) {
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    if (feature->plot() == plot) return feature.get();
  return nullptr;
}

/// The plot of a presentation, above the slider. V shows the next plot. If the chosen plot is
/// unavailable, the panel gives the reason and shows the next available one.
void drawAlone(const Context& context) {
  const float slider = presentedHeight(context);
  const float bottom = ImGui::GetCursorPosY() + ImGui::GetContentRegionAvail().y - slider;
  std::string why, reason;  // For the chosen plot, and for the candidate.
  model::PlotKind plot = context.ui.shownPlot();
  const FeaturePanel* feature = panelOf(plot);
  for (size_t i = 0; i < model::kPlots && feature != nullptr; ++i) {
    reason = feature->whyNoPlot(context);
    if (reason.empty()) break;
    if (why.empty()) why = reason;
    plot = nextPlot(plot);
    feature = panelOf(plot);
  }
  heading(context, nameOf(plot), "V: next");
  if (!why.empty()) hint(context, why.c_str());
  if (feature != nullptr && reason.empty()) {
    const Noted noted(context, feature->table());
    // Longer text scrolls, so that the slider stays in place.
    const float height = bottom - ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y;
    compat::beginPart("plot", std::max(height, 4 * context.em));
    feature->drawPlot(context, ImGui::GetContentRegionAvail().y);
    ImGui::EndChild();
  }
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), bottom));
  drawPart(Part::presentedTunable, context);
}

/// Shows only occupancy. `below` is the height that stays free.
void drawOccupancyAlone(const Context& context, float below) {
  heading(context, "Occupancy",
          context.ui.inLessonDensity() ? "O: the speed" : "O: all plots and tables");
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels()) {
    if (feature->plot() != model::PlotKind::occupancy) continue;
    const Noted noted(context, feature->table());
    feature->drawPlot(context, ImGui::GetContentRegionAvail().y - below);
  }
}

void drawSpeed(const Context& context, float room) {
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels()) {
    if (feature->plot() != model::PlotKind::speed) continue;
    const std::optional<FeaturePanel::Heading> title = feature->heading(context);
    if (!title) continue;
    heading(context, title->title.c_str(), title->aside.c_str());
    const Noted noted(context, feature->table());
    feature->drawSection(context, room);
  }
}

/// In a lesson's column: the controls, and the speed if the step is about it.
void drawBelowLesson(const Context& context) {
  UiState& ui = context.ui;
  drawLessonControls(context);
  ui.lessonControlsHeight = ImGui::GetCursorPosY() + ImGui::GetStyle().WindowPadding.y;
  if (!ui.plotServes) return;
  ImGui::Dummy({0, 0.3F * context.em});
  ui.showsOccupancyAlone() ? drawOccupancyAlone(context, 0)
                           : drawSpeed(context, ImGui::GetContentRegionAvail().y);
}

/// The same in a presentation: a plot above the slider, if the step is about the plot and it fits.
void drawBelowPresentedLesson(const Context& context) {
  const float controls = presentedHeight(context);
  context.ui.lessonControlsHeight = controls + 2 * ImGui::GetStyle().WindowPadding.y;
  const bool hasRoom = ImGui::GetContentRegionAvail().y > controls + 4 * context.em;
  if (context.ui.plotServes && hasRoom)
    drawAlone(context);
  else
    drawPart(Part::presentedTunable, context);
}

/// In the lesson's density: the controls, and the speed or the step's plot.
void drawFew(const Context& context) {
  drawLessonControls(context);
  const float room = ImGui::GetContentRegionAvail().y;
  ImGui::Dummy({0, 0.3F * context.em});
  if (context.ui.showsOccupancyAlone())
    drawOccupancyAlone(context, 2 * ImGui::GetFrameHeightWithSpacing());
  else
    drawSpeed(context, room);
  ImGui::Dummy({0, 0.3F * context.em});
  if (ImGui::SmallButton("Legend and words")) toggleGlossary(context.ui);
  tooltip(context, "What the marks of this view mean, and a glossary (F7)");
}

}  // namespace

void drawMeasures(const Context& context) {
  if (isLessonBeside(context.ui, ImGui::GetIO().DisplaySize.x, context.em))
    return context.ui.presenting ? drawBelowPresentedLesson(context) : drawBelowLesson(context);
  if (context.ui.presenting) return drawAlone(context);
  if (context.ui.inLessonDensity()) return drawFew(context);
  if (context.ui.showsOccupancyAlone()) return drawOccupancyAlone(context, 0);
  const float room = ImGui::GetContentRegionAvail().y;
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels()) {
    const std::optional<FeaturePanel::Heading> title = feature->heading(context);
    if (!title || !foldingHeading(context, title->title.c_str(), title->aside)) continue;
    const Noted noted(context, feature->table());
    feature->drawSection(context, room);
  }
}

}  // namespace tilestep::ui
