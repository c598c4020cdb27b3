// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/figure.h"
#include "features/names.h"
#include "model/text/stopped_launch.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/plot.h"
#include "ui/kit/widgets.h"

namespace tilestep::features::history {
namespace {

struct HistoryCurve {
  const char* title;
  std::function<std::optional<double>(const HistoryPoint&)> value;
  std::function<std::string(double)> text;
};

constexpr size_t kShown = 24;  ///< The most changes that are shown.

void drawCurve(const Context& context, const HistoryCurve& curve, ImVec2 at, ImVec2 size) {
  std::vector<const HistoryPoint*> shown;
  for (const HistoryPoint& point : context.snapshot.history)
    if (curve.value(point)) shown.push_back(&point);
  if (shown.size() > kShown) shown.erase(shown.begin(), shown.end() - kShown);
  std::vector<PlotPoint> line;
  double most = 0;
  for (const HistoryPoint* point : shown) {
    line.push_back({static_cast<double>(point->number), *curve.value(*point)});
    most = std::max(most, line.back().y);
  }
  const double first = line.empty() ? 1 : line.front().x, last = line.empty() ? 2 : line.back().x;
  const PlotAxis x{false, first - 0.5, std::max(last, first + 7) + 0.5, ""};
  const PlotAxis y{false, 0, most > 0 ? 1.15 * most : 1, curve.title};
  Plot plot(*ImGui::GetWindowDrawList(), at, {at.x + size.x, at.y + size.y}, x, y,
            plotStyleOf(context.palette));
  const gfx::Palette& p = context.palette;
  plot.line(line, colour(p.mutedText), 1.5F, false);
  for (size_t i = 0; i < shown.size(); ++i) {
    const bool now = i + 1 == shown.size();
    const HistoryPoint& point = *shown[i];
    if (plot.point(line[i].x, line[i].y, Mark::circle, (now ? 0.3F : 0.2F) * context.em,
                   colour(now ? p.accent : p.text), false))
      showTooltip(context, point.label + "\n" + curve.text(line[i].y) + "\n" +
                               (point.medianMs ? "measured on " : "counted by the ") +
                               point.device + (point.method.empty() ? "" : "\n" + point.method));
    if (now) plot.label(line[i].x, line[i].y, curve.text(line[i].y), colour(p.text));
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
/// not move the points. Points of the other kind are omitted.
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

class HistoryPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "history"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    return Heading{
        context.snapshot.measures ? "Over the last changes" : "Over the last changes, counted", ""};
  }
  void drawSection(const Context& context, float /*room*/) const override {
    drawHistory(context, std::max(ImGui::GetContentRegionAvail().y, 7 * context.em));
  }
  [[nodiscard]] std::optional<model::PlotKind> plot() const override {
    return model::PlotKind::history;
  }
  void drawPlot(const Context& context, float height) const override {
    drawHistory(context, std::max(height, 8 * context.em));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/,
                nlohmann::json& to) const override {
    to["history"] = now.history.size();
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<HistoryPanel>();
}

}  // namespace tilestep::features::history
