// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/fonts.h"

#include <gtest/gtest.h>

#include "support/skips.h"
#include "ui/kit/imgui_compat.h"

namespace tilestep::ui {
namespace fonts_test {

constexpr ImWchar kEllipsis = 0x2026, kArrow = 0x2192;

TEST(Fonts, AFontThatLacksASignShowsAnotherAndTheOthersKeepTheirs) {
  const FontFiles all = findFontFiles();
  if (all.text.empty()) {
    GTEST_SKIP() << support::because(support::kNoFonts,
                                     "none that Tilestep looks for is installed");
  }
  ImGui::CreateContext();
  FontFiles files = all;
  files.mono.clear();  // The built-in font stands for it, which has Latin-1 alone.
  const Fonts fonts = addFonts(files, 1, kLeastAtDesk);
  const auto wide = [](ImFont* font, ImWchar sign) { return font->FindGlyph(sign)->AdvanceX; };
  const ImFontGlyph* dots = fonts.text->FindGlyphNoFallback(kEllipsis);
  ASSERT_NE(dots, nullptr);
  EXPECT_NE(dots, fonts.text->FindGlyph('-'));
  EXPECT_GT(wide(fonts.text, kEllipsis), 1.5F * wide(fonts.text, '.'));
  EXPECT_EQ(fonts.mono->FindGlyph(kEllipsis), fonts.mono->FindGlyph('-'));
  EXPECT_EQ(fonts.mono->FindGlyph(kArrow), fonts.mono->FindGlyph('>'));
  ImGui::DestroyContext();
}

}  // namespace fonts_test
}  // namespace tilestep::ui
