// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

namespace tilestep::ui {

/// Scales that keys and the menu step through.
inline constexpr std::array<float, 12> kScales{0.75F, 0.875F, 1,     1.125F, 1.25F, 1.5F,
                                               1.75F, 2,      2.25F, 2.5F,   2.75F, 3};

/// Large type, high contrast, the scene and one plot; and back, with nothing of the desk changed.
void togglePresentation(UiState& ui);

/// The scale to draw with: the chosen one, or the largest step at which a window of this size
/// (pixels at scale 1) holds a presentation.
[[nodiscard]] float scaleFor(const UiState& ui, float width, float height);
/// By how much the scene's labels shrink where there is little room for its type, so that the
/// picture keeps some: 0.4 to 1, in steps. Room of the panel in em; `scenes` side by side.
[[nodiscard]] float labelShareFor(float width, float height, int scenes);
/// The same, by the room that the scene had in the last frame; `before` where it had none.
[[nodiscard]] float labelShareOf(const UiState& ui, bool twoScenes, float em, float before);
/// To the next step up or down from the scale in use.
void stepScale(UiState& ui, int by);

[[nodiscard]] model::AppearanceSet looksOf(const UiState& ui);
void setLooks(UiState& ui, const model::AppearanceSet& looks);
/// Once a frame: tells the session what changed, so that it can be undone, or takes over what it
/// took back. `gesture`: a drag is under way, whose changes count as one.
void syncLooks(UiState& ui, model::Session& session, bool gesture);

}  // namespace tilestep::ui
