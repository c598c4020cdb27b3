// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfx/pdf/outline_font.h"

namespace tilestep::gfx {

/// A Compact Font Format font (Adobe Technical Note 5176) with these glyphs of `font`, in this
/// order, keyed by their number. The first one is the glyph of characters that are missing.
/// TrueType and OpenType fonts thus become small fonts of one kind, which PDF embeds.
[[nodiscard]] std::string cffOf(const OutlineFont& font, std::span<const int> glyphs);

/// A font's units in an em, in which PDF gives widths, too.
inline constexpr float kUnitsPerEm = 1000;

}  // namespace tilestep::gfx
