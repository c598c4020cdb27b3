// SPDX-License-Identifier: Apache-2.0
#include "features/roofline/panel_plot.h"

#include <algorithm>

#include "features/roofline/panel_points.h"
#include "features/roofline/panel_roofs.h"
#include "ui/kit/plot_view.h"

namespace tilestep::features {
namespace {

using metrics::Level;

void include(RoofAxes& axes, double flopPerByte, double flopPerSecond) {
  axes.x.low = std::min(axes.x.low, flopPerByte / 2);
  axes.x.high = std::max(axes.x.high, flopPerByte * 3);
  axes.y.low = std::min(axes.y.low, flopPerSecond / 3);
}

}  // namespace

Mark markOf(Level level) {
  switch (level) {
    case Level::lanes:
      return Mark::triangle;
    case Level::l1:
      return Mark::square;
    case Level::l2:
      return Mark::diamond;
    case Level::dram:
      return Mark::circle;
    case Level::shared:
      return Mark::cross;
  }
  return Mark::circle;
}

std::string nameOf(const metrics::RooflinePoint& point) {
  return metrics::toText(point.level) + (point.hollow ? " minimum" : "");
}

std::optional<Level> focusOf(const Context& context) {
  const model::RoofFocus focus = context.ui.shownRoofFocus();
  const RooflineView& view = context.snapshot.view<RooflineView>();
  if (focus == model::RoofFocus::nearest) return view.nearest;
  const auto level = static_cast<Level>(static_cast<int>(focus) - 1);
  return view.roofOf(level) != nullptr ? std::optional(level) : view.nearest;
}

RoofAxes roofAxesOf(const RooflineView& view, std::optional<Level> focus, bool levels) {
  const double peak = view.peakFlopPerSecond.value_or(1e13);
  // Several slopes need a longer axis to fit their names.
  RoofAxes axes{{true, levels ? 0.1 : 1, 1, "FLOP/B"},
                {true, peak / (levels ? 300 : 40), 2.5 * peak, "FLOP/s"}};
  const Roof* own = focus ? view.roofOf(*focus) : nullptr;
  for (const Roof& roof : view.roofs) {
    if (!levels && own != nullptr && &roof != own) continue;
    if (!levels) axes.x.low = std::min(axes.x.low, roof.ridge / 25);
    axes.x.high = std::max(axes.x.high, 4 * roof.ridge);
  }
  for (const RoofPoint& at : view.points) {
    if (!at.flopPerSecond || (!levels && at.point.level != focus)) continue;
    include(axes, at.point.intensity.value, *at.flopPerSecond);
    // A point may lie above its roof and must also be visible.
    if (const Roof* roof = view.roofOf(at.point.level))
      include(axes, at.point.intensity.value,
              std::min(peak, at.point.intensity.value * roof->bytesPerSecond));
  }
  for (const auto* traces : {&view.trail, &view.pinned, &view.rungs})
    for (const RoofTrace& at : *traces)
      if (at.level == focus) include(axes, at.flopPerByte, at.flopPerSecond);
  return axes;
}

void drawRooflinePlot(const Context& context, ImVec2 min, ImVec2 max, bool large) {
  const RooflineView& view = context.snapshot.view<RooflineView>();
  // Without points, DRAM's roof is highlighted.
  const Level focus = focusOf(context).value_or(Level::dram);
  const RoofAxes whole = roofAxesOf(view, focus, context.ui.showsAllLevels());
  PlotView still;
  PlotView& moved = large ? context.ui.roofPlot : still;
  Plot plot(*ImGui::GetWindowDrawList(), min, max, shownAxis(whole.x, moved.x),
            shownAxis(whole.y, moved.y), plotStyleOf(context.palette));
  RoofFrame frame{context,
                  view,
                  plot,
                  focus,
                  *view.peakFlopPerSecond,
                  large,
                  context.ui.showsAllLevels(),
                  context.ui.roofOthers};
  drawRoofs(frame);
  drawMarks(frame);
  drawTrail(frame);
  drawPins(frame);
  drawRungs(frame);
  drawPoints(frame);
  labelRoofs(frame);
  labelPoints(frame);
  labelRidge(frame);
  labelMarks(frame);
  labelRungs(frame);
  labelPins(frame);
  labelRegions(frame);
  if (large)
    plotInput("roofline", plot, whole.x, whole.y, moved.x, moved.y, moved.cursor,
              {true, true, &context.ui.plotKeys});
  if (!frame.hover.empty()) showTooltip(context, frame.hover);
}

}  // namespace tilestep::features
