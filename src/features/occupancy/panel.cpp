// SPDX-License-Identifier: Apache-2.0
#include "features/occupancy/panel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/figure.h"
#include "features/known_devices/view.h"
#include "features/occupancy/occupancy_view.h"
#include "features/occupancy/panel_segments.h"
#include "ui/kit/figure_tiles.h"
#include "ui/kit/plot.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using Over = OccupancyCurve::Over;

std::string blocksText(uint32_t count) {
  return grouped(count) + (count == 1 ? " block" : " blocks");
}

std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text + ".";
}

void drawFigures(const Context& context, const OccupancyView& view) {
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  const float column = ImGui::CalcTextSize("64 / 64").x + 2 * ImGui::GetStyle().CellPadding.x;
  ImGui::PopFont();
  const int columns = 3 * column <= ImGui::GetContentRegionAvail().x ? 3 : 2;
  if (!ImGui::BeginTable("occupancy", columns, ImGuiTableFlags_SizingStretchSame)) return;
  ImGui::TableNextRow();
  const bool runs = view.refusal.empty();
  const auto draw = [&](const std::string& figure, const std::string& name,
                        const std::string& hover) {
    ImGui::TableNextColumn();
    bigFigure(context, {figure}, name, hover);
  };
  draw(runs ? toText(view.ratio, Unit::ratio) : "–", runs ? "computed" : "cannot run there",
       view.hover);
  const std::string warps = std::to_string(view.warps) + " / " + std::to_string(view.warpsMax);
  draw(warps, "warps: " + blocksText(view.blocks) + " of " + view.block, view.hover);
  if (view.achieved)
    draw(toText(view.achieved->achievedOccupancy, Unit::ratio), "achieved, measured",
         view.achievedHover);
  else
    draw("–", view.fromDataSheet ? "achieved: only measured" : "achieved: not known yet",
         "Achieved occupancy is measured with a GPU's clocks, so a data sheet cannot provide it.");
  ImGui::EndTable();
}

/// Draws the resident blocks' parts of the resource side by side; the free part stays empty.
void drawSegments(const Context& context, const OccupancyView& view, const OccupancyBar& bar,
                  ImVec2 at, ImVec2 size) {
  const gfx::Palette& p = context.palette;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + size.x, at.y + size.y};
  list.AddRectFilled(at, end, colour(p.text, 0.05F));
  const ImU32 fill = colour(bar.limits ? p.text : p.mutedText, bar.limits ? 0.85F : 0.55F);
  const ImU32 rounded = colour(bar.limits ? p.text : p.mutedText, 0.3F);
  for (const BarSegment& segment : segmentsOf(bar, view.blocks, size.x)) {
    list.AddRectFilled({at.x + segment.left, at.y}, {at.x + segment.middle, end.y}, fill);
    // The part that is rounded up or reserved.
    list.AddRectFilled({at.x + segment.middle, at.y}, {at.x + segment.right, end.y}, rounded);
  }
  compat::strokeRect(list, at, end, colour(bar.limits ? p.text : p.line), 0,
                     bar.limits ? 2.0F : 1.0F);
}

/// `brief` omits the number of blocks without rounding.
std::string limitText(const OccupancyView& view, const OccupancyBar& bar, bool brief) {
  if (!bar.known) return "unknown";
  std::string text = bar.blocks > 9999 ? "many" : grouped(bar.blocks);
  if (!brief && bar.textbookBlocks != bar.blocks && bar.textbookBlocks <= 9999)
    text += ", " + grouped(bar.textbookBlocks) + " without rounding";
  if (bar.limits && view.refusal.empty()) text += ", limits";
  return text;
}

/// The columns of the bars' rows, in pixels.
struct BarColumns {
  float names = 0, bars = 0, texts = 0;
  bool brief = false;
};

