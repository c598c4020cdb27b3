// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/kit/fonts.h"
#include "ui/kit/step_recorder.h"
#include "ui/shell/window.h"

namespace tilestep::ui {

/// The files to which all steps of a played lesson are written. Main thread only, outside a frame.
class PlayedFiles {
 public:
  /// Opens the files that the options name. Returns an error if a PDF is requested and none can be
  /// made here, so that it is reported before the lesson is played.
  static Result<PlayedFiles> make(const WindowOptions& options, const FontFiles& fonts);

  Status add(const model::Snapshot& now, model::Session& session, const UiState& ui);
  /// Writes the files. Returns a sentence for each file that could not be written and for each
  /// whose pictures are incomplete.
  [[nodiscard]] std::vector<std::string> finish();

 private:
  std::vector<std::unique_ptr<StepRecorder>> recorders_;
};

}  // namespace tilestep::ui
