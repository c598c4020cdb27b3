// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gfx/labels.h"
#include "ui/kit/imgui_compat.h"

namespace tilestep::ui {

/// The fonts of the interface at one scale. Owned by ImGui's atlas.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* strong = nullptr;
  ImFont* large = nullptr;      ///< The scene's sentence and large figures.
  ImFont* mono = nullptr;       ///< Source, and numbers that stand in columns.
  ImFont* monoSmall = nullptr;  ///< Tables that would not fit otherwise.
  ImFont* small = nullptr;      ///< Hints and axes.
  gfx::LabelFonts labels;
  float labelEm = 16;  ///< What the scene measures by: textPixels, or less in a low window.
  float textPixels = 16, largePixels = 21, smallPixels = 13;
};

/// Font files by fontconfig: Inter, Noto Sans or DejaVu Sans; JetBrains Mono or DejaVu Sans Mono.
struct FontFiles {
  std::string text, strong, mono;
  std::string fallback;  ///< Has the signs that the others lack; may be empty.
};
[[nodiscard]] FontFiles findFontFiles();

/// The signs that the interface writes: the first and the last one of each range, then 0.
[[nodiscard]] const ImWchar* glyphRanges();

/// Empties the current atlas and adds all fonts at `scale` (1: 16 pixels), the scene's labels at
/// `labelScale`. Without any font file
/// ImGui's own font is used, and signs it lacks (… – ≥ →) are shown by their ASCII look-alikes.
Fonts addFonts(const FontFiles& files, float scale, float labelScale);

/// The same with fonts that `add` adds to the atlas, each for one face and size.
enum class Face { text, strong, mono };
using AddFont = std::function<ImFont*(Face face, float pixels)>;
Fonts addFontsWith(const AddFont& add, float scale, float labelScale);

}  // namespace tilestep::ui
