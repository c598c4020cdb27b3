// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/fonts.h"

namespace tilestep::support {

/// Fonts for tests that look at text. They have the interface's faces and sizes, but the widths of
/// their characters are defined here and not in a font file. So a frame's layout is the same on
/// every machine, with any fonts, FreeType and Dear ImGui. Their glyphs are readable
/// (gfx/drawing/readable_glyphs.h). `stretch`: how much wider than usual every character is, in all
/// fonts that were ever added.
ui::Fonts addKnownFonts(float scale, float leastPixels, float stretch = 1);

}  // namespace tilestep::support