BarColumns columnsOf(const Context& context, const OccupancyView& view) {
  const float em = context.fonts.smallPixels;
  const float width = ImGui::GetContentRegionAvail().x;
  BarColumns columns;
  for (const bool brief : {false, true}) {
    columns = {0, 0, 0, brief};
    for (const OccupancyBar& bar : view.bars) {
      const std::string text = limitText(view, bar, brief);
      columns.names = std::max(columns.names, ImGui::CalcTextSize(bar.name.c_str()).x + 0.8F * em);
      columns.texts = std::max(columns.texts, ImGui::CalcTextSize(text.c_str()).x + 0.8F * em);
    }
    columns.bars = width - columns.names - columns.texts;
    if (columns.bars > 8 * em) break;
  }
  return columns;
}

void drawBar(const Context& context, const OccupancyView& view, const OccupancyBar& bar,
             const BarColumns& columns) {
  const float em = context.fonts.smallPixels;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = 1.45F * em;
  ImGui::InvisibleButton(bar.name.c_str(), {std::max(width, 1.0F), height});
  tooltip(context, bar.hover);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = at.y + 0.15F * em;
  const ImU32 ink = colour(bar.limits ? context.palette.text : context.palette.mutedText);
  list.AddText({at.x, y}, ink, bar.name.c_str());
  float left = at.x + columns.names;
  if (columns.bars > 2 * em) {
    drawSegments(context, view, bar, {left, at.y + 0.2F * em}, {columns.bars, height - 0.4F * em});
    left += columns.bars + 0.8F * em;
  }
  list.AddText({left, y}, ink, limitText(view, bar, columns.brief).c_str());
}

void drawBars(const Context& context, const OccupancyView& view) {
  hint(context, "Filled: used by resident blocks. Number: blocks that this resource alone allows.");
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const BarColumns columns = columnsOf(context, view);
  for (const OccupancyBar& bar : view.bars) drawBar(context, view, bar, columns);
  ImGui::PopFont();
}

void drawAssumed(const Context& context) {
  int count = static_cast<int>(context.snapshot.choice.assumedRegisters);
  ImGui::SetNextItemWidth(7 * context.em);
  if (ImGui::InputInt("##assumed", &count, 1, 8))
    context.session.apply(
        model::command("occupancy.registers", static_cast<uint32_t>(std::clamp(count, 0, 255))));
  if (ImGui::IsItemDeactivatedAfterEdit()) context.session.endGesture();
  const char* says = "Registers per thread to assume; 0 assumes none.";
  tooltip(context, says);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  muted(context, count > 0 ? "registers assumed" : "assume registers");
  tooltip(context, says);
}

const char* toggleName(Over over, const OccupancyCurve* tunable) {
  switch (over) {
    case Over::tunable:
      return tunable != nullptr ? tunable->name.c_str() : "slider";
    case Over::threads:
      return "block size";
    case Over::registers:
      return "registers";
    case Over::sharedBytes:
      return "shared memory";
  }
  return "";
}

const OccupancyCurve* curveOf(const OccupancyView& view, Over over) {
  const auto at = std::ranges::find(*view.curves, over, &OccupancyCurve::over);
  return at == view.curves->end() ? nullptr : &*at;
}

void drawToggles(const Context& context, const OccupancyView& view) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (size_t i = 0; i < model::kOccupancyCurves; ++i) {
    const auto over = static_cast<Over>(i);
    if (curveOf(view, over) == nullptr) continue;
    const char* name = toggleName(over, curveOf(view, Over::tunable));
    if (!first) sameLineIfRoom(name, right);
    first = false;
    if (toggle(context, name, context.ui.occupancyCurve == i)) context.ui.occupancyCurve = i;
    tooltip(context,
            "Plots occupancy over this quantity, with all others fixed (K for the next one)");
  }
  ImGui::PopFont();
}

/// Draws a step function: each value holds until the next point.
void drawSteps(const Context& context, Plot& plot, const OccupancyCurve& curve) {
  const ImU32 line = colour(context.palette.text);
  for (size_t i = 1; i < curve.points.size(); ++i) {
    const OccupancyPoint &from = curve.points[i - 1], &to = curve.points[i];
    plot.segment(from.x, 100 * from.ratio, to.x, 100 * from.ratio, line, 1.5F, false);
    plot.segment(to.x, 100 * from.ratio, to.x, 100 * to.ratio, line, 1.5F, false);
  }
}

