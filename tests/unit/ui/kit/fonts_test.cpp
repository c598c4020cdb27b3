// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/fonts.h"

#include <gtest/gtest.h>

#include "support/drawn_text.h"
#include "support/skips.h"

namespace tilestep::ui::fonts_test {

TEST(Fonts, AMissingCharacterIsReplacedByASimilarOne) {
  FontFiles files = findFontFiles();
  if (files.text.empty())
    GTEST_SKIP() << support::because(support::kNoFonts, "none of Tilestep's fonts is installed");
  files.mono.clear();  // The built-in font replaces it, and contains only Latin-1.
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {640, 480};
  io.DeltaTime = 1.0F / 60;
  compat::drawWithoutBackend();
  const Fonts fonts = addFonts(files, 1, kLeastAtDesk);
  compat::makeReadable(*io.Fonts);
  for (int frame = 0; frame < 2; ++frame) {
    ImGui::NewFrame();
    ImGui::Begin("fonts");
    ImGui::TextUnformatted("0…7 → 8");
    compat::pushFont(fonts.mono, fonts.textPixels);
    ImGui::TextUnformatted("0…7 → 8");
    ImGui::PopFont();
    ImGui::End();
    ImGui::Render();
  }
  std::vector<std::string> texts;
  for (const support::DrawnText& text : support::drawnTexts()) texts.push_back(text.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"fonts", "0…7 → 8", "0-7 > 8"}));
  ImGui::DestroyContext();
}

}  // namespace tilestep::ui::fonts_test
