// SPDX-License-Identifier: Apache-2.0
// Tests that a frame's texts are read as they were drawn, and that a changed digit is noticed.
#include "support/text_twin.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <filesystem>
#include <functional>

#include "support/known_fonts.h"

namespace tilestep::tests::text_twin_test {

namespace fs = std::filesystem;
using support::DrawnText;
using support::TextTwin;

class DrawnTexts : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    fonts = support::addKnownFonts(1, 1);
  }
  void TearDown() override {
    if (ImGui::GetCurrentContext() != nullptr) ImGui::DestroyContext();
  }

  std::vector<DrawnText> frame(const std::function<void()>& draw) const {
    ImGui::GetIO().DisplaySize = {800, 600};
    ImGui::GetIO().DeltaTime = 0.01F;
    for (int i = 0; i < 2; ++i) {
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({400, 300});
      ImGui::Begin("##panel", nullptr, ImGuiWindowFlags_NoDecoration);
      draw();
      ImGui::End();
      ImGui::Render();
    }
    return support::drawnTexts();
  }

  ui::Fonts fonts;
};

TEST_F(DrawnTexts, AreReadWithTheirCharactersSpacesAndPositions) {
  const auto texts = frame([] {
    ImGui::SetCursorScreenPos({32, 48});
    ImGui::TextUnformatted("÷ 1.52  time → 0…7");
    ImGui::GetWindowDrawList()->AddText({200, 48}, ~0U, "8 × 8");
  });
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_EQ(texts[0].panel, "panel");
  EXPECT_EQ(texts[0].text, "÷ 1.52  time → 0…7");
  EXPECT_NEAR(texts[0].left, 32, 0.1);
  EXPECT_NEAR(texts[0].top, 48, 0.1);
  EXPECT_NEAR(texts[0].height, fonts.textPixels, 0.1);
  EXPECT_EQ(texts[1].text, "8 × 8");
}

TEST_F(DrawnTexts, ClippedTextIsNotRead) {
  const auto texts = frame([] {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect({0, 0}, {100, 300}, true);
    list.AddText({20, 20}, ~0U, "seen");
    list.AddText({120, 20}, ~0U, "unseen");
    list.PopClipRect();
  });
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_EQ(texts[0].text, "seen");
}

TextTwin sampleTable(const std::string& figure) {
  const auto at = [](const char* panel, const std::string& text, float left, float top) {
    return DrawnText{panel, text, left, top, left + 30, 16};
  };
  const std::vector<DrawnText> texts{at("top", "Tilestep", 16, 16), at("scene", "loads", 160, 320),
                                     at("scene", figure, 240, 320), at("scene", "0", 160, 400),
                                     at("scene", "1", 160, 416)};
  return {support::twinOf("01-first", texts), support::twinOf("02-second", texts)};
}

TEST(TextTwin, JoinsRowsAndTheIndicesOfAColumn) {
  const TextTwin twin = sampleTable("128");
  ASSERT_EQ(twin[0].panels.size(), 2U);
  const auto& lines = twin[0].panels[1].lines;
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].text, "loads | 128");
  EXPECT_EQ(lines[0].x, 10);
  EXPECT_EQ(lines[0].y, 20);
  EXPECT_EQ(lines[1].text, "0 / 1");
}

TEST(TextTwin, AChangedDigitAndAMovedTextAreDifferences) {
  const TextTwin kept = sampleTable("128");
  EXPECT_TRUE(support::differences(kept, sampleTable("128")).empty());
  const auto found = support::differences(kept, sampleTable("129"));
  ASSERT_EQ(found.size(), 2U) << "one in each step";
  EXPECT_EQ(found[0],
            "01-first, scene: \"loads | 129\" at 10, 20, kept is \"loads | 128\" at 10, 20");
  TextTwin moved = kept;
  moved[0].panels[0].lines[0].x += 1;
  EXPECT_TRUE(support::differences(kept, moved).empty()) << "paddings differ by so much";
  moved[0].panels[0].lines[0].x += 1;
  EXPECT_EQ(support::differences(kept, moved).size(), 1U);
  TextTwin less = kept;
  less[1].panels.pop_back();
  EXPECT_EQ(support::differences(kept, less).size(), 2U);
  EXPECT_EQ(support::differences(less, kept).size(), 2U);
}

TEST(TextTwin, OnlyTheLastLinesOfTheMeasuresMayBeMissing) {
  const auto twin = [](const char* panel, std::vector<support::TwinLine> lines) {
    return TextTwin{{"step", {{panel, std::move(lines)}}}};
  };
  const std::vector<support::TwinLine> all{{1, 40, "a"}, {1, 58, "b"}, {1, 50, "c"}, {1, 60, "d"}};
  const std::vector<support::TwinLine> some{{1, 40, "a"}, {1, 50, "c"}};
  EXPECT_TRUE(differences(twin("measures", all), twin("measures", some)).empty());
  EXPECT_TRUE(differences(twin("measures", some), twin("measures", all)).empty());
  EXPECT_FALSE(
      differences(twin("measures", all), twin("measures", {{1, 40, "a"}, {1, 60, "d"}})).empty())
      << "a line far above the edge";
  EXPECT_EQ(differences(twin("measures", all),
                        twin("measures", {{1, 40, "a"}, {1, 58, "b"}, {1, 50, "c"}, {1, 60, "x"}}))
                .size(),
            1U)
      << "another text at the edge";
  EXPECT_TRUE(differences(twin("measures", {{1, 56, "0 / 0"}, {2, 58, "e"}}),
                          twin("measures", {{1, 56, "0 / 0 / 7"}, {2, 58, "e"}}))
                  .empty());
  EXPECT_FALSE(differences(twin("measures", {{1, 40, "0 / 0"}, {2, 58, "e"}}),
                           twin("measures", {{1, 40, "0 / 0 / 7"}, {2, 58, "e"}}))
                   .empty());
  EXPECT_EQ(differences(twin("controls", all), twin("controls", some)).size(), 3U);
  EXPECT_EQ(
      differences(twin("measures", all), twin("measures", {{1, 40, "x"}, {1, 50, "c"}})).size(),
      1U);
}

TEST(TextTwin, ReadingAFileGivesWhatWasWritten) {
  const fs::path file = fs::path(testing::TempDir()) / "tilestep-twin.txt";
  const TextTwin twin = sampleTable("96");
  support::writeTwin(file, twin);
  const TextTwin read = support::readTwin(file);
  fs::remove(file);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_TRUE(support::differences(twin, read).empty());
  EXPECT_EQ(support::differences(read, sampleTable("128")).size(), 2U);
}

}  // namespace tilestep::tests::text_twin_test
