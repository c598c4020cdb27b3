// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ui/kit/context.h"

/// What a saved view says of itself.
namespace tilestep::ui {

/// The id of the view in the middle of the window.
[[nodiscard]] std::string_view viewInFront(const UiState& ui, const model::Snapshot& now);

/// "Roofline: tiled in blocks of 16 × 16, m = n = k = 1024"
[[nodiscard]] std::string titleOfView(std::string_view view, const model::Snapshot& now);
/// What the view shows, and where its numbers come from; may be empty.
[[nodiscard]] std::string captionOfView(std::string_view view, const UiState& ui,
                                        const model::Snapshot& now);
/// The device, with the day where its figures were recorded, and what the steps were traced on.
[[nodiscard]] std::string provenanceOf(const model::Snapshot& now);
/// For a file's name: "loads-by-phase-matmul_tiled". The steps have the name of an open lesson.
[[nodiscard]] std::string fileStemOf(std::string_view view, const model::Snapshot& now);

}  // namespace tilestep::ui
