// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/panel_script.h"

#include "features/comparison/view.h"
#include "features/cube/view.h"
#include "features/lab_times/view.h"
#include "features/lessons/view.h"
#include "features/program/view.h"
#include "features/sums/view.h"
#include "features/sweeps/ladder_view.h"
#include "features/sweeps/view.h"
#include "features/timeline/timeline_view.h"
#include "features/timing/view.h"

namespace tilestep::features {
namespace {

bool isShown(const model::Snapshot& now) {
  return now.main && !now.sceneStale && !now.busy.scene && !now.busy.measure && !now.busy.count;
}

/// Whether the step shows the ladder, and the ladder is not complete yet.
bool isCounting(const model::Snapshot& now, const LessonView& view) {
  return view.step().sweep == model::SweepKind::ladder &&
         (!now.view<SweepsView>().ladder || !now.view<SweepsView>().ladder->progress.empty());
}

/// Whether the program still runs, a launch is being recorded, or a change is being tried.
bool isProgramComing(const model::Snapshot& now) {
  const auto& view = now.view<ProgramView>();
  const bool runs = view.state == ProgramView::State::running;
  return runs || view.coming != 0 || (view.fix && !view.fixIsTried);
}

std::string noticesOf(const model::Snapshot& now) {
  std::string text;
  for (const model::Notice& notice : now.notices) text += " " + notice.text;
  return text;
}

}  // namespace

bool LessonScript::advance(model::Session& session, bool still, double now) {
  const auto snapshot = session.snapshot();
  if (ended_ || !snapshot->view<LessonsView>().lesson) return false;
  const LessonView& view = *snapshot->view<LessonsView>().lesson;
  all_ = view.lesson->steps.size();
  if (since_ < 0) {
    since_ = now;
    if (view.index != next_) session.apply(model::command("lessons.step", next_));
  }
  // Before this, the window cannot know its final device.
  began_ = began_ || !snapshot->busy.any();
  if (view.index == next_ && !view.revealed) {
    session.apply(model::command("lessons.reveal"));
    still_ = 0;
    return false;
  }
  const bool waits = view.shown->coming || (view.step().ask && view.shown->isAnswerComing()) ||
                     (view.step().stage == "timeline" && snapshot->view<TimelineStage>().coming) ||
                     (!view.step().program.empty() && isProgramComing(*snapshot)) ||
                     snapshot->view<CubeView>().pending || snapshot->view<SumsView>().coming ||
                     snapshot->view<TimingView>().coming ||
                     snapshot->view<LabTimesView>().isComing() || isCounting(*snapshot, view);
  const bool ready = began_ && view.index == next_ && isShown(*snapshot) && !waits && still;
  still_ = ready ? still_ + 1 : 0;
  const bool late = now - since_ > patience_;
  if (late)
    trouble_ +=
        "Step " + std::to_string(next_ + 1) + " was not shown:" + noticesOf(*snapshot) + "\n";
  return still_ >= kStillFrames || late;
}

void LessonScript::taken(model::Session& session, const Status& done) {
  if (!done) trouble_ += done.error().message + "\n";
  still_ = 0;
  since_ = -1;
  const auto snapshot = session.snapshot();
  const auto& view = snapshot->view<LessonsView>().lesson;
  if (view && !view->shown->missing.empty())
    trouble_ +=
        "Step " + std::to_string(next_ + 1) + " has no figure: " + view->shown->missing + "\n";
  for (const model::Notice& notice : snapshot->notices)
    if (notice.kind == model::Notice::Kind::error && notice.about == "kernel")
      trouble_ +=
          "Step " + std::to_string(next_ + 1) + " does not show its kernel: " + notice.text + "\n";
  if (const std::string& trouble = snapshot->view<ComparisonView>().trouble; !trouble.empty())
    trouble_ +=
        "Step " + std::to_string(next_ + 1) + " shows no companion kernel: " + trouble + "\n";
  ++next_;
  ended_ = !done || !view || next_ >= view->lesson->steps.size();
  if (!ended_) session.apply(model::command("lessons.step", next_));
}

}  // namespace tilestep::features
