// SPDX-License-Identifier: Apache-2.0
#include "features/traffic/panel.h"

#include <algorithm>

#include "features/traffic/view.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

void rightText(const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room));
  ImGui::TextUnformatted(text.c_str());
}

void drawRow(const Context& context, const model::TrafficRow& row, bool both) {
  const gfx::Palette& p = context.palette;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  clipped(row.name, ImGui::GetContentRegionAvail().x);
  tooltip(context, row.hover);
  if (both) {
    ImGui::TableNextColumn();
    rightNumber(context, companionText(row), colour(p.mutedText));
    tooltip(context, row.hover);
  }
  ImGui::TableNextColumn();
  rightNumber(context, mainText(row), colour(p.text));
  tooltip(context, row.hover);
  if (!both) return;
  ImGui::TableNextColumn();
  const float room = ImGui::GetContentRegionAvail().x;
  for (const std::string& line : factorLines(comparisonText(row), room)) rightText(line);
}

/// The column's name. If both sides show the same kernel, it is only what distinguishes them.
std::string columnName(const Context& context, const model::TracedKernel& side) {
  const std::string plain = plainNameOf(side);
  std::string name = side.shortName;
  if (name != plain && name.starts_with(plain + " (") && name.ends_with(")"))
    name = name.substr(plain.size() + 2, name.size() - plain.size() - 3);
  return cutTo(name, 6.2F * context.em);
}

/// The minimum width of the rows' names, and the space between four columns.
constexpr float kNameEms = 6, kPaddingEms = 2;

/// The width of the column with the comparisons: one line each where `room` allows it, otherwise
/// two.
float comparisonWidth(const model::TrafficTable& table, float room) {
  float whole = 0, broken = 0;
  for (const model::TrafficRow& row : table.rows) {
    const std::string text = comparisonText(row);
    whole = std::max(whole, ImGui::CalcTextSize(text.c_str()).x);
    for (const std::string& line : factorLines(text, 0))
      broken = std::max(broken, ImGui::CalcTextSize(line.c_str()).x);
  }
  return whole <= room ? whole : broken;
}

/// In a panel that is too narrow for columns: below each name the values of both kernels and the
/// comparison.
void drawNarrow(const Context& context, const model::TrafficTable& table, const std::string& other,
                const std::string& mine) {
  mutedWrapped(context, other + " / " + mine);
  for (const model::TrafficRow& row : table.rows) {
    mutedWrapped(context, row.name);
    tooltip(context, row.hover);
    const std::string comparison = comparisonText(row);
    wrapped(companionText(row) + " / " + mainText(row) +
            (comparison.empty() ? "" : ": " + comparison));
    tooltip(context, row.hover);
  }
}

void drawTable(const Context& context, const model::TrafficTable& table, bool both) {
  const model::Snapshot& now = context.snapshot;
  const float em = context.em, width = ImGui::GetContentRegionAvail().x;
  const std::string mine = now.main ? columnName(context, *now.main->side) : "";
  const std::string other = both && now.companion ? columnName(context, *now.companion->side) : "";
  const auto widthFor = [em](const std::string& name) {
    return std::max(4.5F * em, ImGui::CalcTextSize(name.c_str()).x);
  };
  const float numbers = widthFor(other) + widthFor(mine);
  constexpr float kShortestNameEms = 4;
  if (both && width < numbers + comparisonWidth(table, 0) + (kShortestNameEms + kPaddingEms) * em)
    return drawNarrow(context, table, other, mine);
  if (!ImGui::BeginTable("traffic", both ? 4 : 2, ImGuiTableFlags_SizingStretchProp)) return;
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
  if (both) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, widthFor(other));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, widthFor(mine));
  const float ratio = comparisonWidth(table, width - numbers - (kNameEms + kPaddingEms) * em);
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

/// Chooses what is counted.
void drawScopes(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  if (toggle(context, "this phase", !context.ui.wholeGrid)) context.ui.wholeGrid = false;
  ImGui::SameLine(0, 0.15F * context.em);
  const char* all = now.figuresOfBlock ? "whole block" : "whole grid";
  if (toggle(context, all, context.ui.wholeGrid)) context.ui.wholeGrid = true;
  if (now.figuresOfBlock)
    tooltip(context,
            "All that this one block does. The grid is too large to be run for the scene; "
            "C counts the whole grid in the background.");
  ImGui::SameLine();
}

}  // namespace

void drawTraffic(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  if (now.view<model::TrafficView>().phase.rows.empty() &&
      now.view<model::TrafficView>().grid.rows.empty()) {
    hint(context, "Counts appear with the first trace.");
    return;
  }
  if (!context.ui.readOnly) drawScopes(context);
  const model::TrafficTable& table = context.ui.wholeGrid ? now.view<model::TrafficView>().grid
                                                          : now.view<model::TrafficView>().phase;
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  if (ImGui::GetContentRegionAvail().x < 6 * context.em) {
    ImGui::NewLine();
    mutedWrapped(context, table.title);
  } else {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.35F * context.em);
    ImGui::PushStyleColor(ImGuiCol_Text, vector(context.palette.mutedText));
    clipped(table.title, ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleColor();
  }
  ImGui::PopFont();
  const bool both =
      context.ui.wholeGrid ? now.figuresCompanion != nullptr : now.companion != nullptr;
  drawTable(context, table, both);
  const std::string& note = now.view<model::TrafficView>().gridNote;
  if (context.ui.wholeGrid && !note.empty()) mutedWrapped(context, note);
  const bool isAnyUncertain = std::ranges::any_of(table.rows, [](const model::TrafficRow& row) {
    return row.mainIsUncertain || row.companionIsUncertain;
  });
  if (isAnyUncertain) {
    mutedWrapped(context, "≈: the hardware may count otherwise. Point at a row to see why.");
  }
}

}  // namespace tilestep::ui
