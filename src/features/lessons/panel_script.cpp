// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/panel_script.h"

#include <cstdio>

#include "features/lessons/view.h"
#include "features/sweeps/ladder_view.h"
#include "features/sweeps/view.h"
#include "features/timeline/timeline_view.h"

namespace tilestep::ui {
namespace {

bool isShown(const model::Snapshot& now) {
  return now.main && !now.sceneStale && !now.busy.scene && !now.busy.measure && !now.busy.count;
}

/// Whether the ladder was requested and is not complete yet.
bool isCounting(const model::Snapshot& now, const model::LessonView& view) {
  return view.step().sweep == model::SweepKind::ladder &&
         (!now.view<model::SweepsView>().ladder ||
          !now.view<model::SweepsView>().ladder->progress.empty());
}

std::string noticesOf(const model::Snapshot& now) {
  std::string text;
  for (const model::Notice& notice : now.notices) text += " " + notice.text;
  return text;
}

}  // namespace

std::filesystem::path LessonScript::advance(model::Session& session, bool still, double now) {
  const auto snapshot = session.snapshot();
  if (ended_ || !snapshot->view<model::LessonsView>().lesson) return {};
  const model::LessonView& view = *snapshot->view<model::LessonsView>().lesson;
  if (since_ < 0) since_ = now;
  if (view.index == next_ && !view.revealed) {
    session.apply(model::command("lessons.reveal"));
    still_ = 0;
    return {};
  }
  const bool waits =
      view.shown->coming ||
      (view.step().stage == "timeline" && snapshot->view<model::TimelineStage>().coming) ||
      isCounting(*snapshot, view);
  const bool ready = view.index == next_ && isShown(*snapshot) && !waits && still;
  still_ = ready ? still_ + 1 : 0;
  const bool late = now - since_ > patience_;
  if (late)
    trouble_ +=
        "Step " + std::to_string(next_ + 1) + " was not shown:" + noticesOf(*snapshot) + "\n";
  if (still_ < kStillFrames && !late) return {};
  char number[16];
  std::snprintf(number, sizeof number, "%02zu-", next_ + 1);
  const std::filesystem::path picture = folder_ / (number + view.step().slug + ".png");
  return picture;
}

void LessonScript::pictureTaken(model::Session& session, const Status& saved) {
  if (!saved) trouble_ += saved.error().message + "\n";
  still_ = 0;
  since_ = -1;
  const auto snapshot = session.snapshot();
  if (snapshot->view<model::LessonsView>().lesson &&
      !snapshot->view<model::LessonsView>().lesson->shown->missing.empty())
    trouble_ += "Step " + std::to_string(next_ + 1) +
                " lacks a figure: " + snapshot->view<model::LessonsView>().lesson->shown->missing +
                "\n";
  ++next_;
  ended_ = !saved || !snapshot->view<model::LessonsView>().lesson ||
           next_ >= snapshot->view<model::LessonsView>().lesson->lesson->steps.size();
  if (!ended_) session.apply(model::command("lessons.step", next_));
}

}  // namespace tilestep::ui
