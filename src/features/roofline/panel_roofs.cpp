// SPDX-License-Identifier: Apache-2.0
#include "features/roofline/panel_roofs.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tilestep::features {
namespace {

// The tints of the two regions. Labels name the regions.
constexpr int kMemoryTint = 1, kComputeTint = 0;

void drawRegions(RoofFrame& frame) {
  const Roof* roof = frame.focusRoof();
  if (roof == nullptr) return;
  const double low = frame.lowX(), high = frame.highX(), floor = frame.plot.y().low;
  const auto on = [&](double x) { return x * roof->bytesPerSecond; };
  const gfx::Palette& p = frame.palette();
  const float alpha = p.highContrast ? 0.22F : 0.11F;
  const double ridge = roof->ridge;
  const double start = std::max(low, floor / roof->bytesPerSecond);  // The left end of the roof.
  if (ridge > start)
    frame.plot.area({{start, floor}, {start, on(start)}, {ridge, frame.peak}, {ridge, floor}},
                    colour(p.category(kMemoryTint), alpha));
  if (ridge < high)
    frame.plot.area({{ridge, floor}, {ridge, frame.peak}, {high, frame.peak}, {high, floor}},
                    colour(p.category(kComputeTint), alpha));
}

/// The slope up to the ridge, then the flat.
void drawRoof(RoofFrame& frame, const Roof& roof) {
  const gfx::Palette& p = frame.palette();
  const bool focus = &roof == frame.focusRoof();
  const ImU32 line = colour(focus ? p.text : p.strongLine);
  const float thick = focus ? 2.5F : 1.5F;
  const double low = frame.lowX(), high = frame.highX();
  frame.plot.segment(low, low * roof.bytesPerSecond, roof.ridge, frame.peak, line, thick, false);
  frame.plot.segment(roof.ridge, frame.peak, high, frame.peak, line, thick, false);
}

/// Keeps later labels away from the highlighted roof's line.
void keepOff(RoofFrame& frame, const Roof& roof) {
  constexpr int kSteps = 200;
  const double low = frame.lowX(), high = frame.highX();
  for (int i = 0; i <= kSteps; ++i) {
    const double x = low * std::pow(high / low, i / double{kSteps});
    const ImVec2 at = frame.plot.pixel(x, std::min(frame.peak, x * roof.bytesPerSecond));
    frame.plot.keepClear({at.x - 3, at.y - 3}, {at.x + 3, at.y + 3});
  }
}

/// Writes the longest of `texts` that fits between two x values at the bottom of the plot.
void labelRegion(RoofFrame& frame, double from, double to, const std::vector<std::string>& texts) {
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

}  // namespace

void drawRoofs(RoofFrame& frame) {
  drawRegions(frame);
  if (frame.levels)
    for (const Roof& roof : frame.view.roofs)
      if (&roof != frame.focusRoof()) drawRoof(frame, roof);
  if (const Roof* roof = frame.focusRoof()) drawRoof(frame, *roof);
}

void labelRoofs(RoofFrame& frame) {
  const gfx::Palette& p = frame.palette();
  struct Name {
    PlotPoint from, to;
    std::string text;
    ImU32 ink = 0;
  };
  std::vector<Name> names;
  double ridge = frame.highX();
  for (const Roof& roof : frame.view.roofs) {
    const bool focus = &roof == frame.focusRoof();
    if (!focus && !frame.levels) continue;
    ridge = std::min(ridge, roof.ridge);
    names.insert(focus ? names.begin() : names.end(),
                 {{frame.lowX(), frame.lowX() * roof.bytesPerSecond},
                  {roof.ridge, frame.peak},
                  roof.name,
                  colour(focus ? p.text : p.mutedText)});
  }
  names.push_back({{ridge, frame.peak},
                   {frame.highX(), frame.peak},
                   "FP32 " + toText(frame.peak, Unit::flopPerSecond),
                   colour(p.text)});
  std::vector<PlotSegment> lines;
  for (const Name& name : names) {
    const auto line = frame.plot.inside(name.from, name.to);
    lines.push_back(line.value_or(PlotSegment{}));
  }
  for (size_t i = 0; i < names.size(); ++i)
    if (!frame.plot.textAlong(lines, i, names[i].text, names[i].ink))
      frame.plot.textAlong(lines, i, names[i].text.substr(0, names[i].text.find(' ')),
                           names[i].ink);
  if (const Roof* roof = frame.focusRoof()) keepOff(frame, *roof);
}

void labelRidge(RoofFrame& frame) {
  const Roof* roof = frame.focusRoof();
  if (roof != nullptr && frame.large)
    frame.plot.label(roof->ridge, frame.peak, "ridge " + toText(roof->ridge, Unit::flopPerByte),
                     colour(frame.palette().mutedText));
}

void drawMarks(RoofFrame& frame) {
  if (!frame.others || !frame.large) return;  // In a small plot, the names do not fit.
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

void labelMarks(RoofFrame& frame) {
  if (!frame.others || !frame.large) return;
  for (const model::ReferenceMark& mark : frame.view.marks) {
    const std::string text = mark.name + " " + toText(mark.flopPerSecond, Unit::flopPerSecond);
    const float em = ImGui::GetFontSize(), width = ImGui::CalcTextSize(text.c_str()).x;
    const float y = frame.plot.pixel(frame.highX(), mark.flopPerSecond).y;
    const float x = frame.plot.max().x - width - 0.4F * em;
    const ImU32 ink = colour(frame.palette().text);
    if (!frame.plot.text({x, y - 1.3F * em}, text, ink))
      frame.plot.text({x, y + 0.3F * em}, text, ink);
  }
}

void labelRegions(RoofFrame& frame) {
  const Roof* roof = frame.focusRoof();
  if (roof == nullptr || !frame.large) return;
  const std::string name = metrics::toText(roof->level);
  labelRegion(frame, frame.lowX(), roof->ridge,
              {"below the bandwidth of " + name, "below bandwidth", "bandwidth"});
  labelRegion(frame, roof->ridge, frame.highX(), {"below the peak of FP32", "below FP32", "FP32"});
}

}  // namespace tilestep::features
