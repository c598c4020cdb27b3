// SPDX-License-Identifier: Apache-2.0
#include "features/divergence/panel.h"

#include "unit/ui/null_window.h"

namespace tilestep::features::divergence_panel_test {

TEST(LaneRows, VisibleRowsIncludeThePresentOnes) {
  const auto range = [](size_t rows, size_t now, size_t room) {
    const RowRange found = rowsWithRoom(rows, now, room);
    return std::pair(found.first, found.count);
  };
  EXPECT_EQ(range(9, 8, 20), std::pair(size_t{0}, size_t{9}));
  EXPECT_EQ(range(100, 3, 20), std::pair(size_t{0}, size_t{20}));
  EXPECT_EQ(range(100, 50, 20), std::pair(size_t{40}, size_t{20}));
  EXPECT_EQ(range(100, 99, 20), std::pair(size_t{80}, size_t{20}));
}

TEST(LaneRows, AreFoundByEvent) {
  WarpRows warp;
  warp.rows = {{4, 1, 1, 0}, {5, 1, 1, 0}, {9, 1, 1, 0}};
  EXPECT_EQ(rowAt(warp, 0), 0U) << "before the first row";
  EXPECT_EQ(rowAt(warp, 5), 1U);
  EXPECT_EQ(rowAt(warp, 8), 1U);
  EXPECT_EQ(rowAt(warp, 100), 2U);
}

class LanesPanel : public NullWindow {
 protected:
  void SetUp() override {
    useFonts(1600, 1000, 1);
    connect();
    ui.stage = Stage::lanes;
    draw();
    draw();
  }
  [[nodiscard]] DivergenceView shown() const { return session->snapshot()->view<DivergenceView>(); }
};

TEST_F(LanesPanel, ShowsEachWarpAndWhatWasNotCounted) {
  EXPECT_TRUE(shown().picture);
  EXPECT_TRUE(boxOfText("warp 0"));
  EXPECT_TRUE(boxOfText("dim: in a later step"));
  EXPECT_FALSE(boxOfText("lane off")) << "all lanes are on";
  EXPECT_FALSE(boxOfText("branch efficiency")) << "the toy worker counts no branches";
}

TEST_F(LanesPanel, ClickGoesToTheInstruction) {
  const gfx::Box head = *boxOfText("warp 0");
  ImGuiIO& io = ImGui::GetIO();
  // About the third row, in the first lanes.
  io.MousePos = {head.x + 4, head.y + head.height + 60};
  for (const bool down : {false, true, false}) {
    io.MouseDown[ImGuiMouseButton_Left] = down;
    draw();
  }
  const auto after = session->snapshot();
  EXPECT_EQ(after->position.grain, trace::StepGranularity::event);
  EXPECT_GT(after->position.index, 0U);
}

}  // namespace tilestep::features::divergence_panel_test
