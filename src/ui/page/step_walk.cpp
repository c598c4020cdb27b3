// SPDX-License-Identifier: Apache-2.0
#include "ui/page/step_walk.h"

#include <utility>

#include "base/figure.h"
#include "base/sentence.h"
#include "ui/kit/parts.h"
#include "ui/kit/user_files.h"
#include "ui/page/scene_script.h"

namespace tilestep::ui {
namespace {

std::unique_ptr<StepScript> scriptFor(const model::Snapshot& now) {
  if (now.shown.lesson) return makeLessonScript();
  return std::make_unique<SceneScript>();
}

/// A sentence that says how many steps are saved; empty if all are saved.
std::string cutText(const model::Snapshot& now) {
  const bool cut = !now.shown.lesson && now.position.size > SceneScript::kMost;
  return cut ? "The scene has " + grouped(now.position.size) +
                   " steps, of which at most the first " + grouped(SceneScript::kMost) +
                   " are saved."
             : "";
}

}  // namespace

StepWalk::StepWalk(model::Session& session, UiState& ui, std::unique_ptr<StepRecorder> recorder)
    : bookmark_(session.bookmark()),
      ui_(ui),
      table_(session.snapshot()->shown.phaseTable),
      cut_(cutText(*session.snapshot())),
      recorder_(std::move(recorder)),
      script_(scriptFor(*session.snapshot())) {
  recorder_->note(cut_);
  session.apply(model::command("lessons.keep"));
  session.apply(model::command("steps.play", false));
  ui.motion = false;
  ui.lessonShown.reset();  // So that the current step's view is applied, too.
  ui.pageProgress = {.shown = true, .what = recorder_->name()};
}

void StepWalk::advance(model::Session& session, UiState& ui, bool still, double now) {
  const auto snapshot = session.snapshot();
  if (script_->advance(session, still, now))
    script_->taken(session, recorder_->add(*snapshot, session, ui));
  const StepScript::Progress progress = script_->progress();
  ui.pageProgress.done = progress.done;
  ui.pageProgress.all = progress.all;
}

model::Notice StepWalk::finish(model::Session& session, UiState& ui) {
  using Kind = model::Notice::Kind;
  ui = std::move(ui_);
  session.apply(model::command("lessons.return"));
  session.apply(model::command("phases.table", table_));
  session.returnTo(bookmark_);
  const auto notice = [](Kind kind, std::string text) {
    return model::Notice{kind, "picture", std::move(text), {}, {}};
  };
  const std::string nothing = "No " + recorder_->name() + " was written";
  if (stopped_) {
    recorder_->discard();
    return notice(Kind::info, nothing + ", because it was stopped.");
  }
  const std::string trouble = asSentence(script_->trouble());
  const size_t steps = recorder_->size();
  if (steps == 0) {
    recorder_->discard();
    return notice(Kind::error, nothing + ". " + trouble);
  }
  if (const Status written = recorder_->finish(); !written)
    return notice(Kind::error, asSentence(written.error().message));
  std::string text = capitalised(recorder_->name()) + " saved as " + savedPlace(recorder_->path()) +
                     ", with " + std::to_string(steps) + (steps == 1 ? " step." : " steps.");
  const std::string lacks = recorder_->lacks();
  if (!cut_.empty())
    text += " " + cut_ + " Coarser steps cover more: press 1 for phases or 2 for epochs.";
  for (const std::string& more : {lacks, trouble})
    if (!more.empty()) text += " " + more;
  return notice(trouble.empty() && lacks.empty() ? Kind::info : Kind::warning, std::move(text));
}

}  // namespace tilestep::ui
