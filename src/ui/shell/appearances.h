// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

namespace tilestep::ui {

/// The scales that the keys and the menu step through.
inline constexpr std::array<float, 12> kScales{0.75F, 0.875F, 1,     1.125F, 1.25F, 1.5F,
                                               1.75F, 2,      2.25F, 2.5F,   2.75F, 3};

/// Switches between the desk and the presentation (large type, high contrast, the scene and one
/// plot). Each keeps its own appearance settings and camera.
void togglePresentation(UiState& ui);

/// The scale to draw with: the chosen one, or the largest step at which a window of this size
/// (pixels at scale 1) holds a presentation.
[[nodiscard]] float scaleFor(const UiState& ui, float width, float height);
/// The factor by which the scene's labels shrink in a small panel, so that enough room is left for
/// the picture: 0.4 to 1, in steps. `width` and `height`: the panel's size in em. `scenes`: how
/// many stand side by side.
[[nodiscard]] float labelShareFor(float width, float height, int scenes);
/// The same for the size that the scene had in the last frame; `before` where it was not shown.
/// `em` is in pixels.
[[nodiscard]] float labelShareOf(const UiState& ui, bool twoScenes, float em, float before);
/// Changes the scale by `by` steps, starting from the one in use.
void stepScale(UiState& ui, int by);

[[nodiscard]] model::AppearanceSet looksOf(const UiState& ui);
void setLooks(UiState& ui, const model::AppearanceSet& looks);
/// Call once per frame. Passes changed appearance settings to the session, so that they can be
/// undone, or adopts those that a command, undo or redo has changed. `gesture`: a drag is under
/// way, so its changes count as one.
void syncLooks(UiState& ui, model::Session& session, bool gesture);

}  // namespace tilestep::ui
