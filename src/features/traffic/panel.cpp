// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "features/traffic/view.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/widgets.h"

namespace tilestep::features::traffic {
namespace {

void rightText(const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room));
  ImGui::TextUnformatted(text.c_str());
}

void drawRow(const Context& context, const Ratio& row, bool both) {
  const gfx::Palette& p = context.palette;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  clipped(row.name, ImGui::GetContentRegionAvail().x);
  tooltip(context, row.hover);
  if (both) {
    ImGui::TableNextColumn();
    rightNumber(context, row.baseText(), colour(p.mutedText));
    tooltip(context, row.hover);
  }
  ImGui::TableNextColumn();
  rightNumber(context, row.ownText(), colour(p.text));
  tooltip(context, row.hover);
  if (!both) return;
  ImGui::TableNextColumn();
  const float room = ImGui::GetContentRegionAvail().x;
  for (const std::string& line : factorLines(row.text(), room)) rightText(line);
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

/// The width of the column with the ratios: one line each if `room` allows it, otherwise two.
float ratioWidth(const TrafficTable& table, float room) {
  float whole = 0, broken = 0;
  for (const Ratio& row : table.rows) {
    const std::string text = row.text();
    whole = std::max(whole, ImGui::CalcTextSize(text.c_str()).x);
    for (const std::string& line : factorLines(text, 0))
      broken = std::max(broken, ImGui::CalcTextSize(line.c_str()).x);
  }
  return whole <= room ? whole : broken;
}

/// In a panel that is too narrow for columns: below each name the values of both kernels and the
/// ratio.
void drawNarrow(const Context& context, const TrafficTable& table, const std::string& other,
                const std::string& mine) {
  mutedWrapped(context, other + " / " + mine);
  for (const Ratio& row : table.rows) {
    mutedWrapped(context, row.name);
    tooltip(context, row.hover);
    const std::string ratio = row.text();
    wrapped(row.baseText() + " / " + row.ownText() + (ratio.empty() ? "" : ": " + ratio));
    tooltip(context, row.hover);
  }
}

void drawTable(const Context& context, const TrafficTable& table, bool both) {
  const model::Snapshot& now = context.snapshot;
  const float em = context.em, width = ImGui::GetContentRegionAvail().x;
  const std::string mine = now.main ? columnName(context, *now.main->side) : "";
  const std::string other = both && now.companion ? columnName(context, *now.companion->side) : "";
  const auto widthFor = [em](const std::string& name) {
    return std::max(4.5F * em, ImGui::CalcTextSize(name.c_str()).x);
  };
  const float numbers = widthFor(other) + widthFor(mine);
  constexpr float kShortestNameEms = 4;
  if (both && width < numbers + ratioWidth(table, 0) + (kShortestNameEms + kPaddingEms) * em)
    return drawNarrow(context, table, other, mine);
  if (!ImGui::BeginTable("traffic", both ? 4 : 2, ImGuiTableFlags_SizingStretchProp)) return;
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
  if (both) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, widthFor(other));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, widthFor(mine));
  const float ratio = ratioWidth(table, width - numbers - (kNameEms + kPaddingEms) * em);
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
  for (const Ratio& row : table.rows) drawRow(context, row, both);
  ImGui::EndTable();
}

/// Chooses the counted range.
void drawScopes(const Context& context) {
  const bool ofBlock = context.snapshot.figuresOfBlock;
  bool& wholeGrid = context.ui.wholeGrid;
  if (toggle(context, "this phase", !wholeGrid)) wholeGrid = false;
  ImGui::SameLine(0, 0.15F * context.em);
  if (toggle(context, ofBlock ? "whole block" : "whole grid", wholeGrid)) wholeGrid = true;
  if (ofBlock)
    tooltip(context,
            "All that this one block does. The grid is too large to be run for the scene; "
            "C counts the whole grid in the background.");
  ImGui::SameLine();
}

void drawTitle(const Context& context, const std::string& title) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  if (ImGui::GetContentRegionAvail().x < 6 * context.em) {
    ImGui::NewLine();
    mutedWrapped(context, title);
  } else {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.35F * context.em);
    ImGui::PushStyleColor(ImGuiCol_Text, vector(context.palette.mutedText));
    clipped(title, ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleColor();
  }
  ImGui::PopFont();
}

/// The counts as the window's panel shows them.
Table pageTableOf(const Snapshot& now) {
  const model::TrafficTable& traffic = now.view<TrafficView>().phase;
  const bool both = now.companion != nullptr;
  Table table{"Counts: " + traffic.title, {"count"}, {}, false};
  if (both) table.columns.push_back(now.companion->side->shortName);
  table.columns.push_back(now.main->side->shortName);
  if (both) table.columns.emplace_back("compared");
  for (const model::Ratio& row : traffic.rows) {
    std::vector<std::string> cells{row.name};
    if (both) cells.push_back(row.baseText());
    cells.push_back(row.ownText());
    if (both) cells.push_back(row.text());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

class TrafficPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "traffic"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& /*context*/) const override {
    return Heading{"Traffic", ""};
  }
  void drawSection(const Context& context, float /*room*/) const override {
    const model::Snapshot& now = context.snapshot;
    const auto& view = now.view<TrafficView>();
    const bool& wholeGrid = context.ui.wholeGrid;
    if (view.phase.rows.empty() && view.grid.rows.empty())
      return hint(context, "Counts appear with the first trace.");
    if (!context.ui.readOnly) drawScopes(context);
    const TrafficTable& table = view.of(wholeGrid);
    drawTitle(context, table.title);
    drawTable(context, table, wholeGrid ? now.figuresCompanion != nullptr : !!now.companion);
    if (wholeGrid && !view.gridNote.empty()) mutedWrapped(context, view.gridNote);
    if (std::ranges::any_of(table.rows,
                            [](const Ratio& r) { return r.ownIsUncertain || r.baseIsUncertain; }))
      mutedWrapped(context, "≈: the hardware may count differently. Point at a row to see why.");
  }
  [[nodiscard]] std::optional<model::PlotKind> plot() const override {
    return model::PlotKind::traffic;
  }
  void describe(const model::Snapshot& now, const UiState& ui,
                model::PageStep& step) const override {
    if (ui.stage == Stage::scene && now.main) step.tables.push_back(pageTableOf(now));
  }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"G", "traffic: this phase, whole grid", KeyGroup::choice, true, U"gG",
             [](char32_t, model::Session&, UiState& ui) { ui.wholeGrid = !ui.wholeGrid; }}};
  }
  void addState(const model::Snapshot& /*now*/, const UiState& ui,
                nlohmann::json& to) const override {
    to["whole_grid"] = ui.wholeGrid;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<TrafficPanel>();
}

}  // namespace tilestep::features::traffic
