// SPDX-License-Identifier: Apache-2.0
#include "ui/page/two_tone.h"

#include <gtest/gtest.h>

namespace tilestep::ui::two_tone_test {

using Colours = std::vector<model::PageColour>;

TEST(TwoTone, ColoursBecomeVariablesOfThePage) {
  Colours colours{{"#111111", "#222222"}};
  const std::string merged =
      twoTone("<rect fill=\"#ffffff\"/><path fill=\"#111111\" stroke=\"#ff0000\"/>",
              "<rect fill=\"#000000\"/><path fill=\"#222222\" stroke=\"#ff0000\"/>", colours);
  EXPECT_EQ(merged, "<rect fill=\"var(--p1)\"/><path fill=\"var(--p0)\" stroke=\"var(--p2)\"/>");
  EXPECT_EQ(colours,
            (Colours{{"#111111", "#222222"}, {"#ffffff", "#000000"}, {"#ff0000", "#ff0000"}}));
}

TEST(TwoTone, OpacityIsPartOfAColour) {
  Colours colours;
  EXPECT_EQ(twoTone("<a fill=\"#102030\" fill-opacity=\"0.5\"/>", "<a fill=\"#405060\"/>", colours),
            "<a fill=\"var(--p0)\"/>");
  EXPECT_EQ(colours, (Colours{{"#10203080", "#405060"}}));
}

TEST(TwoTone, DifferentImagesAreBothIncluded) {
  Colours colours;
  EXPECT_EQ(twoTone("<image href=\"data:A\"/><image href=\"data:C\"/>",
                    "<image href=\"data:B\"/><image href=\"data:C\"/>", colours),
            "<image class=\"in-light\" href=\"data:A\"/><image class=\"in-dark\" "
            "href=\"data:B\"/><image href=\"data:C\"/>");
}

TEST(TwoTone, PicturesWithDifferentShapesStayLight) {
  Colours colours;
  const std::string light = "<rect x=\"1\" fill=\"#ffffff\"/>";
  EXPECT_EQ(twoTone(light, "<rect x=\"2\" fill=\"#000000\"/>", colours), light);
  EXPECT_EQ(twoTone(light, light + "<rect/>", colours), light);
  EXPECT_TRUE(colours.empty());
}

}  // namespace tilestep::ui::two_tone_test
