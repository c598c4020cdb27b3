// SPDX-License-Identifier: Apache-2.0
#include "ui/page/page_walk.h"

#include <utility>

#include "base/figure.h"
#include "features/lessons/panel_script.h"
#include "features/lessons/view.h"
#include "features/phases/view.h"
#include "ui/page/scene_script.h"
#include "ui/shell/save_dialog.h"

namespace tilestep::ui {
namespace {

std::unique_ptr<StepScript> scriptFor(const model::Snapshot& now) {
  if (now.view<model::LessonsView>().lesson) return std::make_unique<LessonScript>();
  return std::make_unique<SceneScript>();
}

/// What is left out of the scene's steps; empty: nothing is.
std::string cutText(const model::Snapshot& now) {
  const bool cut = !now.view<model::LessonsView>().lesson && now.position.size > SceneScript::kMost;
  return cut ? "These are the first " + grouped(SceneScript::kMost) + " of " +
                   grouped(now.position.size) +
                   " steps. Coarser steps (1: phases, 2: epochs) cover more."
             : "";
}

}  // namespace

PageWalk::PageWalk(model::Session& session, UiState& ui, const FontFiles& fonts,
                   std::filesystem::path file, std::filesystem::path home)
    : file_(std::move(file)),
      home_(std::move(home)),
      bookmark_(session.bookmark()),
      ui_(ui),
      table_(session.snapshot()->view<model::PhasesView>().wanted),
      recorder_(fonts),
      script_(scriptFor(*session.snapshot())) {
  recorder_.note(cutText(*session.snapshot()));
  session.apply(model::command("lessons.keep"));
  session.apply(model::command("steps.play", false));
  ui.motion = false;
  ui.lessonShown.reset();  // The present step's view is taken as the others' are.
}

void PageWalk::advance(model::Session& session, UiState& ui, bool still, double now) {
  const auto snapshot = session.snapshot();
  if (script_->advance(session, still, now))
    script_->taken(session, recorder_.add(*snapshot, session, ui));
  const StepScript::Progress progress = script_->progress();
  ui.pageProgress.done = progress.done;
  ui.pageProgress.all = progress.all;
}

model::Notice PageWalk::finish(model::Session& session, UiState& ui) {
  using Kind = model::Notice::Kind;
  ui = std::move(ui_);
  session.apply(model::command("lessons.return"));
  session.apply(model::command("phases.table", table_));
  session.returnTo(bookmark_);
  const auto notice = [](Kind kind, std::string text) {
    return model::Notice{kind, "picture", std::move(text), {}, {}};
  };
  if (stopped_) return notice(Kind::info, "No web page was written, because it was stopped.");
  const std::string trouble = script_->trouble();
  const size_t steps = recorder_.size();
  if (steps == 0) return notice(Kind::error, "No web page was written. " + trouble);
  if (const Status written = recorder_.write(file_, home_); !written)
    return notice(Kind::error, written.error().message + ". Ctrl+S saves it under another name.");
  return notice(trouble.empty() ? Kind::info : Kind::warning,
                "Web page saved as " + savedPlace(file_) + ", with " + std::to_string(steps) +
                    (steps == 1 ? " step." : " steps.") + (trouble.empty() ? "" : " " + trouble));
}

}  // namespace tilestep::ui
