// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/hidden_frame.h"

#include <gtest/gtest.h>

#include <string>

#include "unit/ui/null_window.h"

namespace tilestep::ui::hidden_frame_test {

class HiddenFrameTest : public NullWindow {
 protected:
  static constexpr int kLines = 200, kInLine = 100;

  void drawLines() {
    const gfx::Palette palette = paletteOf(ui.theme);
    const auto snapshot = session->snapshot();
    frame.draw({*snapshot, *session, ui, palette, 1600, 8000}, [](const Context&) {
      for (int line = 0; line < kLines; ++line)
        ImGui::TextUnformatted(std::string(kInLine, static_cast<char>('0' + line % 10)).c_str());
    });
  }

  HiddenFrame frame{{}, 1, HiddenFrame::For::shapes};
};

TEST_F(HiddenFrameTest, MoreGlyphsThanSixteenBitIndicesAreDrawnAndDescribed) {
  const HiddenFrame::Current current(frame);
  drawLines();
  const ImDrawData& drawn = *ImGui::GetDrawData();
  ASSERT_GT(drawn.TotalVtxCount, 65536) << "four corners for each of 20,000 glyphs";
  std::vector<std::string> lines;
  for (const gfx::Shape& shape : gfx::drawingOf(drawn, {}).shapes)
    if (const auto* text = std::get_if<gfx::TextShape>(&shape.what)) lines.push_back(text->text);
  ASSERT_EQ(lines.size(), size_t{kLines});
  for (int line = 0; line < kLines; ++line)
    EXPECT_EQ(lines[size_t(line)], std::string(kInLine, static_cast<char>('0' + line % 10)));
}

}  // namespace tilestep::ui::hidden_frame_test
