// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/factor.h"
#include "base/figure.h"
#include "features/occupancy/occupancy_view.h"
#include "ui/kit/widgets.h"
#include "ui/shell/panels.h"

namespace tilestep::ui {
namespace {

std::string numberText(const std::optional<double>& value, Unit unit) {
  if (!value) return "–";
  const bool whole = *value == std::floor(*value);
  if (unit == Unit::count && whole && *value < 1e7) return grouped(static_cast<uint64_t>(*value));
  return toText(*value, unit);
}

void rightText(const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room));
  ImGui::TextUnformatted(text.c_str());
}

/// A comparison's parts where it needs two lines: "16 times" stands large, and "fewer" below it.
std::vector<std::string> linesOf(const std::string& text, float width) {
  const size_t blank = text.rfind(' ');
  if (blank == std::string::npos || ImGui::CalcTextSize(text.c_str()).x <= width) return {text};
  return {text.substr(0, blank), text.substr(blank + 1)};
}

void drawRow(const Context& context, const model::TrafficRow& row, bool both) {
  const gfx::Palette& p = context.palette;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  clipped(row.name, ImGui::GetContentRegionAvail().x);
  tooltip(context, row.hover);
  if (both) {
    ImGui::TableNextColumn();
    rightNumber(context, numberText(row.companion, row.unit), colour(p.mutedText));
    tooltip(context, row.hover);
  }
  ImGui::TableNextColumn();
  rightNumber(context, numberText(row.main, row.unit), colour(p.text));
  tooltip(context, row.hover);
  if (!both) return;
  ImGui::TableNextColumn();
  const float room = ImGui::GetContentRegionAvail().x;
  for (const std::string& line : linesOf(comparisonText(row), room)) rightText(line);
}

void rightHeader(const Context& context, const std::string& text) {
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room - width));
  muted(context, text);
}

/// What the column is called: of one kernel on both sides, what tells them apart.
std::string columnName(const Context& context, const model::TracedKernel& side) {
  const std::string plain = plainNameOf(side);
  std::string name = side.shortName;
  if (name != plain && name.starts_with(plain + " (") && name.ends_with(")"))
    name = name.substr(plain.size() + 2, name.size() - plain.size() - 3);
  return cutTo(name, 6.2F * context.em);
}

/// What the names of the rows need at least, and the space between four columns.
constexpr float kNameEms = 6, kPaddingEms = 2;

/// The width of the column with the comparisons: one line each where `room` allows it, else two.
float comparisonWidth(const model::TrafficTable& table, float room) {
  float whole = 0, broken = 0;
  for (const model::TrafficRow& row : table.rows) {
    const std::string text = comparisonText(row);
    whole = std::max(whole, ImGui::CalcTextSize(text.c_str()).x);
    for (const std::string& line : linesOf(text, 0))
      broken = std::max(broken, ImGui::CalcTextSize(line.c_str()).x);
  }
  return whole <= room ? whole : broken;
}

void drawTable(const Context& context, const model::TrafficTable& table, bool both) {
  const model::Snapshot& now = context.snapshot;
  const float em = context.em, width = ImGui::GetContentRegionAvail().x;
  if (!ImGui::BeginTable("traffic", both ? 4 : 2, ImGuiTableFlags_SizingStretchProp)) return;
  const std::string mine = now.main ? columnName(context, *now.main->side) : "";
  const std::string other = both && now.companion ? columnName(context, *now.companion->side) : "";
  const auto widthFor = [em](const std::string& name) {
    return std::max(4.5F * em, ImGui::CalcTextSize(name.c_str()).x);
  };
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
  if (both) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, widthFor(other));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, widthFor(mine));
  const float ratio = comparisonWidth(
      table, width - widthFor(other) - widthFor(mine) - (kNameEms + kPaddingEms) * em);
  if (both) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ratio);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (both) {
    ImGui::TableNextColumn();
    rightHeader(context, other);
  }
  ImGui::TableNextColumn();
  rightHeader(context, mine);
  if (both) ImGui::TableNextColumn();
  for (const model::TrafficRow& row : table.rows) drawRow(context, row, both);
  ImGui::EndTable();
}

/// One of the four figures that are only shown together.
void drawGain(const Context& context, const char* name, const std::optional<double>& gain,
              const FactorWords& words, const char* missing, const std::string& hover) {
  ImGui::TableNextColumn();
  const std::string text = gain ? factorText(1, *gain, words) : "–";
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  for (const std::string& line : linesOf(text, ImGui::GetContentRegionAvail().x))
    ImGui::TextUnformatted(line.c_str());
  ImGui::PopFont();
  tooltip(context, hover);
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  muted(context, name);
  tooltip(context, hover);
  if (!gain) {
    mutedWrapped(context, missing);
    tooltip(context, hover);
  }
  ImGui::PopFont();
}

