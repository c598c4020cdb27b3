// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "ui/panels.h"
#include "ui/plot.h"
#include "ui/widgets.h"

namespace tilestep::ui {
namespace {

using metrics::Level;
using session::Roof;
using session::RooflineView;
using session::RoofPoint;

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
  }
  return Mark::circle;
}

const char* nameOf(const metrics::RooflinePoint& point) {
  switch (point.level) {
    case Level::lanes:
      return "asked by lanes";
    case Level::l1:
      return "L1 sectors";
    case Level::l2:
      return "L2";
    case Level::dram:
      return point.hollow ? "DRAM minimum" : "DRAM";
  }
  return "";
}

struct Ranges {
  PlotAxis x{true, 0.01, 1000, "FLOP/B"};
  PlotAxis y{true, 1e10, 1e14, "FLOP/s"};
};

Ranges rangesOf(const RooflineView& view) {
  Ranges ranges;
  double low = 0.1, high = 100;
  const double peak = view.peakFlopPerSecond.value_or(1e13);
  double bottom = peak / 300;
  for (const Roof& roof : view.roofs)
    if (roof.level == Level::dram) high = std::max(high, 4 * peak / roof.bytesPerSecond);
  for (const RoofPoint& point : view.points) {
    low = std::min(low, point.point.intensity.value / 2);
    high = std::max(high, point.point.intensity.value * 3);
    if (point.flopPerSecond) bottom = std::min(bottom, *point.flopPerSecond / 3);
  }
  ranges.x.low = low;
  ranges.x.high = high;
  ranges.y.low = bottom;
  ranges.y.high = 3 * peak;
  return ranges;
}

/// The slope up to the ridge, then the flat.
void drawRoof(Plot& plot, const Ranges& ranges, const Roof& roof, double peak, ImU32 color,
              bool dashed) {
  const double ridge = peak / roof.bytesPerSecond;
  plot.segment(ranges.x.low, ranges.x.low * roof.bytesPerSecond, ridge, peak, color, 2, dashed);
  plot.segment(ridge, peak, ranges.x.high, peak, color, 2, false);
  constexpr int kSteps = 60;  // Labels keep off the line.
  for (int i = 0; i <= kSteps; ++i) {
    const double x = ranges.x.low * std::pow(ranges.x.high / ranges.x.low, i / double{kSteps});
    const ImVec2 at = plot.pixel(x, std::min(peak, x * roof.bytesPerSecond));
    plot.keepClear({at.x - 3, at.y - 3}, {at.x + 3, at.y + 3});
  }
}

void labelRoof(Plot& plot, const Ranges& ranges, const Roof& roof, double peak, ImU32 color) {
  const double ridge = peak / roof.bytesPerSecond;
  const double start = std::max(ranges.x.low, ranges.y.low / roof.bytesPerSecond);
  // A third of the way up the visible slope, or wherever else there is room.
  for (const double share : {0.4, 0.15, 0.65, 0.9}) {
    const double x = start * std::pow(ridge / start, share);
    if (plot.label(x, x * roof.bytesPerSecond, roof.name, color)) return;
  }
}

void drawPoints(const Context& context, Plot& plot, const RooflineView& view) {
  const gfx::Palette& p = context.palette;
  const std::string* hover = nullptr;
  for (const RoofPoint& at : view.points) {
    if (!at.flopPerSecond) continue;
    const bool now = !at.companion && at.point.level != Level::dram;
    const gfx::Color color = at.companion ? p.mutedText : now ? p.accent : p.text;
    const float radius = (at.companion ? 0.26F : 0.34F) * context.em;
    const bool hollow = at.point.hollow || at.bound;
    // A dashed line to the point's own roof: how much room is left, or how far caches carry it.
    if (!at.bound && !at.companion && at.attainable)
      plot.segment(at.point.intensity.value, *at.flopPerSecond, at.point.intensity.value,
                   *at.attainable, colour(color, 0.6F), 1, true);
    if (plot.point(at.point.intensity.value, *at.flopPerSecond, markOf(at.point.level), radius,
                   colour(color), hollow))
      hover = &at.hover;
  }
  if (hover != nullptr) showTooltip(context, *hover);
}

