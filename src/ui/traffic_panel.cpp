// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/figure.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace tilestep::ui {
namespace {

std::string numberText(const std::optional<double>& value, Unit unit) {
  if (!value) return "–";
  const bool whole = *value == std::floor(*value);
  if (unit == Unit::count && whole && *value < 1e7) return grouped(static_cast<uint64_t>(*value));
  return toText(*value, unit);
}

/// "÷ 4", "× 1.5", "=".
std::string ratioText(double companionByMain) {
  if (std::fabs(companionByMain - 1) < 0.005) return "=";
  std::array<char, 24> text{};
  const bool less = companionByMain > 1;
  const double factor = less ? companionByMain : 1 / companionByMain;
  std::snprintf(text.data(), text.size(), factor >= 100 ? "%s %.0f" : "%s %.3g", less ? "÷" : "×",
                factor);
  return text.data();
}

std::string ratioOf(const session::TrafficRow& row) {
  if (!row.companion || !row.main || row.unit == Unit::ratio) return "";
  if (*row.main == 0 && *row.companion == 0) return "=";
  if (*row.main == 0 || *row.companion == 0) return "";
  return ratioText(*row.companion / *row.main);
}

void drawRow(const Context& context, const session::TrafficRow& row, bool both) {
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
  rightNumber(context, ratioOf(row), colour(p.text));
}

void rightHeader(const Context& context, const std::string& text) {
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room - width));
  muted(context, text);
}

/// What the column is called: of one kernel on both sides, what tells them apart.
std::string columnName(const Context& context, const session::Side& side) {
  const std::string plain = plainNameOf(side);
  std::string name = side.shortName;
  if (name != plain && name.starts_with(plain + " (") && name.ends_with(")"))
    name = name.substr(plain.size() + 2, name.size() - plain.size() - 3);
  return cutTo(name, 6.2F * context.em);
}

void drawTable(const Context& context, const session::TrafficTable& table, bool both) {
  const session::Snapshot& now = context.snapshot;
  const float em = context.em;
  if (!ImGui::BeginTable("traffic", both ? 4 : 2, ImGuiTableFlags_SizingStretchProp)) return;
  const std::string mine = now.main ? columnName(context, *now.main->side) : "";
  const std::string other = both && now.companion ? columnName(context, *now.companion->side) : "";
  const auto widthFor = [em](const std::string& name) {
    return std::max(4.5F * em, ImGui::CalcTextSize(name.c_str()).x);
  };
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
  if (both) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, widthFor(other));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, widthFor(mine));
  if (both) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, 3.2F * em);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (both) {
    ImGui::TableNextColumn();
    rightHeader(context, other);
  }
  ImGui::TableNextColumn();
  rightHeader(context, mine);
  if (both) ImGui::TableNextColumn();
  for (const session::TrafficRow& row : table.rows) drawRow(context, row, both);
  ImGui::EndTable();
}

/// One of the four figures that are only shown together.
void drawGain(const Context& context, const char* name, const std::optional<double>& gain,
              const char* missing, const std::string& hover) {
  ImGui::TableNextColumn();
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  const std::string text = gain ? ratioText(*gain) : "–";
  ImGui::TextUnformatted(text.c_str());
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

std::string achievedHover(const session::TimelineFigures& figures) {
  char price[32];
  std::snprintf(price, sizeof price, "%.2f", figures.price);
  return "Resident warps of a multiprocessor over the most it holds, averaged while it is active.\n"
         "Time at barriers is one warp's waiting; other warps may work meanwhile.\n"
         "Measured: every warp reads the GPU's clocks, in a run that takes " +
         std::string(price) + " times the kernel's time.";
}

}  // namespace

void drawGains(const Context& context) {
  const session::Gains& gains = context.snapshot.gains;
  if (!ImGui::BeginTable("gains", 4, ImGuiTableFlags_SizingStretchSame)) return;
  ImGui::TableNextRow();
  const bool live = context.snapshot.recordedOn.empty();
  const std::string ratio = "naive ÷ " + gains.subject;
  const auto with = [](const std::string& formula) {
    return formula.empty() ? formula : "\n" + formula;
  };
  drawGain(context, "lanes ask", gains.lanes, "not counted",
           "Bytes that lanes ask to load, " + ratio + ". Counted." + with(gains.lanesFormula));
  drawGain(context, "L1 sectors", gains.sectors, "not counted",
           "Sectors of load requests, " + ratio + ". Counted." + with(gains.sectorsFormula));
  drawGain(context, "L2 reads", gains.l2, live ? "needs a GPU's counters" : "not recorded",
           "Sectors read from L2, " + ratio +
               ", caches cold. They come from a GPU's hardware counters, which are read when asked "
               "for." +
               with(gains.l2Formula));
  drawGain(context, "time", gains.time, live ? "needs a GPU" : "not recorded",
           "Median time, " + ratio +
               ", caches warm. Measured on a GPU; the interpreter gives no time." +
               with(gains.timeFormula));
  ImGui::EndTable();
  const session::Side* main = context.snapshot.main ? context.snapshot.main->side.get() : nullptr;
  const bool isMain = main == nullptr || session::shortNameOf(main->kernel) == gains.subject;
  hint(context, (isMain ? "Against " : gains.subject + " against ") + gains.against + ".");
  if (!context.snapshot.occupancy) return;
  const session::OccupancyView& occupancy = *context.snapshot.occupancy;
  hint(context, "Occupancy " + toText(occupancy.ratio, Unit::ratio) + ", limited by " +
                    occupancy.limiter +
                    (occupancy.note.empty() ? "" : " (computed: " + occupancy.note + ")"));
  tooltip(context, occupancy.hover);
  if (!occupancy.achieved) return;
  const session::TimelineFigures& achieved = *occupancy.achieved;
  std::string text = "Achieved " + toText(achieved.achievedOccupancy, Unit::ratio);
  if (achieved.barrierWaitShare > 0) {
    text += ", " + toText(achieved.barrierWaitShare, Unit::ratio) + " of a warp's time at barriers";
  }
  hint(context, text);
  tooltip(context, achievedHover(achieved));
}

void drawTraffic(const Context& context) {
  const session::Snapshot& now = context.snapshot;
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
  const session::TrafficTable& table = context.ui.wholeGrid ? now.gridTraffic : now.phaseTraffic;
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
