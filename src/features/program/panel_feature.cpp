// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/program/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::program {
namespace {

using nlohmann::json;

const char* nameOf(ProgramView::State state) {
  constexpr const char* kNames[] = {"none", "running", "refused", "stopped", "compiled", "ended"};
  return kNames[static_cast<size_t>(state)];
}

json pixelsOf(ImVec2 at) {
  return {static_cast<int>(at.x), static_cast<int>(at.y)};
}

class ProgramPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::program; }
  [[nodiscard]] const char* stageHover() const override {
    return "Your own program: its text, what was found in it, and what it does";
  }
  void drawStage(const Context& context) const override { drawProgram(context); }

  /// Shows a program that was opened.
  void watch(const Context& context, bool /*isShown*/) const override {
    const auto& view = context.snapshot.view<ProgramView>();
    context.ui.isProgramOpen = !view.path.empty();
    if (std::exchange(context.ui.programOpenings, view.openings) < view.openings)
      context.ui.stage = Stage::program;
  }

  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"Ctrl+O", "open a program of yours", KeyGroup::window},
            {"Ctrl+Enter", "program: compile and run it", KeyGroup::window},
            {"Ctrl+F", "program: find in its text", KeyGroup::window},
            {"Ctrl+R", "program: take the version that was kept last", KeyGroup::window}};
  }

  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& view = now.view<ProgramView>();
    if (view.path.empty()) return;
    json& state = to["program"];
    state = {{"path", view.path},       {"state", nameOf(view.state)},
             {"verdict", view.verdict}, {"saved", view.isSaved},
             {"old", view.isOld},       {"launch", view.launch},
             {"finding", view.finding}, {"output", view.output->size()}};
    state["fix_outcome"] = view.fixOutcome;
    if (ui.program) {
      state["take_fix"] = pixelsOf(ui.program->takeFixAt);
      state["step_there"] = pixelsOf(ui.program->stepThereAt);
      state["first_launch"] = pixelsOf(ui.program->launchAt);
    }
    json& sliders = state["sliders"] = json::object();
    for (const auto& [name, value] : view.values) {
      sliders[name] = {{"value", value}};
      if (ui.program && ui.program->sliders.contains(name)) {
        const gfx::Box& box = ui.program->sliders.at(name);
        sliders[name]["box"] = {box.x, box.y, box.width, box.height};
      }
    }
    if (!view.summary) return;
    state["findings"] = view.summary->findings.size();
    state["faults"] = view.summary->faults();
    state["steps"] = view.summary->steps.size();
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<ProgramPanel>();
}

}  // namespace tilestep::features::program
