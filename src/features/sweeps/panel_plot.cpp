// SPDX-License-Identifier: Apache-2.0
// A sweep over one axis.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "features/sweeps/panel.h"
#include "features/sweeps/view.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using State = SweepCell::State;

Mark markOf(size_t series) {
  constexpr std::array<Mark, 5> kMarks{Mark::circle, Mark::square, Mark::triangle, Mark::diamond,
                                       Mark::cross};
  return kMarks[series % kMarks.size()];
}

gfx::Color colourOf(const Context& context, size_t series) {
  return context.palette.category(static_cast<int>(series));
}

PlotAxis axisX(const SweepAxis& axis, float width, float em) {
  PlotAxis x;
  x.title = axis.ofSizes ? axis.name : axis.name + (axis.logarithmic ? ", doublings" : "");
  x.logarithmic = axis.logarithmic;
  const auto low = static_cast<double>(axis.values.front());
  const auto high = static_cast<double>(axis.values.back());
  x.low = axis.logarithmic ? low / 1.2 : low - std::max((high - low) * 0.03, 0.5);
  x.high = axis.logarithmic ? high * 1.2 : high + std::max((high - low) * 0.03, 0.5);
  // Ticks at the values of the points, as many as there is room for.
  const size_t most = std::max<size_t>(2, static_cast<size_t>(width / (3.2F * em)));
  const size_t every = axis.logarithmic ? 1 : std::bit_ceil((axis.values.size() + most - 1) / most);
  for (size_t i = 0; i < axis.values.size(); ++i) {
    const auto value = static_cast<double>(axis.values[i]);
    // If there are many, the round ones: 4, 8, 12, …
    const bool shown = every <= 1 || axis.values[i] % static_cast<int64_t>(every) == 0;
    x.ticks.push_back({value, shown ? axis.textOf(i) : std::string()});
  }
  return x;
}

/// The number of rows below the value axis' zero, for points that wait for their value.
size_t rowsWithout(const SweepView& view) {
  size_t rows = 0;
  for (const SweepCell& cell : view.cells)
    if (cell.state == State::waiting)
      rows = std::max(rows, view.plan->points[cell.point].series + 1);
  return rows;
}

PlotAxis axisY(const SweepView& view, float height, float em) {
  PlotAxis y{false, 0, 1, view.axis};
  if (view.done == 0) {
    y.ticks.push_back({0, " "});  // Without values there are no numbers.
    return y;
  }
  constexpr double kDecades = 200;
  const bool wide = view.quantity == model::SweepQuantity::time && view.low > 0 &&
                    view.high / view.low > kDecades;
  const double below = static_cast<double>(
      std::min(0.4F, (0.3F + 0.75F * static_cast<float>(rowsWithout(view))) * em / height));
  y.logarithmic = wide;
  y.high = wide ? view.high * 1.5 : view.high * 1.14;
  y.low = wide ? view.low / 1.5 / std::pow(view.high / view.low, below) : 0;
  if (wide || rowsWithout(view) == 0) return y;
  const int most = std::max(2, static_cast<int>(height / (2.2F * em)));
  y.ticks = linearTicks(0, y.high, most);
  y.low = -y.high * below / (1 - below);
  return y;
}

/// Connects neighbouring points; a gap breaks the line.
void drawLines(const Context& context, Plot& plot, const SweepView& view) {
  const auto& points = view.plan->points;
  for (size_t i = 1; i < view.cells.size(); ++i) {
    const SweepCell &from = view.cells[i - 1], &to = view.cells[i];
    const bool joined = points[i - 1].series == points[i].series &&
                        points[i - 1].column + 1 == points[i].column && from.state == State::done &&
                        to.state == State::done;
    if (!joined) continue;
    const auto& values = view.plan->x.values;
    plot.segment(static_cast<double>(values[points[i - 1].column]), from.value.value,
                 static_cast<double>(values[points[i].column]), to.value.value,
                 colour(colourOf(context, points[i].series), 0.7F), 1.5F, false);
  }
}

void drawSpread(const Context& context, Plot& plot, double x, const SweepCell& cell,
                gfx::Color color) {
  if (!cell.value.spread) return;
  const ImVec2 low = plot.pixel(x, cell.value.low), high = plot.pixel(x, cell.value.high);
  const float cap = 0.2F * context.em;
  if (low.y - high.y < 2) return;  // Smaller than the outline of its mark.
  const ImU32 ink = colour(color);
  plot.list().AddLine(low, high, ink, 1);
  plot.list().AddLine({low.x - cap, low.y}, {low.x + cap, low.y}, ink, 1);
  plot.list().AddLine({high.x - cap, high.y}, {high.x + cap, high.y}, ink, 1);
}

bool near(ImVec2 at, float reach) {
  return ImGui::IsMouseHoveringRect({at.x - reach, at.y - reach}, {at.x + reach, at.y + reach});
}

/// Draws a point without a value: hatching if it cannot run, a hollow mark on the axis if it waits,
/// and nothing otherwise.
void drawWithout(const Context& context, Plot& plot, const SweepCell& cell, gfx::Color color,
                 size_t series, ImVec2 at) {
  ImDrawList& list = plot.list();
  const float r = 0.2F * context.em;
  if (cell.state == State::illegal) {
    const float half = 0.5F * context.em;
    hatch(list, {at.x - half, plot.min().y}, {at.x + half, plot.max().y},
          colour(context.palette.mutedText, 0.5F), 0.4F * context.em);
  } else if (cell.state == State::waiting) {
    drawMark(list, at, markOf(series), r, colour(color), true, 1.2F);
  }
}

