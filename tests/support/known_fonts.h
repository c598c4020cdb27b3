// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/fonts.h"

namespace tilestep::support {

/// Fonts for tests that look at text: they have the interface's faces and sizes, but widths that
/// stand here and not in a font file. So a frame's layout is the same on every machine, whichever
/// fonts, FreeType or Dear ImGui it has. Their signs can be told from each other in a draw list but
/// have no shapes. `stretch`: how much wider than usual every sign is.
ui::Fonts addKnownFonts(float scale, float leastPixels, float stretch = 1);

/// Dear ImGui 1.92 and later makes glyphs only as they are drawn, so these fonts cannot be made.
#if IMGUI_VERSION_NUM >= 19200
inline constexpr bool kHasKnownFonts = false;
#else
inline constexpr bool kHasKnownFonts = true;
#endif

}  // namespace tilestep::support
