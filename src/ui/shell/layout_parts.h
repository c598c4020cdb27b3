// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/shell/layout.h"

/// Code shared by the layouts of the desk, a presentation and a lesson. Lengths are in pixels, `em`
/// is the size of the interface font. Pure.
namespace tilestep::ui {

constexpr float kLeastUnderTabs = 16;     // em
constexpr float kCoveredStrip = 2.2F;     // em
constexpr float kLeastBesideNotice = 11;  // em

/// Scales a chosen width or height, which is stored for a 16-pixel font.
[[nodiscard]] float chosenOr(float chosen, float automatic, float scale);
[[nodiscard]] const PanelWish& wish(const UiState& ui, Panel panel);
/// Whether the stage shows an open exercise, whose code is shown beside it.
[[nodiscard]] bool showsListing(const UiState& ui);
[[nodiscard]] float controlsWidth(const UiState& ui, float width, float em);
/// The gap between panels.
[[nodiscard]] float gapOf(float height, float em);
[[nodiscard]] float topHeightOf(float height, float em);
/// While presenting and in a lesson, the buttons and the scrubber share one line, so that the scene
/// gets more space.
[[nodiscard]] float transportHeightOf(const UiState& ui, float width, float height, float em);
/// A presentation, a lesson and a low window have no line for notices.
[[nodiscard]] float statusHeightOf(const UiState& ui, float width, float height, float em);
/// The height of the running lines below a presented scene: `most` lines, or fewer if the scene
/// needs the space; 0 if they are not shown.
[[nodiscard]] float codeHeightOf(const UiState& ui, unsigned most, float stage, float em);
/// The height of the row between the top bar and the transport bar.
[[nodiscard]] float middleHeightOf(const UiState& ui, float width, float height, float em);
/// Places source and step side by side. In a narrow row only the step is shown; if the row replaces
/// a covered stage, the step is below the source.
void placeSource(const UiState& ui, const gfx::Box& row, float gap, float em, PanelLayout& out);

/// The panel below the text in a lesson's column.
enum class Aside : uint8_t { none, measures, step, source };
[[nodiscard]] Aside asideOf(const UiState& ui);
/// Lays out a lesson beside the stage: a column with the text and, below it, the panel that the
/// step needs; the running lines are below the scene, and the stage gets the rest. In a
/// presentation, the code that a step needs and a notice that does not fit in the column are below
/// the stage.
[[nodiscard]] PanelLayout layOutBeside(const UiState& ui, float width, float height, float em,
                                       const LayoutNeeds& needs);

}  // namespace tilestep::ui
