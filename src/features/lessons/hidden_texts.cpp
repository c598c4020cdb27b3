// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/hidden_texts.h"

#include <utility>

namespace tilestep::features {

Status checkHiddenTexts(const Lesson& lesson, const std::string& file,
                        const LessonFigures::FindKernel& find) {
  for (const LessonStep& step : lesson.steps) {
    if (!step.ask || step.ask->hide.empty()) continue;
    const Result<compile::KernelSource> source = find(step.scene.kernel);
    if (!source) continue;
    for (const std::string& text : step.ask->hide) {
      if (source->text.find(text) != std::string::npos) continue;
      Error error = requestError("hide lists \"" + text + "\", but " + step.scene.kernel +
                                 " does not contain it: copy it from the kernel's source");
      error.where = TextLocation{file, step.ask->hideLine, 1};
      return error;
    }
  }
  return {};
}

}  // namespace tilestep::features
