// SPDX-License-Identifier: Apache-2.0
#include "ui/page/scene_script.h"

#include <algorithm>

namespace tilestep::ui {

bool SceneScript::advance(model::Session& session, bool /*still*/, double /*now*/) {
  const auto now = session.snapshot();
  if (ended_) return false;
  all_ = std::min(now->position.size, most_);
  if (!now->main || all_ == 0) {
    trouble_ = "There are no steps to go through.\n";
    ended_ = true;
    return false;
  }
  if (now->position.index == next_) return !now->sceneStale;
  session.apply(model::command("steps.go", next_));
  return false;
}

void SceneScript::taken(model::Session& session, const Status& done) {
  if (!done) trouble_ += done.error().message + "\n";
  ++next_;
  ended_ = !done || next_ >= all_;
  if (!ended_) session.apply(model::command("steps.go", next_));
}

}  // namespace tilestep::ui
