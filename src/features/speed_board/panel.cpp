// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/figure.h"
#include "features/first_minute/view.h"
#include "features/speed_board/board.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/plot.h"
#include "ui/kit/ratio_rows.h"
#include "ui/kit/widgets.h"
#include "ui/shell/cover.h"

namespace tilestep::features::speed_board {
namespace {

/// A speed in large type below the name of its kernel.
void drawSpeed(const Context& context, const std::string& kernel, const std::string& speed,
               bool quiet) {
  ImGui::TableNextColumn();
  hint(context, kernel);
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  const std::string text = speed.empty() ? "–" : speed;
  quiet ? muted(context, text) : ImGui::TextUnformatted(text.c_str());
  ImGui::PopFont();
}

/// Covers the speeds until the user has guessed.
void coverSpeeds(const Context& context, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, height};
  drawCover(context, at, {at.x + size.x, at.y + size.y}, "Covered until you have guessed");
  ImGui::Dummy(size);
}

/// Whether two names, each on one line, and two speeds fit side by side.
bool fitBeside(const Context& context, const SpeedBoardView& board) {
  float widest = 0;
  const auto measure = [&](ImFont* font, float pixels, const std::string& text) {
    compat::pushFont(font, pixels);
    widest = std::max(widest, ImGui::CalcTextSize(text.c_str()).x);
    ImGui::PopFont();
  };
  for (const std::string& name : {board.kernel, board.other})
    measure(context.fonts.small, context.fonts.smallPixels, name);
  for (const std::string& speed : {board.speed, board.otherSpeed})
    measure(context.fonts.large, context.fonts.largePixels, speed);
  return 2 * (widest + ImGui::GetStyle().CellPadding.x) <= ImGui::GetContentRegionAvail().x;
}

void drawSpeeds(const Context& context, const SpeedBoardView& board) {
  const bool both = !board.otherSpeed.empty();
  const bool beside = both && fitBeside(context, board);
  if (!ImGui::BeginTable("##speeds", beside ? 2 : 1, ImGuiTableFlags_SizingStretchSame)) return;
  if (both) drawSpeed(context, board.other, board.otherSpeed, true);
  drawSpeed(context, board.kernel, board.speed, !board.instead.empty());
  ImGui::EndTable();
  if (!board.comparison.empty()) wrapped(board.kernel + " is " + board.comparison + ".");
  if (!board.missing.empty()) hint(context, board.missing);
  if (!board.drawn.empty()) hint(context, board.drawn);
  if (!board.instead.empty()) warning(context, board.instead);
  if (!board.timedAt.empty()) hint(context, board.timedAt);
}

std::vector<PlotPoint> lineOf(const std::vector<SpeedTrend::Point>& points) {
  std::vector<PlotPoint> line;
  for (const SpeedTrend::Point& point : points)
    line.push_back({static_cast<double>(point.value), point.flops});
  return line;
}

/// FLOP/s over a tunable: a line through the known points, a dashed line for the compared kernel,
/// and a dot on each line that moves with the slider.
void drawTrend(const Context& context, const SpeedTrend& trend, float height) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::vector<PlotPoint> points = lineOf(trend.points), others = lineOf(trend.otherPoints);
  std::vector<PlotPoint> dots;
  for (const std::optional<SpeedTrend::Point>& point : {trend.now, trend.other})
    if (point) dots.push_back({static_cast<double>(point->value), point->flops});
  double most = 0;
  for (const auto* all : {&points, &others, &std::as_const(dots)})
    for (const PlotPoint& point : *all) most = std::max(most, point.y);
  const double margin = 0.04 * (points.back().x - points.front().x);
  Plot plot(
      *ImGui::GetWindowDrawList(), corner, {corner.x + width, corner.y + height},
      {false, points.front().x - margin, points.back().x + margin, trend.tunable, true, false, {}},
      {false, 0, 1.15 * most, "FLOP/s", false, false, {}}, plotStyleOf(context.palette));
  const ImU32 line = colour(context.palette.text), quiet = colour(context.palette.mutedText);
  const ImU32 surface = colour(context.palette.surface);
  const auto dot = [&](const PlotPoint& at, float ems, ImU32 ink) {
    plot.point(at.x, at.y, Mark::circle, ems * context.em, ink, false);
  };
  plot.line(others, quiet, 1.5F, true);
  plot.line(points, line, 1.5F, false);
  for (const PlotPoint& point : points) dot(point, 0.2F, line);
  if (trend.other) dot(dots.back(), 0.3F, quiet);
  if (trend.now) {
    const PlotPoint& now = dots.front();
    dot(now, 0.45F, colour(context.palette.accent));
    plot.label(now.x, now.y, toText(now.y, Unit::flopPerSecond), line, surface);
  }
  if (!others.empty() || trend.other) {
    const PlotPoint& last = others.empty() ? dots.back() : others.back();
    plot.label(last.x, last.y, trend.otherName, quiet, surface);
  }
  ImGui::PopFont();
  ImGui::Dummy({width, height});
  if (!trend.note.empty()) tooltip(context, trend.note);
}

