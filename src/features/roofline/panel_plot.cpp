// SPDX-License-Identifier: Apache-2.0
#include "features/roofline/panel_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "features/roofline/panel_roof_names.h"
#include "features/roofline/roofline_view.h"
#include "ui/kit/plot_view.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using metrics::Level;
using model::Roof;
using model::RooflineView;
using model::RoofPoint;
using model::RoofTrace;

void include(RoofAxes& axes, double flopPerByte, double flopPerSecond) {
  axes.x.low = std::min(axes.x.low, flopPerByte / 2);
  axes.x.high = std::max(axes.x.high, flopPerByte * 3);
  axes.y.low = std::min(axes.y.low, flopPerSecond / 3);
}

/// One frame of the plot: the state that all its parts need.
struct PlotFrame {
  const Context& context;
  const RooflineView& view;
  Plot& plot;
  std::optional<Level> focus;
  double peak = 0;
  bool large = false;
  std::string hover;  ///< For the item under the pointer; the last one drawn wins.

  [[nodiscard]] const Roof* focusRoof() const { return focus ? view.roofOf(*focus) : nullptr; }
  [[nodiscard]] const gfx::Palette& palette() const { return context.palette; }
  [[nodiscard]] double lowX() const { return plot.x().low; }
  [[nodiscard]] double highX() const { return plot.x().high; }
};

// Regions in two tints of the categories; their labels say which is which.
constexpr int kMemoryTint = 1, kComputeTint = 0;

void drawRegions(PlotFrame& frame) {
  const Roof* roof = frame.focusRoof();
  if (roof == nullptr) return;
  const double low = frame.lowX(), high = frame.highX(), floor = frame.plot.y().low;
  const auto on = [&](double x) { return x * roof->bytesPerSecond; };
  const gfx::Palette& p = frame.palette();
  const float alpha = p.highContrast ? 0.22F : 0.11F;
  const double ridge = roof->ridge;
  if (ridge > low)
    frame.plot.area({{low, floor}, {low, on(low)}, {ridge, frame.peak}, {ridge, floor}},
                    colour(p.category(kMemoryTint), alpha));
  if (ridge < high)
    frame.plot.area({{ridge, floor}, {ridge, frame.peak}, {high, frame.peak}, {high, floor}},
                    colour(p.category(kComputeTint), alpha));
}

/// The longest of the texts that fits between two x, drawn at the bottom of the plot.
void writeRegion(PlotFrame& frame, double from, double to, const std::vector<std::string>& texts) {
  const float left = std::max(frame.plot.pixel(from, frame.peak).x, frame.plot.min().x);
  const float right = std::min(frame.plot.pixel(to, frame.peak).x, frame.plot.max().x);
  const float em = ImGui::GetFontSize();
  for (const std::string& text : texts) {
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    if (width + em > right - left) continue;
    const float x = (left + right - width) / 2;
    for (const float up : {1.5F, 3.0F})
      if (frame.plot.text({x, frame.plot.max().y - up * em}, text,
                          colour(frame.palette().mutedText)))
        return;
  }
}

void writeRegions(PlotFrame& frame) {
  const Roof* roof = frame.focusRoof();
  if (roof == nullptr) return;
  // A region says which roof lies over it. The limit of a kernel is another question: a point may
  // lie far below that roof.
  const std::string name = metrics::toText(roof->level);
  writeRegion(frame, frame.lowX(), roof->ridge,
              {"left of the ridge: the bandwidth of " + name + " is the roof",
               "bandwidth of " + name + " is the roof", "bandwidth is the roof", "bandwidth"});
  writeRegion(frame, roof->ridge, frame.highX(),
              {"right of the ridge: FP32 is the roof", "FP32 is the roof", "FP32"});
}

/// The slope up to the ridge, then the flat.
void drawRoof(PlotFrame& frame, const Roof& roof) {
  const gfx::Palette& p = frame.palette();
  const bool focus = &roof == frame.focusRoof();
  const ImU32 line = colour(focus ? p.text : p.strongLine);
  const float thick = focus ? 2.5F : 1.5F;
  const double low = frame.lowX(), high = frame.highX();
  frame.plot.segment(low, low * roof.bytesPerSecond, roof.ridge, frame.peak, line, thick, false);
  frame.plot.segment(roof.ridge, frame.peak, high, frame.peak, line, thick, false);
  frame.plot.point(roof.ridge, frame.peak, Mark::circle, (focus ? 0.28F : 0.2F) * frame.context.em,
                   line, true);
}

