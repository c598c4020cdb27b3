// SPDX-License-Identifier: Apache-2.0
#include "features/footprint/panel.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "unit/ui/null_window.h"

namespace tilestep::features::footprint_panel_test {

class FootprintPanelTest : public NullWindow {
 protected:
  void SetUp() override {
    useFonts(1600, 1000, 1);
    connect();
    ui.stage = Stage::sectors;
    session->apply(model::command("steps.grain", trace::StepGranularity::event));
    draw();
    draw();
  }
  [[nodiscard]] FootprintView shown() const { return session->snapshot()->view<FootprintView>(); }
};

TEST_F(FootprintPanelTest, ShowsCountsRequestAndMap) {
  ASSERT_TRUE(shown().request);
  EXPECT_TRUE(boxOfText("sectors a request"));
  EXPECT_TRUE(boxOfText("Warp 0's request"));
  EXPECT_TRUE(boxOfText("Warps on " + shown().request->name));
  EXPECT_TRUE(boxOfText("moved, but not requested by this warp"));
}

TEST_F(FootprintPanelTest, LoadsAndStoresHaveTheirOwnMetrics) {
  session->apply(model::command("steps.move", model::Move::last));
  draw();
  const auto column = boxOfText("sectors a request");
  ASSERT_TRUE(column);
  const auto shows = [&](const std::string& part) {
    return std::ranges::any_of(drawnTexts(), [&](const gfx::TextShape& piece) {
      return piece.text.find(part) != std::string::npos;
    });
  };
  const auto hover = [&](const gfx::Box& row) {
    ImGui::GetIO().MousePos = {column->x + 4, row.y + row.height / 2};
    draw();
  };
  for (const auto& [kind, own, other] :
       {std::tuple("loads", "gld_", "gst_"), std::tuple("stores", "gst_", "gld_")}) {
    const auto row = boxOfText(kind);
    ASSERT_TRUE(row) << kind;
    hover(*row);
    EXPECT_TRUE(shows(std::string(own) + "transactions_per_request")) << kind;
    EXPECT_FALSE(shows(other)) << kind;
  }
  hover(*column);
  EXPECT_TRUE(shows("gld_transactions_per_request"));
  EXPECT_TRUE(shows("gst_transactions_per_request"));
}

TEST_F(FootprintPanelTest, ClickOnAnElementGoesToItsFirstRequest) {
  session->apply(model::command("steps.move", model::Move::last));
  draw();
  const std::string name = shown().request->name;
  const auto map = boxOfText("Warps on " + name);
  ASSERT_TRUE(map);
  // The first row of elements is below the heading and the column numbers, and to the right of the
  // row numbers.
  const auto row = boxOfText("row");
  ASSERT_TRUE(row);
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = {row->x + row->width + 1.2F * fonts.textPixels,
                 map->y + 2.7F * fonts.smallPixels + 4};
  for (const bool down : {false, true, false}) {
    io.MouseDown[ImGuiMouseButton_Left] = down;
    draw();
  }
  const auto footprint = shown().footprint;
  const auto* operand = footprint->find(shown().request->request.buffer);
  ASSERT_NE(operand, nullptr);
  EXPECT_EQ(session->snapshot()->position.index,
            footprint->requests[operand->asked.front().request].event);
}

}  // namespace tilestep::features::footprint_panel_test