std::string achievedHover(const model::TimelineFigures& figures) {
  char price[32];
  std::snprintf(price, sizeof price, "%.2f", figures.price);
  return "Resident warps of a multiprocessor over the most it holds, averaged while it is active.\n"
         "Time at barriers is one warp's waiting; other warps may work meanwhile.\n"
         "Measured: every warp reads the GPU's clocks, in a run that takes " +
         std::string(price) + " times the kernel's time.";
}

}  // namespace

void drawGains(const Context& context) {
  const model::Gains& gains = context.snapshot.gains;
  if (!ImGui::BeginTable("gains", 4, ImGuiTableFlags_SizingStretchSame)) return;
  ImGui::TableNextRow();
  const bool live = context.snapshot.recordedOn.empty();
  const std::string ratio = "naive ÷ " + gains.subject;
  const auto with = [](const std::string& formula) {
    return formula.empty() ? formula : "\n" + formula;
  };
  drawGain(context, "bytes asked", gains.lanes, kLessOrMore, "not counted",
           "Bytes that lanes ask to load, " + ratio + ". Counted." + with(gains.lanesFormula));
  drawGain(context, "L1 sectors", gains.sectors, kFewerOrMore, "not counted",
           "Sectors of load requests, " + ratio + ". Counted." + with(gains.sectorsFormula));
  drawGain(context, "L2 reads", gains.l2, kFewerOrMore,
           live ? "needs a GPU's counters" : "not recorded",
           "Sectors read from L2, " + ratio +
               ", caches cold. They come from a GPU's hardware counters, which are read when asked "
               "for." +
               with(gains.l2Formula));
  drawGain(context, "time", gains.time, kTimeWords, live ? "needs a GPU" : "not recorded",
           "Median time, " + ratio +
               ", caches warm. Measured on a GPU; the interpreter gives no time." +
               with(gains.timeFormula) + with(gains.timeNote));
  ImGui::EndTable();
  const model::TracedKernel* main =
      context.snapshot.main ? context.snapshot.main->side.get() : nullptr;
  const bool isMain = main == nullptr || model::shortNameOf(main->kernel) == gains.subject;
  hint(context, (isMain ? "Against " : gains.subject + " against ") + gains.against + "." +
                    (gains.note.empty() ? "" : " " + gains.note));
  const auto* view = context.snapshot.views.get<model::OccupancyView>();
  if (view == nullptr) return;
  const model::OccupancyView& occupancy = *view;
  hint(context, "Occupancy " + toText(occupancy.ratio, Unit::ratio) + ", limited by " +
                    occupancy.limiter +
                    (occupancy.note.empty() ? "" : " (computed: " + occupancy.note + ")"));
  tooltip(context, occupancy.hover);
  if (!occupancy.achieved) return;
  const model::TimelineFigures& achieved = *occupancy.achieved;
  std::string text = "Achieved " + toText(achieved.achievedOccupancy, Unit::ratio);
  if (achieved.barrierWaitShare > 0) {
    text += ", " + toText(achieved.barrierWaitShare, Unit::ratio) + " of a warp's time at barriers";
  }
  hint(context, text);
  tooltip(context, achievedHover(achieved));
}

void drawTraffic(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  if (now.phaseTraffic.rows.empty() && now.gridTraffic.rows.empty()) {
    hint(context, "Counts appear with the first trace.");
    return;
  }
  if (toggle(context, "this phase", !context.ui.wholeGrid)) context.ui.wholeGrid = false;
  ImGui::SameLine(0, 0.15F * context.em);
  const char* all = now.figuresOfBlock ? "whole block" : "whole grid";
  if (toggle(context, all, context.ui.wholeGrid)) context.ui.wholeGrid = true;
  if (now.figuresOfBlock)
    tooltip(context,
            "All that this one block does. The grid is too large to be run for the scene: "
            "C counts all of it, beside what you do.");
  ImGui::SameLine();
  const model::TrafficTable& table = context.ui.wholeGrid ? now.gridTraffic : now.phaseTraffic;
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.35F * context.em);
  ImGui::PushStyleColor(ImGuiCol_Text, vector(context.palette.mutedText));
  clipped(table.title, ImGui::GetContentRegionAvail().x);
  ImGui::PopStyleColor();
  ImGui::PopFont();
  const bool both =
      context.ui.wholeGrid ? now.figuresCompanion != nullptr : now.companion != nullptr;
  drawTable(context, table, both);
}

}  // namespace tilestep::ui
