// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gfx/imgui_compat.h"
#include "gfx/labels/labels.h"

namespace tilestep::ui {

/// The fonts of the interface at one scale. Owned by ImGui's atlas.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* strong = nullptr;
  ImFont* large = nullptr;      ///< The scene's sentence and large figures.
  ImFont* mono = nullptr;       ///< Source, and numbers in columns.
  ImFont* monoSmall = nullptr;  ///< For tables that would not fit otherwise.
  ImFont* small = nullptr;      ///< Hints and axes.
  gfx::LabelFonts labels;
  float leastPixels = 0;  ///< The size of the smallest text.
  float textPixels = 16, largePixels = 21, smallPixels = 13;
};

/// The smallest text at the desk, in pixels at scale 1.
inline constexpr float kLeastAtDesk = 12;

/// Font files found by fontconfig: the first installed of Inter, Noto Sans and DejaVu Sans, and the
/// first installed of JetBrains Mono, DejaVu Sans Mono and Noto Sans Mono.
struct FontFiles {
  std::string text, strong, mono;
  std::string fallback;  ///< Contains the glyphs that the others do not; may be empty.
};
[[nodiscard]] FontFiles findFontFiles();
/// Whether the program can use a font file: it must end in .ttf or .otf.
[[nodiscard]] bool isDrawable(const std::string& file);

/// The glyphs that the interface uses: the first and last of each range, terminated by 0.
[[nodiscard]] const ImWchar* glyphRanges();

/// Clears the current atlas and adds all fonts at `scale` (1 means 16 pixels), none of them smaller
/// than `leastPixels`. Without any font file, ImGui's own font is used, and similar ASCII
/// characters replace its missing glyphs (… – ≥ →). Glyphs are rendered at `density` pixels per
/// coordinate, which does not change their metrics.
Fonts addFonts(const FontFiles& files, float scale, float leastPixels, float density = 1);

/// Like addFonts(), but `add` adds the font of one face and size to the atlas.
enum class Face { text, strong, mono };
using AddFont = std::function<ImFont*(Face face, float pixels)>;
Fonts addFontsWith(const AddFont& add, float scale, float leastPixels);

}  // namespace tilestep::ui
