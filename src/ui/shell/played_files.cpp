// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/played_files.h"

#include <utility>

#include "base/sentence.h"
#include "base/utc.h"
#include "ui/kit/user_files.h"
#include "ui/page/page_recorder.h"
#include "ui/shell/saving/step_pictures.h"

namespace tilestep::ui {

Result<PlayedFiles> PlayedFiles::make(const WindowOptions& options, const FontFiles& fonts) {
  PlayedFiles files;
  std::vector<Result<std::unique_ptr<StepRecorder>>> made;
  if (!options.pageFile.empty())
    made.push_back(PageRecorder::make(fonts, options.pageFile, options.home));
  if (!options.pdfFile.empty())
    made.push_back(StepPages::make(options.pdfFile, {true, utcToday()}, {fonts, options.home}));
  for (Result<std::unique_ptr<StepRecorder>>& recorder : made) {
    if (!recorder) return recorder.error();
    files.recorders_.push_back(std::move(*recorder));
  }
  return files;
}

Status PlayedFiles::add(const model::Snapshot& now, model::Session& session, const UiState& ui) {
  for (const std::unique_ptr<StepRecorder>& recorder : recorders_)
    if (Status added = recorder->add(now, session, ui); !added) return added;
  return {};
}

std::vector<std::string> PlayedFiles::finish() {
  std::vector<std::string> trouble;
  for (const std::unique_ptr<StepRecorder>& recorder : recorders_) {
    if (recorder->size() == 0) continue;  // The reason has already been reported.
    if (const Status written = recorder->finish(); !written)
      trouble.push_back(asSentence(written.error().message));
    else if (const std::string lacks = recorder->lacks(); !lacks.empty())
      trouble.push_back(recorder->path().string() + ": " + lacks);
  }
  return trouble;
}

}  // namespace tilestep::ui
