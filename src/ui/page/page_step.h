// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/export/page.h"
#include "model/snapshot.h"
#include "ui/kit/context.h"

/// The text of the current step on a page, taken from the snapshot: everything but the pictures.
namespace tilestep::ui {

/// The page without its steps. The title is the open lesson's title or, without a lesson, the
/// kernel's name and sizes.
[[nodiscard]] model::Page emptyPageOf(const model::Snapshot& now);

/// `ui` has the window's settings for the step.
[[nodiscard]] model::PageStep pageStepOf(const model::Snapshot& now, const UiState& ui);

/// A view's table with rounded numbers.
[[nodiscard]] model::Table tableToRead(std::string_view id, const model::Snapshot& now);
[[nodiscard]] std::vector<std::string> pageLinesOf(const std::string& text);

/// A scene's picture in words. The companion's comes first.
struct SceneWords {
  std::string name;         ///< "naive, phase 0, first of 2"
  std::string description;  ///< The elements of each matrix that the block and the step touch.
};
[[nodiscard]] std::vector<SceneWords> sceneWordsOf(const model::Snapshot& now);

}  // namespace tilestep::ui
