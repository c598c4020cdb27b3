// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/kit/fonts.h"
#include "ui/kit/step_recorder.h"
#include "ui/shell/window.h"

namespace tilestep::ui {

/// The files that all steps of a played lesson are written to. For the main thread, and not within
/// a frame.
class PlayedFiles {
 public:
  /// The files that the options name. A PDF that cannot be made here is an error already, so that
  /// it is told before the lesson is played.
  static Result<PlayedFiles> make(const WindowOptions& options, const FontFiles& fonts);

  /// Adds the step that the snapshot shows to each file.
  Status add(const model::Snapshot& now, model::Session& session, const UiState& ui);
  /// Writes the files. Returns a sentence for each that could not be written, and for each whose
  /// pictures lack something.
  [[nodiscard]] std::vector<std::string> finish();

 private:
  std::vector<std::unique_ptr<StepRecorder>> recorders_;
};

}  // namespace tilestep::ui
