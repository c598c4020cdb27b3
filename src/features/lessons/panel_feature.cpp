// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/lessons/view.h"
#include "ui/kit/feature_panel.h"
#include "ui/shell/stage_keys.h"

namespace tilestep::features::lessons {
namespace {

using namespace ui;
using nlohmann::json;

json stateOf(const std::optional<model::LessonView>& view) {
  if (!view) return nullptr;
  return {{"title", view->lesson->title},
          {"step", view->index + 1},
          {"steps", view->lesson->steps.size()},
          {"slug", view->step().slug},
          {"asks", view->step().ask.has_value()},
          {"revealed", view->revealed},
          {"verdict", view->verdict},
          {"text", view->shown->text},
          {"question", view->shown->question},
          {"choices", view->shown->choices},
          {"answer", view->revealed ? json(view->shown->answer) : json(nullptr)},
          {"coming", view->shown->coming},
          {"missing", view->shown->missing},
          {"origin", view->shown->origin}};
}

class LessonsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"L; Page Up, Page Down", "open or close a lesson; its steps", KeyGroup::lessons},
            {"Q", "answer a lesson's question: type and Enter, or arrows and Space",
             KeyGroup::lessons}};
  }
  bool takeText(char32_t text, model::Session& session, UiState& ui) const override {
    switch (text) {
      case U'l':
      case U'L':
        toggleLesson(session);
        return true;
      case U'q':
      case U'Q':
        ui.answerWished = kAnswerFrames;
        return true;
      default:
        return false;
    }
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    to["lesson"] = stateOf(now.view<model::LessonsView>().lesson);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<LessonsPanel>();
}

}  // namespace tilestep::features::lessons
