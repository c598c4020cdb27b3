// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "features/traffic/view.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/ratio_rows.h"
#include "ui/kit/widgets.h"

namespace tilestep::features::traffic {
namespace {

/// The kernel's name; if both sides show the same kernel, only what distinguishes this side.
std::string columnName(const Context& context, const model::TracedKernel& side) {
  const std::string plain = plainNameOf(side);
  std::string name = side.shortName;
  if (name != plain && name.starts_with(plain + " (") && name.ends_with(")"))
    name = name.substr(plain.size() + 2, name.size() - plain.size() - 3);
  return cutTo(name, 6.2F * context.em);
}

/// Buttons for the counted range.
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
    const bool both = wholeGrid ? now.figuresCompanion != nullptr : now.companion != nullptr;
    const std::string own = now.main ? columnName(context, *now.main->side) : "";
    const std::string base = now.companion ? columnName(context, *now.companion->side) : "compared";
    drawRatios(context, table.rows, own, both ? base : "");
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