/// Draws values that can be chosen. The line is thin, because points between them mean nothing.
void drawValues(const Context& context, Plot& plot, const OccupancyCurve& curve) {
  const gfx::Palette& p = context.palette;
  for (size_t i = 1; i < curve.points.size(); ++i)
    plot.segment(curve.points[i - 1].x, 100 * curve.points[i - 1].ratio, curve.points[i].x,
                 100 * curve.points[i].ratio, colour(p.mutedText, 0.7F), 1, false);
  const float radius = (curve.points.size() > 64 ? 0.1F : 0.17F) * context.em;
  for (const OccupancyPoint& point : curve.points)
    if (plot.point(point.x, 100 * point.ratio, Mark::circle, radius, colour(p.text), false))
      showTooltip(context, point.hover);
}

double ratioAt(const OccupancyCurve& curve, double x) {
  double ratio = 0;
  for (const OccupancyPoint& point : curve.points)
    if (point.x <= x) ratio = point.ratio;
  return ratio;
}

void drawNow(const Context& context, Plot& plot, const OccupancyView& view,
             const OccupancyCurve& curve) {
  if (!curve.now) return;
  const gfx::Palette& p = context.palette;
  const double ratio = curve.steps ? ratioAt(curve, *curve.now) : view.ratio;
  const std::string at = toText(ratio, Unit::ratio);
  char text[96];
  std::snprintf(text, sizeof text, "%s %.0f: %s", curve.axis.c_str(), *curve.now, at.c_str());
  if (plot.point(*curve.now, 100 * ratio, Mark::circle, 0.32F * context.em, colour(p.accent),
                 false))
    showTooltip(context, std::string(text) + ", computed for " + view.device + "\n" + view.hover);
  if (view.achieved) {
    const double achieved = view.achieved->achievedOccupancy;
    if (plot.point(*curve.now, 100 * achieved, Mark::diamond, 0.3F * context.em, colour(p.text),
                   true))
      showTooltip(context,
                  "Achieved " + toText(achieved, Unit::ratio) + ".\n" + view.achievedHover);
    plot.label(*curve.now, 100 * achieved, "achieved " + toText(achieved, Unit::ratio),
               colour(p.mutedText));
  }
  char label[64];
  std::snprintf(label, sizeof label, "%.0f: %s", *curve.now, at.c_str());
  plot.label(*curve.now, 100 * ratio, label, colour(p.text));
}

/// Describes the step under the pointer.
void tellStep(const Context& context, const Plot& plot, const OccupancyView& view,
              const OccupancyCurve& curve) {
  if (!curve.steps || !ImGui::IsMouseHoveringRect(plot.min(), plot.max())) return;
  const double low = curve.points.front().x, high = curve.points.back().x;
  const float mouse = ImGui::GetMousePos().x;
  const float share = (mouse - plot.min().x) / std::max(plot.max().x - plot.min().x, 1.0F);
  const double x = std::round(low + static_cast<double>(share) * (high - low));
  char text[160];
  std::snprintf(text, sizeof text, "%.0f %s: %s, computed for ", x, curve.axis.c_str(),
                toText(ratioAt(curve, x), Unit::ratio).c_str());
  showTooltip(context, text + view.device);
}

void drawCurve(const Context& context, const OccupancyView& view, const OccupancyCurve& curve,
               float height) {
  if (curve.points.size() < 2) return hint(context, curve.note);
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const PlotAxis x{false, curve.points.front().x, curve.points.back().x, curve.axis, true};
  const PlotAxis y{false, 0, 112, "occupancy, %", true};
  {
    Plot plot(*ImGui::GetWindowDrawList(), at, {at.x + width, at.y + height}, x, y,
              plotStyleOf(context.palette));
    curve.steps ? drawSteps(context, plot, curve) : drawValues(context, plot, curve);
    tellStep(context, plot, view, curve);
    drawNow(context, plot, view, curve);
  }
  ImGui::Dummy({width, height});
  ImGui::PopFont();
}