void drawCells(const Context& context, Plot& plot, const SweepView& view) {
  const gfx::Palette& p = context.palette;
  const float em = context.em;
  std::optional<size_t> hovered;
  for (size_t i = 0; i < view.cells.size(); ++i) {
    const SweepCell& cell = view.cells[i];
    const SweepPoint& point = view.plan->points[i];
    const auto x = static_cast<double>(view.plan->x.values[point.column]);
    const gfx::Color color = colourOf(context, point.series);
    ImVec2 at = plot.pixel(x, plot.y().low);
    // Kernels are stacked on the axis.
    at.y -= (0.45F + 0.75F * static_cast<float>(point.series)) * em;
    if (cell.state == State::done) {
      at = plot.pixel(x, cell.value.value);
      drawSpread(context, plot, x, cell, color);
      const gfx::Color ink = cell.now ? p.accent : color;
      plot.point(x, cell.value.value, markOf(point.series), (cell.now ? 0.34F : 0.24F) * em,
                 colour(ink), false);
      if (cell.best)
        plot.list().AddCircle(at, 0.52F * em, colour(p.text), 24, p.highContrast ? 2.5F : 1.5F);
    } else {
      drawWithout(context, plot, cell, gfx::mix(p.surface, color, 0.75F), point.series, at);
    }
    if (context.ui.sweepAt == i) plot.list().AddCircle(at, 0.75F * em, colour(p.text), 24, 2);
    if (near(at, 0.5F * em)) hovered = i;
  }
  if (hovered) touchSweepCell(context, view, *hovered);
}

/// Writes the values of the best point and of the chosen points.
void labelValues(const Context& context, Plot& plot, const SweepView& view) {
  bool bestHasLabel = false;
  for (const SweepCell& cell : view.cells) {
    const bool best = cell.best && !bestHasLabel;
    if (cell.state != State::done || !(best || cell.now)) continue;
    const SweepPoint& point = view.plan->points[cell.point];
    const auto x = static_cast<double>(view.plan->x.values[point.column]);
    const std::string value = textOf(view.quantity, *view.plan, cell.value.value);
    const bool several = view.plan->series.size() > 1;
    const std::string text = view.plan->x.textOf(point.column) + ": " +
                             (several ? view.plan->series[point.series].name + " " : "") + value;
    const bool written = plot.label(x, cell.value.value, text, colour(context.palette.text),
                                    colour(context.palette.surface, 0.8F));
    bestHasLabel = bestHasLabel || (best && written);
  }
}

void drawWish(const Context& context, const Plot& plot, const SweepView& view) {
  const std::string text = sweepWish(context, view);
  if (text.empty()) return;
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const ImVec2 at{(plot.min().x + plot.max().x - size.x) / 2,
                  plot.min().y + (plot.max().y - plot.min().y) * 0.4F};
  if (size.x < plot.max().x - plot.min().x)
    plot.list().AddText(at, colour(context.palette.text), text.c_str());
  ImGui::PopFont();
}

void drawLegend(const Context& context, const SweepView& view) {
  if (view.plan->series.size() < 2) return;
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = context.fonts.smallPixels;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (size_t i = 0; i < view.plan->series.size(); ++i) {
    const std::string& name = view.plan->series[i].name;
    const float width = ImGui::CalcTextSize(name.c_str()).x + 2.2F * em;
    if (i > 0 && ImGui::GetItemRectMax().x + em + width < right) ImGui::SameLine(0, em);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawMark(list, {at.x + 0.45F * em, at.y + 0.6F * em}, markOf(i), 0.32F * em,
             colour(colourOf(context, i)), false, 1.5F);
    ImGui::Dummy({0.9F * em, em});
    ImGui::SameLine(0, 0.3F * em);
    clipped(name, std::max(ImGui::GetContentRegionAvail().x, em));
  }
  ImGui::PopFont();
}

}  // namespace

std::vector<LegendMark> sweepPlotMarks(const Context& context, const SweepView& view) {
  const gfx::Palette& p = context.palette;
  std::vector<LegendMark> marks;
  for (size_t i = 0; i < view.plan->series.size(); ++i)
    marks.push_back({view.plan->series[i].name, plotMark(markOf(i), colourOf(context, i), false)});
  const auto any = [&](auto is) { return std::ranges::any_of(view.cells, is); };
  if (any([](const SweepCell& cell) { return cell.now && cell.state == State::done; }))
    marks.push_back({"what is chosen", plotMark(Mark::circle, p.accent, false)});
  if (any([](const SweepCell& cell) { return cell.best; }))
    marks.push_back({"the best", plotMark(Mark::circle, p.text, true)});
  if (any([](const SweepCell& cell) { return cell.value.spread; }))
    marks.push_back({"on a point: the middle 80 %", [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
                       const float middle = (min.x + max.x) / 2;
                       list.AddLine({middle, min.y}, {middle, max.y}, colour(p.text), 1.5F);
                     }});
  return marks;
}

void drawSweepPlot(const Context& context, const SweepView& view, float height) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float legend = view.plan->series.size() > 1 ? 1.6F * context.em : 0;
  const PlotStyle style = plotStyleOf(context.palette);
  {
    Plot plot(*ImGui::GetWindowDrawList(), at, {at.x + width, at.y + height - legend},
              axisX(view.plan->x, width, context.fonts.smallPixels),
              axisY(view, height - legend, context.em), style);
    drawLines(context, plot, view);
    drawCells(context, plot, view);
    labelValues(context, plot, view);
    drawWish(context, plot, view);
  }
  ImGui::Dummy({width, height - legend});
  ImGui::PopFont();
  drawLegend(context, view);
}

}  // namespace tilestep::features
