// SPDX-License-Identifier: Apache-2.0
#include "ui/page/hidden_number.h"

#include <gtest/gtest.h>

namespace tilestep::ui::hidden_number_test {

std::string hidden(const std::string& text, double number) {
  gfx::Drawing drawing;
  gfx::TextShape shape;
  shape.text = text;
  drawing.shapes.push_back({shape, {}, {}});
  hideNumber(drawing, number);
  return std::get<gfx::TextShape>(drawing.shapes.front().what).text;
}

TEST(HiddenNumber, CountsAreHidden) {
  EXPECT_EQ(hidden("8×", 8), "?×");
  EXPECT_EQ(hidden("! 224 wrong", 224), "! ??? wrong");
  EXPECT_EQ(hidden("1,024 loads", 1024), "????? loads");
}

TEST(HiddenNumber, OtherNumbersStay) {
  for (const char* text : {"8 × 8", "8", "M[8][8]", "0.8×", "18×", "0.8 wrong", "80 wrong"})
    EXPECT_EQ(hidden(text, 8), text);
  EXPECT_EQ(hidden("8×", 8.5), "8×");
}

}  // namespace tilestep::ui::hidden_number_test
