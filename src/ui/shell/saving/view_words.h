// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// The id of the view in the middle of the window.
[[nodiscard]] std::string_view viewInFront(const UiState& ui, const model::Snapshot& now);

/// "Roofline: tiled in blocks of 16 × 16, m = n = k = 1024"
[[nodiscard]] std::string titleOfView(std::string_view view, const model::Snapshot& now);
/// The view's content and the source of its numbers; may be empty.
[[nodiscard]] std::string captionOfView(std::string_view view, const UiState& ui,
                                        const model::Snapshot& now);
/// The device, with the date of its recording if any, and where the steps were traced.
[[nodiscard]] std::string provenanceOf(const model::Snapshot& now);
/// For a file's name: "loads-by-phase-matmul_tiled". With an open lesson, steps have the lesson's
/// name.
[[nodiscard]] std::string fileStemOf(std::string_view view, const model::Snapshot& now);

}  // namespace tilestep::ui
