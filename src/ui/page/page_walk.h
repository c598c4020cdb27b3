// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "model/notice.h"
#include "ui/page/page_recorder.h"
#include "ui/page/step_script.h"

namespace tilestep::ui {

/// Writes a web page of the open lesson, or without a lesson of the scene's steps, while the window
/// is open: goes through the steps, and returns to where the window was. For the main thread.
class PageWalk {
 public:
  /// Keeps where session and `ui` are. `home`: the folder that holds assets/.
  PageWalk(model::Session& session, UiState& ui, const FontFiles& fonts, std::filesystem::path file,
           std::filesystem::path home);

  /// Call after each frame; `still`: nothing in it is moving; `now`: seconds.
  void advance(model::Session& session, UiState& ui, bool still, double now);
  void stop() { stopped_ = true; }
  [[nodiscard]] bool ended() const { return stopped_ || script_->ended(); }
  /// Writes the page unless it was stopped, restores session and `ui`, and says what came of it.
  [[nodiscard]] model::Notice finish(model::Session& session, UiState& ui);

 private:
  std::filesystem::path file_, home_;
  model::Bookmark bookmark_;
  UiState ui_;
  bool table_;  ///< The table of execution phases was visible.
  bool stopped_ = false;
  PageRecorder recorder_;
  std::unique_ptr<StepScript> script_;
};

}  // namespace tilestep::ui
