// SPDX-License-Identifier: Apache-2.0
// The colours of assets/page/page.css contrast with their backgrounds.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "base/files.h"
#include "gfx/palette.h"
#include "support/source_root.h"

namespace tilestep::ui::page_look_test {

using Colours = std::map<std::string, gfx::Color>;

/// The variables of the n-th ":root".
Colours coloursOf(const std::string& css, int n) {
  size_t at = 0;
  for (int i = 0; i <= n; ++i) at = css.find(":root", at) + 1;
  const std::string block = css.substr(at, css.find('}', at) - at);
  Colours colours;
  for (size_t name = block.find("--"); name != std::string::npos;
       name = block.find("--", name + 1)) {
    const size_t colon = block.find(": #", name);
    const unsigned long value = std::strtoul(block.substr(colon + 3, 6).c_str(), nullptr, 16);
    colours[block.substr(name + 2, colon - name - 2)] = gfx::rgb(static_cast<uint32_t>(value));
  }
  return colours;
}

TEST(PageLook, TextsHaveEnoughContrastInBothAppearances) {
  const std::string css =
      readTextFile(std::string(support::sourceRoot()) + "/assets/page/page.css").value();
  for (const int appearance : {0, 1}) {
    const Colours colours = coloursOf(css, appearance);
    ASSERT_EQ(colours.size(), 11U);
    for (const char* text : {"text", "muted", "code", "right", "wrong"})
      for (const char* behind : {"background", "surface"})
        EXPECT_GE(gfx::contrast(colours.at(text), colours.at(behind)), 4.5)
            << text << " on " << behind << ", appearance " << appearance;
    EXPECT_GE(gfx::contrast(colours.at("text"), colours.at("now")), 4.5) << "a running line";
    for (const char* line : {"edge", "accent"})
      for (const char* behind : {"background", "surface"})
        EXPECT_GE(gfx::contrast(colours.at(line), colours.at(behind)), 3)
            << line << " on " << behind << ", appearance " << appearance;
  }
}

TEST(PageLook, ColoursEqualTheWindows) {
  const std::string css =
      readTextFile(std::string(support::sourceRoot()) + "/assets/page/page.css").value();
  const gfx::Palette palettes[] = {gfx::lightPalette(), gfx::darkPalette()};
  for (const int appearance : {0, 1}) {
    const Colours colours = coloursOf(css, appearance);
    EXPECT_EQ(colours.at("background"), palettes[appearance].background);
    EXPECT_EQ(colours.at("surface"), palettes[appearance].surface);
    EXPECT_EQ(colours.at("text"), palettes[appearance].text);
    EXPECT_EQ(colours.at("accent"), palettes[appearance].accent);
    EXPECT_EQ(colours.at("line"), palettes[appearance].line);
  }
}

}  // namespace tilestep::ui::page_look_test
