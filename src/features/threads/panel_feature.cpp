// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/threads/view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::threads {
namespace {

using namespace ui;
using nlohmann::json;

json stateOf(const std::shared_ptr<const model::ThreadView>& view) {
  if (!view) return nullptr;
  return {{"name", view->name},   {"warp", view->warp},   {"lane", view->lane},
          {"makes", view->makes}, {"reads", view->reads}, {"loads", view->loads},
          {"gains", view->gains}, {"sum", view->sum},     {"line", view->line},
          {"doing", view->doing}, {"next", view->next}};
}

class ThreadsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"Shift+arrows", "choose the neighbouring thread (a click on a cell chooses one, too)",
             KeyGroup::scene}};
  }
  bool takeText(char32_t text, model::Session& session, UiState& ui) const override {
    switch (text) {
      case U'4':
        session.apply(model::command("threads.step"));
        ui.threadView = true;
        ui.ptxView = false;
        return true;
      default:
        return false;
    }
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& view = now.view<model::ThreadsView>();
    to["thread"] = stateOf(ui.companionSource && now.companion ? view.companion : view.main);
    to["thread_view"] = ui.threadView;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<ThreadsPanel>();
}

}  // namespace tilestep::features::threads