/// Keeps later labels off the roof's line.
void keepOff(PlotFrame& frame, const Roof& roof) {
  constexpr int kSteps = 200;
  const double low = frame.lowX(), high = frame.highX();
  for (int i = 0; i <= kSteps; ++i) {
    const double x = low * std::pow(high / low, i / double{kSteps});
    const ImVec2 at = frame.plot.pixel(x, std::min(frame.peak, x * roof.bytesPerSecond));
    frame.plot.keepClear({at.x - 3, at.y - 3}, {at.x + 3, at.y + 3});
  }
}

/// The background of labels that may lie over lines.
ImU32 boxOf(const PlotFrame& frame) {
  return colour(frame.palette().surface, 0.7F);
}

/// The names of the roofs, the highlighted one's first.
void labelRoofs(PlotFrame& frame) {
  const gfx::Palette& p = frame.palette();
  std::vector<RoofName> names;
  double ridge = frame.highX();
  for (const Roof& roof : frame.view.roofs) {
    const bool focus = &roof == frame.focusRoof();
    ridge = std::min(ridge, roof.ridge);
    const RoofName name{{frame.lowX(), frame.lowX() * roof.bytesPerSecond},
                        {roof.ridge, frame.peak},
                        {roof.name, roof.name.substr(0, roof.name.find(' '))},
                        colour(focus ? p.text : p.mutedText)};
    names.insert(focus ? names.begin() : names.end(), name);
  }
  names.push_back({{ridge, frame.peak},
                   {frame.highX(), frame.peak},
                   {"FP32 " + toText(frame.peak, Unit::flopPerSecond), "FP32"},
                   colour(p.mutedText)});
  nameRoofs(frame.plot, names, boxOf(frame));
}

void labelRidge(PlotFrame& frame) {
  const Roof* roof = frame.focusRoof();
  if (roof != nullptr && frame.large)
    frame.plot.label(roof->ridge, frame.peak, "ridge " + toText(roof->ridge, Unit::flopPerByte),
                     colour(frame.palette().mutedText));
}

void drawMarks(PlotFrame& frame) {
  const gfx::Palette& p = frame.palette();
  for (const model::ReferenceMark& mark : frame.view.marks) {
    frame.plot.segment(frame.lowX(), mark.flopPerSecond, frame.highX(), mark.flopPerSecond,
                       colour(p.text, 0.75F), 1, true);
    const ImVec2 at = frame.plot.pixel(frame.highX(), mark.flopPerSecond);
    frame.plot.keepClear({frame.plot.min().x, at.y - 2}, {frame.plot.max().x, at.y + 2});
    const ImVec2 min{frame.plot.min().x, at.y - 4}, max{frame.plot.max().x, at.y + 4};
    if (ImGui::IsMouseHoveringRect(min, max))
      frame.hover =
          mark.name + ": " + toText(mark.flopPerSecond, Unit::flopPerSecond) + "\n" + mark.origin;
  }
}

void labelMarks(PlotFrame& frame) {
  for (const model::ReferenceMark& mark : frame.view.marks) {
    const std::string text = mark.name + " " + toText(mark.flopPerSecond, Unit::flopPerSecond);
    const float em = ImGui::GetFontSize(), width = ImGui::CalcTextSize(text.c_str()).x;
    const float y = frame.plot.pixel(frame.highX(), mark.flopPerSecond).y;
    const float x = frame.plot.max().x - width - 0.4F * em;
    const ImU32 colour_ = colour(frame.palette().text);
    if (!frame.plot.text({x, y - 1.3F * em}, text, colour_))
      frame.plot.text({x, y + 0.3F * em}, text, colour_);
  }
}

/// Earlier points at the highlighted level, fading with age, connected up to the present one.
void drawTrail(PlotFrame& frame) {
  std::vector<const RoofTrace*> trail;
  for (const RoofTrace& at : frame.view.trail)
    if (at.level == frame.focus) trail.push_back(&at);
  const gfx::Palette& p = frame.palette();
  const float em = frame.context.em;
  const auto fade = [&](size_t i) {
    return 0.2F + 0.6F * static_cast<float>(i + 1) / static_cast<float>(trail.size());
  };
  for (size_t i = 1; i < trail.size(); ++i)
    frame.plot.segment(trail[i - 1]->flopPerByte, trail[i - 1]->flopPerSecond,
                       trail[i]->flopPerByte, trail[i]->flopPerSecond,
                       colour(p.mutedText, 0.5F * fade(i)), 1, false);
  for (size_t i = 0; i < trail.size(); ++i) {
    const bool newest = i + 1 == trail.size();
    const RoofTrace& at = *trail[i];
    if (frame.plot.point(at.flopPerByte, at.flopPerSecond, Mark::circle,
                         (newest ? 0.26F : 0.17F) * em, colour(p.mutedText, fade(i)), newest))
      frame.hover = "an earlier choice of this kernel: " + at.name + "\n" +
                    toText(at.flopPerSecond, Unit::flopPerSecond) + " at " +
                    toText(at.flopPerByte, Unit::flopPerByte) +
                    (at.bound ? ", a bound (computed)" : ", measured");
  }
  if (trail.empty()) return;
  const auto isNow = [&](const RoofPoint& at) {
    return !at.companion && at.point.level == frame.focus && at.flopPerSecond;
  };
  const auto now = std::ranges::find_if(frame.view.points, isNow);
  if (now != frame.view.points.end())
    frame.plot.segment(trail.back()->flopPerByte, trail.back()->flopPerSecond,
                       now->point.intensity.value, *now->flopPerSecond, colour(p.accent, 0.6F), 1,
                       false);
}