/// The bounds of this kernel from the known device's roofs.
void drawBounds(const Context& context) {
  const auto* view = context.snapshot.views.get<KnownDeviceView>();
  if (view == nullptr) return;
  const lab::WhatIf& there = view->whatIf;
  for (const lab::Bound& bound : there.bounds) {
    const std::string most = toText(bound.flopPerSecond, Unit::flopPerSecond);
    hint(context, "At most " + most +
                      (bound.minimum ? " with the least possible DRAM traffic."
                                     : " if DRAM served every byte that lanes request."));
    tooltip(context, "min(" + toText(*there.peakFlopPerSecond, Unit::flopPerSecond) + ", " +
                         toText(bound.flopPerByte, Unit::flopPerByte) + " × " +
                         toText(*there.dramBytesPerSecond, Unit::bytesPerSecond) + ") = " + most +
                         "\nThe ridge of " + there.name + " is at " +
                         toText(*there.ridgeFlopPerByte, Unit::flopPerByte) +
                         ".\ncomputed from published figures, not measured");
  }
}

}  // namespace

void drawWhatIf(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  const model::KnownDevices& known = *now.resolved->knownDevices;
  if (known.empty()) return;
  const bool here = now.measures && !now.choice.whatIf;
  std::string preview = here ? "this GPU itself" : now.choice.roofDevice;
  for (const lab::DeviceFile& file : known)
    if (!here && file.id == now.choice.roofDevice) preview = file.name;
  if (!ImGui::BeginCombo("##elsewhere", preview.c_str(), ImGuiComboFlags_HeightLarge)) {
    return tooltip(context,
                   "(D) Roofs, bounds and occupancy of a known device, computed from its data "
                   "sheet and never measured.");
  }
  if (now.measures && ImGui::Selectable("this GPU itself", here))
    context.session.apply(model::command("known_devices.choose", ""));
  for (const lab::DeviceFile& file : known) {
    const bool chosen = !here && file.id == now.choice.roofDevice;
    if (ImGui::Selectable(file.name.c_str(), chosen))
      context.session.apply(model::command("known_devices.choose", file.id));
    tooltip(context, "Compute capability " + file.computeCapability + ". " + file.note);
  }
  ImGui::EndCombo();
}

void drawOccupancy(const Context& context, float height) {
  const auto* shown = context.snapshot.views.get<OccupancyView>();
  if (shown == nullptr)
    return hint(context,
                "No occupancy yet: there is no launch, or the device's limits are unknown.");
  const OccupancyView& view = *shown;
  // Draws only figures, bars and one curve.
  const bool brief = context.ui.presenting || context.ui.inLessonDensity();
  const float top = ImGui::GetCursorPosY();
  const OccupancyCurve* curve = curveOf(view, static_cast<Over>(context.ui.occupancyCurve));
  if (curve == nullptr && !view.curves->empty()) curve = &view.curves->front();
  // In large type, nothing below the bars would fit.
  if (context.ui.presenting && curve != nullptr) drawCurve(context, view, *curve, 8 * context.em);
  hint(context, view.device + (view.fromDataSheet ? ", from published figures: computed. " : ". ") +
                    view.registersText);
  drawFigures(context, view);
  drawBars(context, view);
  hint(context, view.refusal.empty() ? "No further block fits. " + sentence(view.why)
                                     : "It cannot run on this device: " + view.refusal + ".");
  if (!brief && !context.ui.readOnly) drawToggles(context, view);
  if (curve == nullptr || context.ui.presenting) return;
  const bool slider = curve->over == Over::tunable;
  const float below = (slider ? (brief ? 4.5F : 11.0F) : 1.5F) + (brief ? 0.0F : 5.5F);
  const float room = height - (ImGui::GetCursorPosY() - top) - below * context.em;
  drawCurve(context, view, *curve,
            std::clamp(room, (brief ? 6.5F : 8.0F) * context.em, 20 * context.em));
  if (!brief && curve->points.size() > 1) hint(context, curve->note);
  for (size_t i = 0; slider && i < view.steps.size() && (i == 0 || !brief); ++i)
    hint(context, view.steps[i]);
  if (brief) return;
  if (!context.ui.readOnly) drawAssumed(context);
  drawBounds(context);
}

}  // namespace tilestep::features
