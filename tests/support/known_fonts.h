// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/fonts.h"

namespace tilestep::support {

/// Fonts for tests that read text. They have the interface's faces and sizes, but the widths of
/// their characters are defined here instead of in a font file. So a frame's layout is the same on
/// every machine, with any fonts, FreeType and Dear ImGui. Their glyphs are readable
/// (gfx/drawing/readable_glyphs.h). `stretch` is a factor on the width of every character, in all
/// fonts added so far.
ui::Fonts addKnownFonts(float scale, float leastPixels, float stretch = 1);

}  // namespace tilestep::support
