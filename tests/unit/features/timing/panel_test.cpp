// SPDX-License-Identifier: Apache-2.0
#include "features/timing/panel.h"

#include <algorithm>
#include <string>

#include "unit/ui/null_window.h"

namespace tilestep::features::timing_panel_test {

TEST(TimingColumns, AxisFillsTheSpaceBetweenNamesAndValues) {
  const TimingColumns columns = timingColumns(800, 200, 150, 10, {1e-6, 1e-3});
  EXPECT_EQ(columns.bars, 210);
  EXPECT_EQ(columns.width, 800 - 200 - 150 - 20);
  EXPECT_EQ(columns.values, 650);
  EXPECT_EQ(columns.x(1e-6), 210);
  EXPECT_NEAR(columns.x(1e-5), 210 + 430 / 3.0, 0.1);
  EXPECT_EQ(columns.x(1), 640) << "the axis does not extend past its end";
  EXPECT_EQ(timingColumns(400, 200, 150, 10, {}).width, 100) << "at least a quarter";
}

class TimingPanel : public NullWindow {
 protected:
  void start(bool hasGpu) {
    useFonts(1600, 1000, 1);
    log->gpu = hasGpu;
    connect();
    ui.stage = Stage::timing;
    drawAll();
  }
  void drawAll() {
    for (int i = 0; i < 6; ++i) {
      draw();
      log->answerRuns();
    }
    draw();
  }
  [[nodiscard]] long count(const std::string& part) const {
    const auto texts = drawnTexts();
    return std::ranges::count_if(texts, [&](const gfx::TextShape& piece) {
      return piece.text.find(part) != std::string::npos;
    });
  }
};

TEST_F(TimingPanel, EachLaunchHasABarForEachMethod) {
  start(true);
  for (const char* way : {"CPU clock, not synchronised", "CPU clock, synchronised",
                          "two events, one launch", "two events, many launches"})
    EXPECT_EQ(count(way), 3) << way;
  EXPECT_TRUE(boxOfText("4.00 µs, first 200 µs"));
  EXPECT_EQ(count("short copy, n = 1024"), 1);
  EXPECT_TRUE(boxOfText("time of one launch (logarithmic axis)"));
  EXPECT_TRUE(boxOfText("10.0 µs")) << "a tick";
  const auto machine = boxOfText("Timed on Test GPU."), bar = boxOfText("4.00 µs, first 200 µs");
  ASSERT_TRUE(machine && bar);
  EXPECT_LT(machine->y, bar->y) << "the device is stated above its bars";
  const auto name = boxOfText("CPU clock, synchronised"), value = boxOfText("510 µs, first 800 µs");
  ASSERT_TRUE(name && value);
  EXPECT_LT(name->x + name->width, value->x);
}

TEST_F(TimingPanel, SmallestWindowFitsNamesAndValues) {
  constexpr float kWidth = 1024, kHeight = 640;
  start(true);
  for (const bool presents : {false, true}) {
    ui.presenting = presents;
    useFonts(kWidth, kHeight, 1);
    draw(kWidth, kHeight);
    const gfx::Box stage = ui.boxOf("timing");
    const auto name = boxOfText("CPU clock, not synchronised"),
               value = boxOfText("4.00 µs, first 200 µs");
    ASSERT_TRUE(name && value) << presents;
    EXPECT_GE(name->x, stage.x) << presents;
    EXPECT_LE(value->x + value->width, stage.x + stage.width) << presents;
    EXPECT_LT(name->x + name->width, value->x) << presents;
  }
}

TEST_F(TimingPanel, WithoutAGpuItShowsAHintAndNoBars) {
  start(false);
  EXPECT_EQ(count("Choose a GPU or a recording as the device"), 1);
  EXPECT_EQ(count("logarithmic axis"), 0);
}

}  // namespace tilestep::features::timing_panel_test
