// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/ratio_rows.h"

#include <algorithm>
#include <utility>

#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using model::Ratio;

/// The minimum widths of a name, of an amount and of a ratio, and the space between four columns.
constexpr float kNameEms = 6, kAmountEms = 3.5F, kRatioEms = 4, kPaddingEms = 2;

std::string hoverOf(const Ratio& row) {
  const std::string formula = row.formula();
  return row.hover + (formula.empty() ? "" : "\n" + formula);
}

/// The width of a column of amounts below their heading.
float amountWidth(const Context& context, const std::vector<Ratio>& rows,
                  const std::string& heading, std::string (Ratio::*amount)() const) {
  float width = std::max(kAmountEms * context.em, ImGui::CalcTextSize(heading.c_str()).x);
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  for (const Ratio& row : rows)
    width = std::max(width, ImGui::CalcTextSize((row.*amount)().c_str()).x);
  ImGui::PopFont();
  return width;
}

/// The width of the ratios: one line each if `room` allows it, otherwise two.
float ratioWidth(const std::vector<Ratio>& rows, float room) {
  float whole = 0, broken = 0;
  for (const Ratio& row : rows) {
    const std::string text = row.text();
    whole = std::max(whole, ImGui::CalcTextSize(text.c_str()).x);
    for (const std::string& line : factorLines(text, 0))
      broken = std::max(broken, ImGui::CalcTextSize(line.c_str()).x);
  }
  return whole <= room ? whole : broken;
}

/// One thin bar per amount, above the lower edge of the cell, ending at its right edge.
void drawBars(const Context& context, const Ratio& row, ImVec2 corner, float width) {
  if (!row.value()) return;
  const double most = std::max(*row.base, *row.own);
  const float thick = std::max(1.0F, 0.09F * context.em);
  float y = corner.y;
  for (const auto& [amount, color] : {std::pair{*row.base, context.palette.mutedText},
                                      std::pair{*row.own, context.palette.accent}}) {
    const float length = std::max(1.0F, width * static_cast<float>(amount / most));
    ImGui::GetWindowDrawList()->AddRectFilled({corner.x - length, y}, {corner.x, y + thick},
                                              colour(color));
    y += thick;
  }
}

void drawRatio(const Context& context, const Ratio& row) {
  const float room = ImGui::GetContentRegionAvail().x;
  const float right = ImGui::GetCursorScreenPos().x + room;
  for (const std::string& line : factorLines(row.text(), room)) {
    const float free = room - ImGui::CalcTextSize(line.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, free));
    ImGui::TextUnformatted(line.c_str());
  }
  drawBars(context, row, {right, ImGui::GetItemRectMax().y}, room);
}

void drawRow(const Context& context, const Ratio& row, bool both) {
  const gfx::Palette& p = context.palette;
  ImGui::TableNextRow();
  const auto cell = [&](const auto& draw) {
    ImGui::TableNextColumn();
    draw();
    tooltip(context, hoverOf(row));
  };
  cell([&] { clipped(row.name, ImGui::GetContentRegionAvail().x); });
  if (both) cell([&] { rightNumber(context, row.baseText(), colour(p.mutedText)); });
  cell([&] { rightNumber(context, row.ownText(), colour(p.text)); });
  if (both && !row.text().empty()) cell([&] { drawRatio(context, row); });
}

void drawNarrow(const Context& context, const std::vector<Ratio>& rows, const std::string& own,
                const std::string& base) {
  mutedWrapped(context, base + " / " + own);
  for (const Ratio& row : rows) {
    mutedWrapped(context, row.name);
    tooltip(context, hoverOf(row));
    const std::string words = row.text();
    wrapped(row.baseText() + " / " + row.ownText() + (words.empty() ? "" : ": " + words));
    tooltip(context, hoverOf(row));
  }
}

}  // namespace

void drawRatios(const Context& context, const std::vector<Ratio>& rows, const std::string& own,
                const std::string& base) {
  if (rows.empty()) return;
  const bool both = !base.empty();
  const float em = context.em, width = ImGui::GetContentRegionAvail().x;
  const float ownWidth = amountWidth(context, rows, own, &Ratio::ownText);
  const float baseWidth = amountWidth(context, rows, base, &Ratio::baseText);
  const float rest = width - ownWidth - baseWidth - (kNameEms + kPaddingEms) * em;
  if (both && rest < ratioWidth(rows, 0)) return drawNarrow(context, rows, own, base);
  const std::string id = "##" + rows.front().name;  // A panel may have several of these tables.
  if (!ImGui::BeginTable(id.c_str(), both ? 4 : 2, ImGuiTableFlags_SizingStretchProp)) return;
  const auto fixed = [](float pixels) {
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, pixels);
  };
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
  if (both) fixed(baseWidth);
  fixed(ownWidth);
  if (both) fixed(std::max(ratioWidth(rows, rest), kRatioEms * em));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (const std::string& heading : {base, own}) {
    if (heading.empty()) continue;
    ImGui::TableNextColumn();
    rightHeader(context, heading);
  }
  for (const Ratio& row : rows) drawRow(context, row, both);
  ImGui::EndTable();
}

}  // namespace tilestep::ui