/// If few points of the line are known and this device can measure the others, a button for the
/// sweep that measures all of them.
void offerSweep(const Context& context, const SpeedTrend& trend) {
  constexpr size_t kFew = 4;
  const model::Snapshot& now = context.snapshot;
  const compile::CatalogueEntry* entry = now.entry();
  const bool known = trend.points.size() >= kFew || !now.measures || !now.recordedOn.empty();
  if (known || context.ui.readOnly || entry == nullptr || !entry->spec) return;
  const std::vector<compile::TunableSpec>& tunables = entry->spec->tunables;
  if (tunables.empty()) return;
  const auto named = std::ranges::find(tunables, trend.tunable, &compile::TunableSpec::name);
  const size_t index = named == tunables.end() ? 0 : static_cast<size_t>(named - tunables.begin());
  if (ImGui::Button(("measure every " + tunables[index].name).c_str())) {
    context.ui.stage = Stage::sweeps;
    context.ui.sweep = {.axes = index};
  }
  tooltip(context,
          "Shows the sweep over this tunable (8) and measures its points, which then also appear "
          "in this plot.");
}

bool awaitsGuess(const Context& context) {
  return context.snapshot.view<FirstMinuteView>().covers;
}

class SpeedBoardPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "speed"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    const auto& board = context.snapshot.view<SpeedBoardView>();
    if (board.speed.empty() && board.trend.points.empty()) return std::nullopt;
    return Heading{"Speed", board.sizes};
  }
  [[nodiscard]] std::optional<model::PlotKind> plot() const override {
    return model::PlotKind::speed;
  }
  [[nodiscard]] std::string whyNoPlot(const Context& context) const override {
    return heading(context) ? ""
                            : "No time of this kernel is known: no GPU or recording in use has "
                              "one.";
  }
  void drawPlot(const Context& context, float height) const override {
    const auto& board = context.snapshot.view<SpeedBoardView>();
    if (awaitsGuess(context)) return coverSpeeds(context, std::min(height, 16 * context.em));
    const float top = ImGui::GetCursorPosY();
    drawSpeeds(context, board);
    if (!board.sizes.empty()) hint(context, board.sizes + " · " + board.origin);
    const float left = height - (ImGui::GetCursorPosY() - top) - ImGui::GetStyle().ItemSpacing.y;
    if (!board.trend.points.empty() && left > 6 * context.em)
      drawTrend(context, board.trend, std::min(left, 20 * context.em));
  }
  void drawSection(const Context& context, float room) const override {
    const float em = context.em;
    // Alone, the plot fills the remaining room.
    const float plot =
        context.ui.inLessonDensity() ? std::clamp(room - 14 * em, 9 * em, 18 * em) : 9 * em;
    if (awaitsGuess(context)) return coverSpeeds(context, plot + 8 * em);
    const auto& board = context.snapshot.view<SpeedBoardView>();
    drawSpeeds(context, board);
    std::vector<model::Ratio> figures = speedFiguresOf(context.snapshot);
    // The speed itself is above, in large type.
    std::erase_if(figures, [](const model::Ratio& figure) { return figure.name == kWork; });
    drawRatios(context, figures, board.kernel, "");
    if (!board.trend.points.empty()) drawTrend(context, board.trend, plot);
    offerSweep(context, board.trend);
    hint(context, board.origin);
    if (!figures.empty()) tooltip(context, figures.front().hover);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<SpeedBoardPanel>();
}

}  // namespace tilestep::features::speed_board
