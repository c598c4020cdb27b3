// SPDX-License-Identifier: Apache-2.0
#include "features/history/panel.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>

#include "base/figure.h"
#include "model/text/stopped_launch.h"
#include "ui/kit/plot.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using model::HistoryPoint;

struct HistoryCurve {
  const char* title;
  std::function<std::optional<double>(const HistoryPoint&)> value;
  std::function<std::string(double)> text;
};

constexpr size_t kShown = 24;  ///< The most changes that are shown.

std::vector<HistoryPoint> shownOf(const Context& context, const HistoryCurve& curve) {
  std::vector<HistoryPoint> shown;
  for (const HistoryPoint& point : context.snapshot.history)
    if (curve.value(point)) shown.push_back(point);
  if (shown.size() > kShown) shown.erase(shown.begin(), shown.end() - kShown);
  return shown;
}

void drawCurve(const Context& context, const HistoryCurve& curve, ImVec2 at, ImVec2 size) {
  const std::vector<HistoryPoint> shown = shownOf(context, curve);
  double most = 0;
  for (const HistoryPoint& point : shown) most = std::max(most, *curve.value(point));
  const double first = shown.empty() ? 1 : static_cast<double>(shown.front().number);
  const double last = shown.empty() ? 2 : static_cast<double>(shown.back().number);
  const PlotAxis x{false, first - 0.5, std::max(last, first + 7) + 0.5, ""};
  const PlotAxis y{false, 0, most > 0 ? 1.15 * most : 1, curve.title};
  Plot plot(*ImGui::GetWindowDrawList(), at, {at.x + size.x, at.y + size.y}, x, y,
            plotStyleOf(context.palette));
  const gfx::Palette& p = context.palette;
  for (size_t i = 1; i < shown.size(); ++i)
    plot.segment(static_cast<double>(shown[i - 1].number), *curve.value(shown[i - 1]),
                 static_cast<double>(shown[i].number), *curve.value(shown[i]), colour(p.mutedText),
                 1.5F, false);
  for (size_t i = 0; i < shown.size(); ++i) {
    const bool now = i + 1 == shown.size();
    const double value = *curve.value(shown[i]);
    const auto number = static_cast<double>(shown[i].number);
    const bool hovered = plot.point(number, value, Mark::circle, (now ? 0.3F : 0.2F) * context.em,
                                    colour(now ? p.accent : p.text), false);
    if (hovered)
      showTooltip(context, shown[i].label + "\n" + curve.text(value) + "\n" +
                               (shown[i].medianMs ? "measured on " : "counted by the ") +
                               shown[i].device +
                               (shown[i].method.empty() ? "" : "\n" + shown[i].method));
    if (now) plot.label(number, value, curve.text(value), colour(p.text));
  }
}

const HistoryCurve kGflops{"FLOP/s",
                           [](const HistoryPoint& p) -> std::optional<double> {
                             if (!p.gflops) return std::nullopt;
                             return *p.gflops * 1e9;
                           },
                           [](double v) { return toText(v, Unit::flopPerSecond); }};
const HistoryCurve kTime{"time, ms", [](const HistoryPoint& p) { return p.medianMs; },
                         [](double v) { return toText(v / 1e3, Unit::seconds); }};
std::string perText(double value, const char* unit) {
  char text[48];
  std::snprintf(text, sizeof text, "%.3g %s", value, unit);
  return text;
}

/// Bytes per floating-point operation or per stored element, so that a change of size alone does
/// not move the points. Points of the other kind are left out.
HistoryCurve bytesCurve(bool perFlop, bool sectors) {
  const char* titles[2][2] = {{"bytes asked / element", "sector bytes / element"},
                              {"bytes asked / FLOP", "sector bytes / FLOP"}};
  return {titles[perFlop ? 1 : 0][sectors ? 1 : 0],
          [=](const HistoryPoint& p) {
            if (p.perFlop != perFlop) return std::optional<double>();
            return sectors ? p.sectorBytes : p.askedBytes;
          },
          [=](double v) { return perText(v, perFlop ? "B/FLOP" : "B"); }};
}

}  // namespace

void drawHistory(const Context& context, float height) {
  const lab::RunResult* figures = context.snapshot.figuresMain.get();
  if (context.snapshot.history.empty()) {
    const std::string why = model::whyNotCounted(figures);
    hint(context, why.empty() ? "Move a slider: each change adds a point." : why);
    return;
  }
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float gap = 0.5F * context.em;
  constexpr float kLeastWidth = 9;  // em, for a curve's title and value.
  const bool beside = (width - gap) / 2 >= kLeastWidth * context.em;
  const float tall = std::min(height, 15 * context.em) - gap;
  const ImVec2 half = beside ? ImVec2{(width - gap) / 2, tall} : ImVec2{width, (tall - gap) / 2};
  const ImVec2 second =
      beside ? ImVec2{at.x + half.x + gap, at.y} : ImVec2{at.x, at.y + half.y + gap};
  const bool measured = context.snapshot.measures;
  const bool perFlop = context.snapshot.history.back().perFlop;
  drawCurve(context, measured ? kGflops : bytesCurve(perFlop, false), at, half);
  drawCurve(context, measured ? kTime : bytesCurve(perFlop, true), second, half);
  ImGui::Dummy({width, tall});
  if (const std::string where = model::whereStopped(figures); !where.empty())
    mutedWrapped(context, "This choice has no point: " + where + ".");
  ImGui::PopFont();
}

}  // namespace tilestep::ui
