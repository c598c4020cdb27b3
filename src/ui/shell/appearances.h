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

struct TypeSize {
  float scale = 1;                   ///< The whole interface; at 1 its text is 16 pixels high.
  float leastPixels = kLeastAtDesk;  ///< The smallest text.
  bool operator==(const TypeSize&) const = default;
};
/// The type for a window of this size in pixels. At the desk, it is the chosen scale, with text of
/// at least 12 pixels at scale 1. In a presentation, text is at least 1/36 of the window's height
/// (3/4 of its width if the window is narrower than 4 : 3), so that it is readable from a hall's
/// last row. `displayScale` is the display's scale factor (gfx::Window::dpiScale).
[[nodiscard]] TypeSize typeFor(const UiState& ui, float width, float height, float displayScale);
/// Changes the scale by `by` steps, starting from the one in use.
void stepScale(UiState& ui, int by);

[[nodiscard]] model::AppearanceSet looksOf(const UiState& ui);
void setLooks(UiState& ui, const model::AppearanceSet& looks);
/// Call once per frame. Passes changed appearance settings to the session, so that they can be
/// undone, or adopts those that a command, undo or redo has changed. `gesture` is true during a
/// drag, whose changes count as one.
void syncLooks(UiState& ui, model::Session& session, bool gesture);

}  // namespace tilestep::ui