/// The ladder's rungs at the highlighted level, with their numbers.
void drawRungs(PlotFrame& frame) {
  const gfx::Palette& p = frame.palette();
  for (const RoofTrace& at : frame.view.rungs) {
    if (at.level != frame.focus) continue;
    if (frame.plot.point(at.flopPerByte, at.flopPerSecond, Mark::square, 0.12F * frame.context.em,
                         colour(p.text, 0.8F), false))
      frame.hover = at.name + "\n" + toText(at.flopPerSecond, Unit::flopPerSecond) +
                    ", measured, at " + toText(at.flopPerByte, Unit::flopPerByte) + ", " + at.how;
  }
}

/// Drawn last, so that they yield to all other labels.
void labelRungs(PlotFrame& frame) {
  const ImU32 ink = colour(frame.palette().mutedText);
  for (const RoofTrace& at : frame.view.rungs)
    if (at.level == frame.focus)
      frame.plot.label(at.flopPerByte, at.flopPerSecond, std::to_string(at.number), ink);
}

void drawPins(PlotFrame& frame) {
  const gfx::Palette& p = frame.palette();
  for (const RoofTrace& at : frame.view.pinned) {
    if (at.level != frame.focus) continue;
    const gfx::Color tint = p.category(static_cast<int>(at.colour));
    if (frame.plot.point(at.flopPerByte, at.flopPerSecond, markOf(at.level),
                         0.32F * frame.context.em, colour(tint), at.bound))
      frame.hover = "pinned: " + at.name + "\n" + toText(at.flopPerSecond, Unit::flopPerSecond) +
                    " at " + toText(at.flopPerByte, Unit::flopPerByte) + ", " +
                    metrics::toText(at.level) +
                    (at.bound ? "; a bound under these roofs (computed)" : "; measured");
  }
}

void labelPins(PlotFrame& frame) {
  if (!frame.large) return;  // Names are shown on hover and in the table of runs.
  for (const RoofTrace& at : frame.view.pinned)
    if (at.level == frame.focus)
      frame.plot.label(at.flopPerByte, at.flopPerSecond, at.name,
                       colour(frame.palette().text, 0.85F));
}

void drawPoint(PlotFrame& frame, const RoofPoint& at) {
  const gfx::Palette& p = frame.palette();
  const double x = at.point.intensity.value, y = *at.flopPerSecond;
  const bool focus = !at.companion && at.point.level == frame.focus;
  const gfx::Color tint = at.companion ? p.mutedText : focus ? p.accent : p.text;
  // A line to the point's own roof: how much room is left, or how much caches contribute. Dashed
  // where the roof is a model's, without caches.
  if (!at.bound && !at.companion && at.attainable)
    frame.plot.segment(x, y, x, *at.attainable, colour(tint, focus ? 0.9F : 0.45F),
                       focus ? 1.5F : 1, at.point.level == Level::lanes);
  // The lanes' mark is drawn behind that of L1, which often has the same number of bytes.
  const float plain = at.point.level == Level::lanes ? 0.38F : 0.3F;
  const float radius = (at.companion ? 0.26F : focus ? 0.42F : plain) * frame.context.em;
  const bool hollow = at.point.hollow || at.bound;
  if (frame.plot.point(x, y, markOf(at.point.level), radius, colour(tint), hollow))
    frame.hover = at.hover;
}

void drawPoints(PlotFrame& frame) {
  for (const bool focus : {false, true})  // The highlighted point is drawn over the others.
    for (const RoofPoint& at : frame.view.points)
      if (at.flopPerSecond && (!at.companion && at.point.level == frame.focus) == focus)
        drawPoint(frame, at);
}

