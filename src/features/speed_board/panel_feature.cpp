// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/figure.h"
#include "features/first_minute/view.h"
#include "features/speed_board/board.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/plot.h"
#include "ui/kit/widgets.h"
#include "ui/shell/cover.h"

namespace tilestep::features::speed_board {
namespace {

using namespace ui;
using model::SpeedBoardView;
using model::SpeedFigure;
using model::SpeedTrend;

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

/// Stands where the speeds will stand, until they have been guessed.
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

void drawLine(Plot& plot, const std::vector<SpeedTrend::Point>& points, ImU32 ink, bool dashed) {
  for (size_t i = 1; i < points.size(); ++i)
    plot.segment(static_cast<double>(points[i - 1].value), points[i - 1].flops,
                 static_cast<double>(points[i].value), points[i].flops, ink, 1.5F, dashed);
}

double mostOf(const SpeedTrend& trend) {
  double most = 0;
  for (const auto* points : {&trend.points, &trend.otherPoints})
    for (const SpeedTrend::Point& point : *points) most = std::max(most, point.flops);
  for (const std::optional<SpeedTrend::Point>& point : {trend.now, trend.other})
    if (point) most = std::max(most, point->flops);
  return most;
}

/// FLOP/s over a tunable: a line through the known points, a dashed line for the other kernel in
/// equal blocks, and two dots that move with the slider.
void drawTrend(const Context& context, const SpeedTrend& trend, float height) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  PlotAxis x{false,
             static_cast<double>(trend.points.front().value),
             static_cast<double>(trend.points.back().value),
             trend.tunable,
             true,
             false,
             {}};
  const double margin = 0.04 * (x.high - x.low);
  x.low -= margin;
  x.high += margin;
  const PlotAxis y{false, 0, 1.15 * mostOf(trend), "FLOP/s", false, false, {}};
  Plot plot(*ImGui::GetWindowDrawList(), corner, {corner.x + width, corner.y + height}, x, y,
            plotStyleOf(context.palette));
  const ImU32 line = colour(context.palette.text), quiet = colour(context.palette.mutedText);
  drawLine(plot, trend.otherPoints, quiet, true);
  drawLine(plot, trend.points, line, false);
  for (const SpeedTrend::Point& point : trend.points)
    plot.point(static_cast<double>(point.value), point.flops, Mark::circle, 0.2F * context.em, line,
               false);
  if (trend.other)
    plot.point(static_cast<double>(trend.other->value), trend.other->flops, Mark::circle,
               0.3F * context.em, quiet, false);
  if (trend.now) {
    const auto value = static_cast<double>(trend.now->value);
    plot.point(value, trend.now->flops, Mark::circle, 0.45F * context.em,
               colour(context.palette.accent), false);
    plot.label(value, trend.now->flops, toText(trend.now->flops, Unit::flopPerSecond),
               colour(context.palette.text), colour(context.palette.surface));
  }
  const std::optional<SpeedTrend::Point> last =
      trend.otherPoints.empty() ? trend.other : std::optional(trend.otherPoints.back());
  if (last)
    plot.label(static_cast<double>(last->value), last->flops, trend.otherName, quiet,
               colour(context.palette.surface));
  ImGui::PopFont();
  ImGui::Dummy({width, height});
  if (!trend.note.empty()) tooltip(context, trend.note);
}

/// The figures but for the speed, which stands above: "time 1.34 ms  DRAM 6.1 GB/s".
void drawFigures(const Context& context, const std::vector<SpeedFigure>& figures) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const SpeedFigure& figure : figures) {
    if (figure.name == model::kWork) continue;
    const std::string text =
        figure.isShare ? figure.value + " " + figure.name : figure.name + " " + figure.value;
    if (!first) sameLineIfRoom(text.c_str(), right);
    first = false;
    ImGui::TextUnformatted(text.c_str());
    tooltip(context, figure.from);
  }
  ImGui::PopFont();
}

/// Leads to the sweep that measures every point of the line, where few of them are known and this
/// device can measure the rest.
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
          "Shows the sweep over this tunable (8) and measures its points. They then stand "
          "in the plot here, too.");
}

bool awaitsGuess(const Context& context) {
  return context.snapshot.view<model::FirstMinuteView>().covers;
}

class SpeedBoardPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "speed"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    const auto& board = context.snapshot.view<SpeedBoardView>();
    if (board.speed.empty() && board.trend.points.empty()) return std::nullopt;
    return Heading{"Speed", board.sizes};
  }
  [[nodiscard]] std::optional<model::Plot> plot() const override { return model::Plot::speed; }
  [[nodiscard]] std::string whyNoPlot(const Context& context) const override {
    return heading(context) ? ""
                            : "No time of this kernel is known, because no GPU or recording "
                              "that has one is in use.";
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
    // Where it stands alone, the plot takes the room that is left.
    const float plot =
        context.ui.inLessonDensity() ? std::clamp(room - 14 * em, 9 * em, 18 * em) : 9 * em;
    if (awaitsGuess(context)) return coverSpeeds(context, plot + 8 * em);
    const auto& board = context.snapshot.view<SpeedBoardView>();
    drawSpeeds(context, board);
    const std::vector<SpeedFigure> figures = model::speedFiguresOf(context.snapshot);
    drawFigures(context, figures);
    if (!board.trend.points.empty()) drawTrend(context, board.trend, plot);
    offerSweep(context, board.trend);
    hint(context, board.origin);
    if (!figures.empty()) tooltip(context, figures.front().from);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<SpeedBoardPanel>();
}

}  // namespace tilestep::features::speed_board
