// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/figure.h"
#include "features/load_history/load_history.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/legend.h"
#include "ui/kit/plot.h"
#include "ui/kit/widgets.h"

namespace tilestep::features::load_history {
namespace {

/// One quantity of one kernel over the main kernel's phases.
struct LoadCurve {
  const StoryLine& line;
  uint64_t StoryPoint::*value;
  bool dashed;
  ImU32 now;  ///< For completed phases.
  std::vector<PlotPoint> points = {};
};

/// Keeps labels off the line from `from` to `to`.
void keepOff(Plot& plot, ImVec2 from, ImVec2 to) {
  constexpr float kStep = 6, kReach = 2;  // pixels
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  for (float at = 0; at < length; at += kStep) {
    const ImVec2 on{from.x + (to.x - from.x) * at / length, from.y + (to.y - from.y) * at / length};
    plot.keepClear({on.x - kReach, on.y - kReach}, {on.x + kReach, on.y + kReach});
  }
}

std::vector<PlotPoint> pointsOf(const LoadHistory& story, const LoadCurve& curve) {
  const auto phases = static_cast<double>(story.phases());
  std::vector<PlotPoint> points;
  for (const StoryPoint& point : curve.line.points)
    points.push_back({std::min(static_cast<double>(points.size()) * curve.line.every, phases),
                      story.shown(curve.line, point.*curve.value)});
  if (!points.empty()) points.back().x = phases;
  return points;
}

void drawCurve(Plot& plot, const LoadCurve& curve, size_t passed, ImU32 rest) {
  for (size_t i = 1; i < curve.points.size(); ++i) {
    const PlotPoint &from = curve.points[i - 1], &to = curve.points[i];
    const bool past = i <= passed;
    plot.segment(from.x, from.y, to.x, to.y, past ? curve.now : rest, past ? 2.25F : 1.25F,
                 curve.dashed);
    if (past && !curve.dashed && curve.points.size() < 64)
      keepOff(plot, plot.pixel(from.x, from.y), plot.pixel(to.x, to.y));
  }
}

void drawNow(const Context& context, Plot& plot, const LoadHistory& story, const LoadCurve& curve,
             size_t passed) {
  if (curve.points.empty()) return;
  const PlotPoint& at = curve.points[passed];
  const uint64_t value = curve.line.points[passed].*curve.value;
  std::string number = grouped(value), formula;
  if (story.perElement) {
    formula = "\n" + number + " ÷ " + grouped(curve.line.elements) +
              " elements of P that its block computes. The two blocks compute different numbers of "
              "elements.";
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", at.y);
    number = text;
  }
  if (plot.point(at.x, at.y, curve.dashed ? Mark::square : Mark::triangle, 0.3F * context.em,
                 colour(context.palette.accent), curve.dashed))
    showTooltip(context,
                curve.line.name + ": " + number +
                    (curve.dashed ? " L1 sectors" : " element loads") +
                    (story.perElement ? " for each element" : "") + ", " + std::to_string(passed) +
                    " of " + std::to_string(curve.points.size() - 1) +
                    " phases\nLoads of this block from global memory since its start; the last "
                    "point includes "
                    "loads outside of all phases. The sentence and the table show one phase only.\n"
                    "Element loads are elements that lanes request. Sectors are the 32-byte "
                    "sectors that each "
                    "request touches, before any cache hit." +
                    formula);
  if (!curve.dashed)
    plot.label(at.x, at.y, curve.line.name + " " + number, colour(context.palette.text));
}

void drawStory(const Context& context, float height) {
  const auto& view = context.snapshot.view<LoadHistoryView>();
  const LoadHistory& story = *view.story;
  const gfx::Palette& p = context.palette;
  std::vector<LoadCurve> curves = {
      {story.companion, &StoryPoint::sectors, true, colour(p.mutedText)},
      {story.main, &StoryPoint::sectors, true, colour(p.text)},
      {story.companion, &StoryPoint::asked, false, colour(p.mutedText)},
      {story.main, &StoryPoint::asked, false, colour(p.text)}};
  double most = 1e-9;
  for (LoadCurve& curve : curves) {
    curve.points = pointsOf(story, curve);
    for (const PlotPoint& point : curve.points) most = std::max(most, point.y);
  }
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  Plot plot(
      *ImGui::GetWindowDrawList(), at, {at.x + width, at.y + height},
      {false, 0, static_cast<double>(story.phases()), "phases so far", true},
      {false, 0, 1.25 * most,
       story.perElement ? "loads and sectors for each element of P" : "loads and sectors so far"},
      plotStyleOf(context.palette));
  const auto passed = [&](const LoadCurve& c) { return story.passed(c.line, view.phasesOver); };
  for (const LoadCurve& curve : curves) drawCurve(plot, curve, passed(curve), colour(p.line));
  for (const LoadCurve& curve : curves) drawNow(context, plot, story, curve, passed(curve));
  ImGui::Dummy({width, height});
  ImGui::PopFont();
  Legend legend(context);
  legend.add({"element loads", plotMark(Mark::triangle, p.mutedText, false)});
  legend.add({"L1 sectors (dashed)", plotMark(Mark::square, p.mutedText, true)});
}

class LoadHistoryPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "story"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    if (!context.snapshot.view<LoadHistoryView>().story) return std::nullopt;
    return Heading{"Loads by phase", ""};
  }
  void drawSection(const Context& context, float /*room*/) const override {
    drawStory(context, 9 * context.em);
  }
  [[nodiscard]] std::optional<model::PlotKind> plot() const override {
    return model::PlotKind::story;
  }
  [[nodiscard]] std::string whyNoPlot(const Context& context) const override {
    return heading(context) ? "" : "Nothing to compare phase by phase yet.";
  }
  void drawPlot(const Context& context, float height) const override {
    drawStory(context, std::max(height - 3 * context.em, 8 * context.em));
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<LoadHistoryPanel>();
}

}  // namespace tilestep::features::load_history
