// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/phases/view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::phases {
namespace {

using namespace ui;
using nlohmann::json;

json stateOf(const model::Snapshot& now, bool companion) {
  const auto& table =
      companion ? now.view<model::PhasesView>().companion : now.view<model::PhasesView>().main;
  if (!now.view<model::PhasesView>().wanted || !table) return nullptr;
  return {{"title", table->title}, {"phases", table->phases}, {"threads", table->rows.size()}};
}

class PhasesPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {
        {"E", "table of execution phases: threads against phases", KeyGroup::scene},
        {"X", "the textbook's example: 4 × 4 with tiles of 2 × 2, and its table", KeyGroup::scene}};
  }
  bool takeText(char32_t text, model::Session& session, UiState& /*ui*/) const override {
    switch (text) {
      case U'e':
      case U'E':
        session.apply(
            model::command("phases.table", !session.snapshot()->view<model::PhasesView>().wanted));
        return true;
      case U'x':
      case U'X':
        session.apply(model::command("phases.classic"));
        return true;
      default:
        return false;
    }
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    to["phase_table"] = stateOf(now, ui.companionSource && now.companion);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<PhasesPanel>();
}

}  // namespace tilestep::features::phases
