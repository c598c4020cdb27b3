// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/exercises/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::exercises {
namespace {

using namespace ui;
using nlohmann::json;

const char* nameOf(model::AttemptView::State state) {
  constexpr const char* kNames[] = {"none", "running", "cancelled", "passed", "failed", "unjudged"};
  return kNames[static_cast<size_t>(state)];
}

class ExercisesPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::exercises; }
  [[nodiscard]] const char* stageHover() const override {
    return "Faulty kernels to mend: find what is wrong";
  }
  void drawStage(const Context& context) const override { drawExercises(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("exercises.watch", isShown));
  }

  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"!", "exercises: the next wrong element, and what was read for it", KeyGroup::scene}};
  }
  bool takeText(char32_t text, model::Session& session, UiState& ui) const override {
    if (text != U'!' || ui.stage != Stage::exercises) return false;
    session.apply(model::command("exercises.next_wrong"));
    return true;
  }

  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& view = now.view<model::ExercisesView>();
    const model::Exercise* exercise = view.openExercise();
    if (exercise == nullptr) return;
    json& state = to["exercise"];
    state = {{"id", exercise->id},
             {"hints", view.hints},
             {"listing", view.listing},
             {"attempt", nameOf(view.attempt.state)},
             {"text", view.attempt.text}};
    if (ui.stage != Stage::exercises) return;
    state["file"] = view.file;
    state["problems"] = view.problems.size();
    state["wrong"] = view.cells ? view.cells->wrong() : 0;
    state["story"] = view.story ? view.story->name : "";
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<ExercisesPanel>();
}

}  // namespace tilestep::features::exercises
