// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/figure.h"
#include "ui/panels.h"
#include "ui/plot.h"
#include "ui/widgets.h"

namespace tilestep::ui {
namespace {

using session::StoryLine;
using session::StoryPoint;

using Value = uint64_t StoryPoint::*;

struct Curve {
  const StoryLine& line;
  Value value;
  bool dashed;
  ImU32 now, rest;  ///< Of what is over, and of what comes.
};

void drawCurve(const Context& context, Plot& plot, const Curve& curve, size_t over) {
  const std::vector<StoryPoint>& points = curve.line.points;
  for (size_t i = 1; i < points.size(); ++i) {
    const bool past = i <= over;
    plot.segment(static_cast<double>(i - 1), static_cast<double>(points[i - 1].*curve.value),
                 static_cast<double>(i), static_cast<double>(points[i].*curve.value),
                 past ? curve.now : curve.rest, (past ? 0.14F : 0.08F) * context.em, curve.dashed);
  }
}

const char* kindOf(const Curve& curve) {
  return curve.dashed ? "L1 sectors" : "asked by lanes";
}

void drawNow(const Context& context, Plot& plot, const Curve& curve, size_t over) {
  if (curve.line.points.empty()) return;
  const uint64_t value =
      curve.line.points[std::min(over, curve.line.points.size() - 1)].*curve.value;
  const auto x = static_cast<double>(over), y = static_cast<double>(value);
  const Mark mark = curve.dashed ? Mark::square : Mark::triangle;
  if (plot.point(x, y, mark, 0.3F * context.em, colour(context.palette.accent), curve.dashed)) {
    showTooltip(context, curve.line.name + ": " + grouped(value) + " " + kindOf(curve) + ", " +
                             std::to_string(over) + " of " +
                             std::to_string(curve.line.points.size() - 1) +
                             " phases\nWhat this block has loaded from global memory; at the end with "
                             "what lies in no phase. Sectors: 32-byte pieces that each request "
                             "touches, before any cache hit.");
  }
  if (!curve.dashed)
    plot.label(x, y, curve.line.name + " " + grouped(value), colour(context.palette.text));
}

PlotStyle styleOf(const Context& context) {
  const gfx::Palette& p = context.palette;
  return {colour(p.strongLine), colour(p.line, 0.7F),   colour(p.text),
          colour(p.mutedText),  colour(p.text, 0.025F), 1.5F};
}

void drawLegend(const Context& context) {
  const gfx::Palette& p = context.palette;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = context.em;
  for (const bool dashed : {false, true}) {
    if (dashed) ImGui::SameLine(0, em);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float middle = at.y + 0.5F * ImGui::GetTextLineHeight();
    drawMark(list, {at.x + 0.4F * em, middle}, dashed ? Mark::square : Mark::triangle, 0.3F * em,
             colour(p.mutedText), dashed, 1.5F);
    ImGui::Dummy({0.7F * em, ImGui::GetTextLineHeight()});
    ImGui::SameLine(0, 0.25F * em);
    muted(context, dashed ? "L1 sectors (dashed)" : "asked by lanes");
  }
}

}  // namespace

void drawStory(const Context& context, float height) {
  const session::Story& story = *context.snapshot.story;
  const size_t over = context.snapshot.phasesOver;
  const gfx::Palette& p = context.palette;
  const std::vector<Curve> curves = {
      {story.companion, &StoryPoint::sectors, true, colour(p.mutedText), colour(p.line)},
      {story.main, &StoryPoint::sectors, true, colour(p.text), colour(p.line)},
      {story.companion, &StoryPoint::asked, false, colour(p.mutedText), colour(p.line)},
      {story.main, &StoryPoint::asked, false, colour(p.text), colour(p.line)}};
  uint64_t most = 1;
  for (const Curve& curve : curves)
    for (const StoryPoint& point : curve.line.points) most = std::max(most, point.*curve.value);
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const auto phases = static_cast<double>(story.phases());
  Plot plot(*ImGui::GetWindowDrawList(), at, {at.x + width, at.y + height},
            {false, 0, phases, "phases over", true},
            {false, 0, 1.12 * static_cast<double>(most), "loads of the block (dashed: sectors)"},
            styleOf(context));
  for (const Curve& curve : curves) drawCurve(context, plot, curve, over);
  for (const Curve& curve : curves) drawNow(context, plot, curve, over);
  ImGui::Dummy({width, height});
  drawLegend(context);
  ImGui::PopFont();
}

}  // namespace tilestep::ui
