// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/export/page.h"
#include "model/snapshot.h"
#include "ui/kit/context.h"

/// What a page says of the present step, taken from the snapshot: everything but the pictures.
namespace tilestep::ui {

/// The page without its steps: the title is the open lesson's, or says what is stepped through.
[[nodiscard]] model::Page emptyPageOf(const model::Snapshot& now);

/// `ui`: what the window shows of the step.
[[nodiscard]] model::PageStep pageStepOf(const model::Snapshot& now, const UiState& ui);

/// A scene's picture in words: the companion's first where there is one.
struct SceneWords {
  std::string name;         ///< "naive, phase 0, first of 2"
  std::string description;  ///< Which elements of each matrix the block and the step touch.
};
[[nodiscard]] std::vector<SceneWords> sceneWordsOf(const model::Snapshot& now);

}  // namespace tilestep::ui
