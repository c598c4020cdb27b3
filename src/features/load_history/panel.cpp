// SPDX-License-Identifier: Apache-2.0
#include "features/load_history/panel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/figure.h"
#include "features/load_history/view.h"
#include "ui/kit/plot.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using model::LoadHistory;
using model::StoryLine;
using model::StoryPoint;

using Value = uint64_t StoryPoint::*;

struct LoadCurve {
  const StoryLine& line;
  Value value;
  bool dashed;
  ImU32 now, rest;  ///< For completed phases, and for the rest.
};

/// A point's position on the axis: the number of the main kernel's phases before it.
double placeOf(const LoadHistory& story, const StoryLine& line, size_t point) {
  if (point + 1 == line.points.size()) return static_cast<double>(story.phases());
  return std::min(static_cast<double>(point) * line.every, static_cast<double>(story.phases()));
}

/// Keeps labels off the line from `from` to `to`.
void keepOff(Plot& plot, ImVec2 from, ImVec2 to) {
  constexpr float kStep = 6, kReach = 2;  // pixels
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  for (float at = 0; at < length; at += kStep) {
    const ImVec2 on{from.x + (to.x - from.x) * at / length, from.y + (to.y - from.y) * at / length};
    plot.keepClear({on.x - kReach, on.y - kReach}, {on.x + kReach, on.y + kReach});
  }
}

void drawCurve(Plot& plot, const LoadHistory& story, const LoadCurve& curve, size_t over) {
  const std::vector<StoryPoint>& points = curve.line.points;
  const auto y = [&](size_t i) { return story.shown(curve.line, points[i].*curve.value); };
  for (size_t i = 1; i < points.size(); ++i) {
    const bool past = i <= story.passed(curve.line, over);
    plot.segment(placeOf(story, curve.line, i - 1), y(i - 1), placeOf(story, curve.line, i), y(i),
                 past ? curve.now : curve.rest, past ? 2.25F : 1.25F, curve.dashed);
    if (past && !curve.dashed && points.size() < 64)
      keepOff(plot, plot.pixel(placeOf(story, curve.line, i - 1), y(i - 1)),
              plot.pixel(placeOf(story, curve.line, i), y(i)));
  }
}

const char* kindOf(const LoadCurve& curve) {
  return curve.dashed ? "L1 sectors" : "element loads";
}

std::string valueText(const LoadHistory& story, const StoryLine& line, uint64_t value) {
  if (!story.perElement) return grouped(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", story.shown(line, value));
  return text;
}

/// The formula of a value per element, with this step's numbers; empty for a value of the block.
std::string formulaText(const LoadHistory& story, const StoryLine& line, uint64_t value) {
  if (!story.perElement) return {};
  return "\n" + grouped(value) + " ÷ " + grouped(line.elements) +
         " elements of P that its block computes; the two blocks compute different numbers of "
         "them.";
}

void drawNow(const Context& context, Plot& plot, const LoadHistory& story, const LoadCurve& curve,
             size_t over) {
  if (curve.line.points.empty()) return;
  const size_t point = story.passed(curve.line, over);
  const uint64_t value = curve.line.points[point].*curve.value;
  const std::string number = valueText(story, curve.line, value);
  const double x = placeOf(story, curve.line, point), y = story.shown(curve.line, value);
  const Mark mark = curve.dashed ? Mark::square : Mark::triangle;
  if (plot.point(x, y, mark, 0.3F * context.em, colour(context.palette.accent), curve.dashed)) {
    showTooltip(
        context,
        curve.line.name + ": " + number + " " + kindOf(curve) +
            (story.perElement ? " for each element" : "") + ", " + std::to_string(point) + " of " +
            std::to_string(curve.line.points.size() - 1) +
            " phases\nWhat this block has loaded from global memory since its start; the last "
            "point includes loads outside of all phases. The sentence and the table show one "
            "phase only.\nElement loads: elements that lanes ask for. Sectors: 32-byte pieces that "
            "each request touches, before any cache hit." +
            formulaText(story, curve.line, value));
  }
  if (!curve.dashed) plot.label(x, y, curve.line.name + " " + number, colour(context.palette.text));
}

void drawLegend(const Context& context) {
  const gfx::Palette& p = context.palette;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = context.em;
  for (const bool dashed : {false, true}) {
    const char* text = dashed ? "L1 sectors (dashed)" : "element loads";
    if (dashed) ImGui::SameLine(0, em);
    const bool fits = ImGui::CalcTextSize(text).x + em <= ImGui::GetContentRegionAvail().x;
    if (dashed && !fits) ImGui::NewLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float middle = at.y + 0.5F * ImGui::GetTextLineHeight();
    drawMark(list, {at.x + 0.4F * em, middle}, dashed ? Mark::square : Mark::triangle, 0.3F * em,
             colour(p.mutedText), dashed, 1.5F);
    ImGui::Dummy({0.7F * em, ImGui::GetTextLineHeight()});
    ImGui::SameLine(0, 0.25F * em);
    muted(context, text);
  }
}

}  // namespace

void drawStory(const Context& context, float height) {
  const model::LoadHistory& story = *context.snapshot.view<model::LoadHistoryView>().story;
  const size_t over = context.snapshot.view<model::LoadHistoryView>().phasesOver;
  const gfx::Palette& p = context.palette;
  const std::vector<LoadCurve> curves = {
      {story.companion, &StoryPoint::sectors, true, colour(p.mutedText), colour(p.line)},
      {story.main, &StoryPoint::sectors, true, colour(p.text), colour(p.line)},
      {story.companion, &StoryPoint::asked, false, colour(p.mutedText), colour(p.line)},
      {story.main, &StoryPoint::asked, false, colour(p.text), colour(p.line)}};
  double most = 1e-9;
  for (const LoadCurve& curve : curves)
    for (const StoryPoint& point : curve.line.points)
      most = std::max(most, story.shown(curve.line, point.*curve.value));
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const auto phases = static_cast<double>(story.phases());
  Plot plot(
      *ImGui::GetWindowDrawList(), at, {at.x + width, at.y + height},
      {false, 0, phases, "phases so far", true},
      {false, 0, 1.25 * most,
       story.perElement ? "loads and sectors for each element of P" : "loads and sectors so far"},
      plotStyleOf(context.palette));
  for (const LoadCurve& curve : curves) drawCurve(plot, story, curve, over);
  for (const LoadCurve& curve : curves) drawNow(context, plot, story, curve, over);
  ImGui::Dummy({width, height});
  drawLegend(context);
  ImGui::PopFont();
}

}  // namespace tilestep::ui
