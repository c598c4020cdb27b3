// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/source/panel.h"
#include "features/source/view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::source {
namespace {

using nlohmann::json;

json stateOf(const model::Snapshot& now, const UiState& ui) {
  const auto& view = now.view<SourceView>();
  if (!ui.ptxView || !view.ptx) return nullptr;
  json instructions = json::array();
  if (view.stepCounts)
    for (const auto& [instruction, count] : view.stepCounts->byInstruction)
      instructions.push_back(instruction);
  return {{"lines", view.ptx->lines.size()}, {"instructions", std::move(instructions)}};
}

class SourceParts : public FeaturePanel {
 public:
  [[nodiscard]] PartDrawers parts() const override {
    return {{Part::ptx, drawPtx},
            {Part::source, [panel = features::SourcePanel()](
                               const Context& context) mutable { panel.draw(context); }},
            {Part::runningLines,
             [lines = RunningLines()](const Context& context) mutable { lines.draw(context); }}};
  }
  [[nodiscard]] bool isMade(std::string_view view, const model::Snapshot& now) const override {
    return view != "ptx" || now.view<SourceView>().ptx != nullptr;
  }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {
        {"S", "source: this kernel or the compared one", KeyGroup::scene, true, U"sS",
         [](char32_t, model::Session&, UiState& ui) { ui.companionSource = !ui.companionSource; }},
        {"I", "PTX next to the source", KeyGroup::scene, true, U"iI",
         [](char32_t, model::Session&, UiState& ui) { ui.ptxView = !ui.ptxView; }},
        {"N, Shift+N", "next or previous step that ran the chosen line (click to choose)",
         KeyGroup::scene, false, U"nN", [](char32_t letter, model::Session& session, UiState& ui) {
           session.apply(model::command("source.line", ui.lineChosen, letter == U'n'));
         }}};
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    to["ptx"] = stateOf(now, ui);
    to["ptx_view"] = ui.ptxView;
    to["line_chosen"] = ui.lineChosen;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<SourceParts>();
}

}  // namespace tilestep::features::source
