// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "gfx/camera.h"
#include "gfx/palette.h"
#include "gfx/scene.h"
#include "session/session.h"
#include "ui/fonts.h"

namespace tilestep::ui {

enum class Theme : uint8_t { dark, light, highContrast };
[[nodiscard]] gfx::Palette paletteOf(Theme theme);
[[nodiscard]] const char* nameOf(Theme theme);
[[nodiscard]] Theme nextTheme(Theme theme);

/// What belongs to the window alone: how it looks, not what it shows.
/// Panels that can be folded away.
enum class Panel : uint8_t { controls, measures, source };
inline constexpr size_t kPanels = 3;

struct PanelWish {
  bool wanted = true;
  unsigned asked = 0;  ///< Grows with every time somebody asked for it; 0: never.
};

struct UiState {
  Theme theme = Theme::dark;
  float scale = 1;  ///< The person's own, on top of the display's.
  bool fontsStale = false;
  std::array<PanelWish, kPanels> panels;  ///< By Panel.
  /// By Panel: what the last frame had room for. A panel may be wanted and not shown.
  std::array<bool, kPanels> shown{true, true, true};
  float controlsWidth = 0, measuresWidth = 0,
        sourceHeight = 0;  ///< Pixels at scale 1; 0: automatic.
  bool help = false;
  bool motion = true;
  bool companionSource = false;  ///< The source panel shows the companion's.
  bool warpView = false;         ///< The step panel shows one warp against memory.
  bool threadView = false;       ///< The step panel shows the chosen thread; before `warpView`.
  bool frontMatter = false;      ///< The source panel unfolds the first comment.
  bool wholeGrid = false;        ///< The traffic table shows the whole grid.
  float lessonHeight = 0;        ///< What the lesson's step asks for; 0: none is open.
  std::string lessonAnswer;      ///< As typed.
  std::shared_ptr<const session::Lesson> lessonShown;  ///< To tell when a step is new.
  size_t lessonStep = 0;
  bool screenshot = false;   ///< Save a picture of the next frame.
  gfx::Camera camera;        ///< One for both scenes, so that they stay comparable.
  bool cameraMoved = false;  ///< By hand; otherwise the scenes always fit.
  gfx::Place hovered;        ///< The cell under the pointer, in either scene.
  unsigned hoveredScene = 0;
  std::string hoverText;

  [[nodiscard]] bool isShown(Panel panel) const { return shown[static_cast<size_t>(panel)]; }
};

/// What a panel gets: everything to draw from, and where wishes go.
struct Context {
  const session::Snapshot& snapshot;
  session::Session& session;
  UiState& ui;
  const gfx::Palette& palette;
  const Fonts& fonts;
  float em = 16;   ///< Height of the interface font; all measures derive from it.
  double now = 0;  ///< Seconds.
};

[[nodiscard]] inline ImU32 colour(gfx::Color c) {
  return gfx::packed(c);
}
[[nodiscard]] inline ImU32 colour(gfx::Color c, float alpha) {
  return gfx::packed(gfx::withAlpha(c, alpha));
}
[[nodiscard]] inline ImVec4 vector(gfx::Color c) {
  return ImGui::ColorConvertU32ToFloat4(gfx::packed(c));
}

/// Sets ImGui's style from the palette, for a font of `em` pixels.
void applyStyle(const gfx::Palette& palette, float em);

}  // namespace tilestep::ui