void labelPoints(const Context& context, Plot& plot, const RooflineView& view) {
  const session::Snapshot& now = context.snapshot;
  for (const RoofPoint& at : view.points) {
    if (!at.flopPerSecond || at.point.level != Level::lanes) continue;
    const auto& result = at.companion ? now.figuresCompanion : now.figuresMain;
    const std::string name = session::shortNameOf(result->kernel);
    plot.label(at.point.intensity.value, *at.flopPerSecond, name,
               colour(at.companion ? context.palette.mutedText : context.palette.text));
  }
}

void drawLegend(const Context& context, const RooflineView& view) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = context.fonts.smallPixels;
  bool first = true;
  for (const Level level : {Level::lanes, Level::l1, Level::l2, Level::dram}) {
    const auto same = [&](const RoofPoint& at) {
      return at.point.level == level && !at.companion && at.flopPerSecond;
    };
    const auto found = std::ranges::find_if(view.points, same);
    if (found == view.points.end()) continue;
    if (!first) ImGui::SameLine(0, em);
    first = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawMark(list, {at.x + 0.45F * em, at.y + 0.6F * em}, markOf(level), 0.32F * em,
             colour(context.palette.text), found->point.hollow || found->bound, 1.5F);
    ImGui::Dummy({0.8F * em, em});
    ImGui::SameLine(0, 0.3F * em);
    muted(context, nameOf(found->point));
    tooltip(context, found->hover);
  }
  ImGui::PopFont();
}

PlotStyle styleOf(const Context& context) {
  const gfx::Palette& p = context.palette;
  return {colour(p.strongLine), colour(p.line, 0.7F),   colour(p.text),
          colour(p.mutedText),  colour(p.text, 0.025F), 1.5F};
}

}  // namespace

void drawRoofline(const Context& context, float height) {
  const RooflineView& view = context.snapshot.roofline;
  if (view.roofs.empty() || !view.peakFlopPerSecond) {
    hint(context, context.snapshot.device.empty()
                      ? "Waiting for the worker."
                      : "No roofs yet: they are measured on a GPU, or read from assets/devices.");
    return;
  }
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float plotHeight = height - 1.6F * context.em;
  const Ranges ranges = rangesOf(view);
  const double peak = *view.peakFlopPerSecond;
  const gfx::Palette& p = context.palette;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  {
    Plot plot(list, at, {at.x + width, at.y + plotHeight}, ranges.x, ranges.y, styleOf(context));
    for (const Roof& roof : view.roofs)
      drawRoof(plot, ranges, roof, peak, colour(p.strongLine), false);
    drawPoints(context, plot, view);
    labelPoints(context, plot, view);
    for (const Roof& roof : view.roofs) labelRoof(plot, ranges, roof, peak, colour(p.mutedText));
    plot.label(ranges.x.high / 3, peak, "FP32 " + toText(peak, Unit::flopPerSecond),
               colour(p.mutedText));
  }
  ImGui::Dummy({width, plotHeight});
  ImGui::PopFont();
  drawLegend(context, view);
  if (context.snapshot.figuresOfBlock)
    hint(context, "No points: the whole grid was not run at this size. C counts it.");
  else if (view.points.empty() && context.snapshot.figuresMain)
    hint(context, context.snapshot.figuresMain->counters
                      ? "No points: this kernel does no floating-point work that is counted."
                      : "No points: nothing was counted at these sizes.");
  else if (!view.measured || !context.snapshot.measures)
    hint(context, "Hollow: bounds, computed. " +
                      std::string(view.of.empty() ? "" : "Points: " + view.of + "."));
}

}  // namespace tilestep::ui