/// Writes the reason to the side of a point above DRAM's roof, past its neighbours at that height.
void writeWhy(PlotFrame& frame, const RoofPoint& at) {
  const float em = ImGui::GetFontSize();
  const ImVec2 pixel = frame.plot.pixel(at.point.intensity.value, *at.flopPerSecond);
  for (const float down : {1.1F, 2.2F, -2.4F, 3.3F})
    for (const char* text : {"above DRAM's roof: caches serve most of what lanes ask for",
                             "above DRAM's roof: caches serve the rest"})
      if (frame.plot.text({pixel.x + 0.7F * em, pixel.y + down * em}, text,
                          colour(frame.palette().text)))
        return;
}

/// Names of the kernels.
void labelPoints(PlotFrame& frame) {
  const model::Snapshot& now = frame.context.snapshot;
  const gfx::Palette& p = frame.palette();
  for (const bool companion : {false, true}) {
    const auto& result = companion ? now.figuresCompanion : now.figuresMain;
    const RoofPoint* named = nullptr;  // At the highlighted level, or the first one.
    for (const RoofPoint& at : frame.view.points)
      if (at.companion == companion && at.flopPerSecond &&
          (named == nullptr || at.point.level == frame.focus))
        named = &at;
    if (named == nullptr || !result) continue;
    frame.plot.label(named->point.intensity.value, *named->flopPerSecond,
                     model::shortNameOf(result->kernel), colour(companion ? p.mutedText : p.text));
  }
}

/// The reasons why points lie above DRAM's roof.
void writeWhys(PlotFrame& frame) {
  if (!frame.large) return;
  for (const RoofPoint& at : frame.view.points)
    if (at.flopPerSecond && !at.why.empty()) writeWhy(frame, at);
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
  const model::RoofFocus focus = context.ui.roofFocus;
  const RooflineView& view = context.snapshot.view<model::RooflineView>();
  if (focus == model::RoofFocus::nearest) return view.nearest;
  const auto level = static_cast<Level>(static_cast<int>(focus) - 1);
  return view.roofOf(level) != nullptr ? std::optional(level) : view.nearest;
}

RoofAxes roofAxesOf(const RooflineView& view, std::optional<Level> focus) {
  const double peak = view.peakFlopPerSecond.value_or(1e13);
  RoofAxes axes{{true, 0.1, 100, "FLOP/B"}, {true, peak / 300, 3 * peak, "FLOP/s"}};
  for (const Roof& roof : view.roofs)
    if (roof.level == Level::dram) axes.x.high = std::max(axes.x.high, 4 * roof.ridge);
  for (const RoofPoint& at : view.points)
    if (at.flopPerSecond) include(axes, at.point.intensity.value, *at.flopPerSecond);
  for (const auto* traces : {&view.trail, &view.pinned, &view.rungs})
    for (const RoofTrace& at : *traces)
      if (at.level == focus) include(axes, at.flopPerByte, at.flopPerSecond);
  return axes;
}

void drawRooflinePlot(const Context& context, ImVec2 min, ImVec2 max, bool large) {
  const RooflineView& view = context.snapshot.view<model::RooflineView>();
  const std::optional<Level> focus = focusOf(context);
  const RoofAxes whole = roofAxesOf(view, focus);
  PlotView still;
  PlotView& moved = large ? context.ui.roofPlot : still;
  Plot plot(*ImGui::GetWindowDrawList(), min, max, shownAxis(whole.x, moved.x),
            shownAxis(whole.y, moved.y), plotStyleOf(context.palette));
  PlotFrame frame{context, view, plot, focus, *view.peakFlopPerSecond, large, {}};
  drawRegions(frame);
  for (const Roof& roof : view.roofs)
    if (&roof != frame.focusRoof()) drawRoof(frame, roof);
  if (const Roof* roof = frame.focusRoof()) drawRoof(frame, *roof);
  drawMarks(frame);
  drawTrail(frame);
  drawPins(frame);
  drawRungs(frame);
  drawPoints(frame);
  if (const Roof* roof = frame.focusRoof()) keepOff(frame, *roof);
  labelPoints(frame);
  writeWhys(frame);
  for (const Roof& roof : view.roofs)
    if (large && &roof != frame.focusRoof()) keepOff(frame, roof);
  labelRoofs(frame);
  labelRidge(frame);
  labelMarks(frame);
  labelRungs(frame);
  labelPins(frame);
  writeRegions(frame);
  if (large)
    plotInput("roofline", plot, whole.x, whole.y, moved.x, moved.y, moved.cursor,
              {true, true, &context.ui.plotKeys});
  if (!frame.hover.empty()) showTooltip(context, frame.hover);
}

}  // namespace tilestep::ui
