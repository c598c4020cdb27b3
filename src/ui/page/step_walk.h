// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "model/notice.h"
#include "ui/kit/step_recorder.h"
#include "ui/kit/step_script.h"

namespace tilestep::ui {

/// Records the steps of the open lesson or, without a lesson, those of the scene, while the window
/// is open. Afterwards it returns to the previous position. Main thread only.
class StepWalk {
 public:
  /// Saves the state of session and `ui`.
  StepWalk(model::Session& session, UiState& ui, std::unique_ptr<StepRecorder> recorder);

  /// Call after each frame. `still` is true if nothing in the frame is moving; `now` is in seconds.
  void advance(model::Session& session, UiState& ui, bool still, double now);
  void stop() { stopped_ = true; }
  [[nodiscard]] bool ended() const { return stopped_ || script_->ended(); }
  /// Writes the files unless stopped, restores session and `ui`, and returns a notice of the
  /// outcome.
  [[nodiscard]] model::Notice finish(model::Session& session, UiState& ui);

 private:
  model::Bookmark bookmark_;
  UiState ui_;
  bool table_;  ///< Whether the table of execution phases was visible.
  bool stopped_ = false;
  std::string cut_;  ///< A sentence about omitted steps; empty if none are omitted.
  std::unique_ptr<StepRecorder> recorder_;
  std::unique_ptr<StepScript> script_;
};

}  // namespace tilestep::ui
