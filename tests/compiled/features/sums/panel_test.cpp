// SPDX-License-Identifier: Apache-2.0
#include "features/sums/panel.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "features/lab_times/view.h"
#include "features/sums/panel_layout.h"
#include "unit/features/divergence/traced_here.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::sums_panel_test {

TEST(SumElements, AreAllShownOrAPowerOfTwo) {
  EXPECT_EQ(elementsWithRoom(64, 400, 1.2F), 64U);
  EXPECT_EQ(elementsWithRoom(256, 400, 1.2F), 256U);
  EXPECT_EQ(elementsWithRoom(1024, 400, 1.2F), 256U);
  EXPECT_EQ(elementsWithRoom(1024, 2000, 1.2F), 1024U);
}

class SumsPanel : public NullWindow {
 protected:
  void SetUp() override {
    useFonts(1600, 1000, 1);
    connect();
    ui.stage = Stage::sums;
    draw();
    draw();
  }
  [[nodiscard]] bool shows(const std::string& part) const {
    for (const gfx::TextShape& piece : drawnTexts())
      if (piece.text.find(part) != std::string::npos) return true;
    return false;
  }
  /// Draws the rows of a kernel's block into a separate window. Returns their height.
  float drawRows(const std::string& kernel, int64_t block, const gfx::Box& box,
                 uint32_t lastEvent) {
    SumsView view;
    view.of = tracedHere(kernel, {{"n", block}}, {{"BLOCK", block}});
    if (!view.of) return 0;
    view.lastEvent = lastEvent;
    return drawTree(view, sumTreeOf(*view.of), box, 0);
  }
  /// Draws a tree's rows, scrolled down by `scrolled` pixels.
  float drawTree(SumsView view, SumTree tree, const gfx::Box& box, float scrolled) {
    view.picture = std::make_shared<const SumPicture>(sumPictureOf(tree));
    view.times = rowTimesOf(tree, view.firstEvent, view.lastEvent);
    view.tree = std::make_shared<const SumTree>(std::move(tree));
    const gfx::Palette palette = paletteOf(ui.theme);
    const auto snapshot = session->snapshot();
    const Context context{*snapshot, *session, ui, palette, fonts, fonts.textPixels, now};
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({1600, 1000});
    ImGui::Begin("rows", nullptr, ImGuiWindowFlags_NoDecoration);
    drawn_ = drawSumTree(context, view, {box.x, box.y - scrolled, box.width, box.height});
    ImGui::End();
    ImGui::Render();
    return drawn_.height;
  }
  SumTreeDrawn drawn_;
};

/// A tree with `rows` rows, each for one addition to an array's first element.
SumTree treeOfRows(size_t rows) {
  SumTree tree;
  tree.array = "sums";
  tree.shared = true;
  tree.count = tree.threads = 32;
  for (size_t i = 0; i < rows; ++i) {
    Sum sum;
    sum.inArray = true;
    sum.event = static_cast<uint32_t>(i);
    tree.sums.push_back(sum);
    SumRow row;
    row.sums = {i};
    row.events = {sum.event};
    row.masks = {1};
    row.distances = {static_cast<uint32_t>(i + 1)};
    tree.rows.push_back(row);
  }
  return tree;
}

TEST(SumLayout, FindsTheRowsBetweenTwoHeights) {
  SumLayout at;
  at.top = 100;
  at.row = 20;
  at.band = 6;
  at.ticks = 4;
  using Rows = std::pair<size_t, size_t>;
  EXPECT_EQ(at.rowsWithin(0, 1000, 10), (Rows{0, 10}));
  EXPECT_EQ(at.rowsWithin(111, 149, 10), (Rows{1, 3})) << "a row's way begins where the one ends";
  EXPECT_EQ(at.rowsWithin(110, 130, 10), (Rows{0, 2}));
  EXPECT_EQ(at.rowsWithin(0, 90, 10), (Rows{0, 0})) << "above all";
  EXPECT_EQ(at.rowsWithin(400, 500, 10), (Rows{0, 0})) << "below all";
  EXPECT_EQ(at.rowsWithin(130, 130, 10), (Rows{0, 0})) << "a covered stage";
  for (size_t row = 0; row < 10; ++row) {
    EXPECT_EQ(at.rowAt(at.bottom(row), 10), row);
    EXPECT_EQ(at.rowAt(at.bottom(row) + 1, 10), std::min<size_t>(row + 1, 9));
  }
}

TEST_F(SumsPanel, ExplainsThatAProductIsNotAReduction) {
  EXPECT_TRUE(shows("reductions"));
}

TEST_F(SumsPanel, EachRoundHasItsRowAndItsCounts) {
  const float height = drawRows("reduce_neighbored", 64, {10, 10, 800, 400}, 10'000);
  EXPECT_GT(height, 100);
  EXPECT_LE(height, 401);
  for (const char* text : {"load", "distance 1", "distance 32", "result", "threads", "conflicts"})
    EXPECT_TRUE(boxOfText(text)) << text;
  EXPECT_LT(boxOfText("distance 1")->y, boxOfText("distance 2")->y);
  EXPECT_TRUE(shows("out[0] = ")) << "the block's sum";
}

TEST_F(SumsPanel, RowsThatCannotBeSeenAreNotDrawn) {
  const gfx::Box box{10, 10, 800, 900};
  SumsView view;
  view.of = tracedHere("reduce_interleaved", {{"n", 64}}, {{"BLOCK", 64}});
  ASSERT_TRUE(view.of);
  view.firstEvent = view.lastEvent = 5000;
  drawTree(view, treeOfRows(100), box, 0);
  const int few = ImGui::GetDrawData()->TotalVtxCount;
  const float height = drawTree(view, treeOfRows(1000), box, 0);
  EXPECT_LT(ImGui::GetDrawData()->TotalVtxCount, few + few / 10);
  EXPECT_GT(height, 10'000) << "they have their places all the same";
  EXPECT_TRUE(boxOfText("distance 1"));
  EXPECT_FALSE(boxOfText("distance 1000"));
  drawTree(view, treeOfRows(1000), box, height - 900);
  EXPECT_LT(ImGui::GetDrawData()->TotalVtxCount, few + few / 10);
  EXPECT_TRUE(boxOfText("distance 1000"));
}

TEST_F(SumsPanel, TheLadderDatesItsTimes) {
  auto times = std::make_shared<LabTimesView>();
  LabTime& time = times->ladder.emplace_back();
  time.name = "reduce_interleaved";
  time.sizes = "n = 67,108,864";
  time.measuredSeconds = 294e-6;
  time.on = "NVIDIA H200 no. 4, recorded 2026-11-26";
  SumsView view;
  auto ladder = std::make_shared<SumLadder>();
  ladder->rungs.emplace_back().kernel = time.name;
  view.ladder = ladder;
  view.device = "NVIDIA H200, recorded 2026-11-21";
  model::Snapshot snapshot = *session->snapshot();
  snapshot.views.put(LabTimesView::kFeature, times);
  const gfx::Palette palette = paletteOf(ui.theme);
  const Context context{snapshot, *session, ui, palette, fonts, fonts.textPixels, now};
  for (int frame = 0; frame < 3; ++frame) {  // The columns' widths follow their previous contents.
    ImGui::NewFrame();
    ImGui::SetNextWindowSize({1600, 1000});
    ImGui::Begin("ladder", nullptr, ImGuiWindowFlags_NoDecoration);
    drawSumLadder(context, view);
    ImGui::End();
    ImGui::Render();
  }
  EXPECT_TRUE(shows("time (n = 67,108,864)")) << "the counts are of another size";
  EXPECT_TRUE(shows("no. 4, recorded 2026-11-26"));
  EXPECT_FALSE(shows("2026-11-21")) << "the recording's first day is not the point's";
}

TEST_F(SumsPanel, TheLegendFollowsThePicture) {
  SumsView view;
  view.of = tracedHere("reduce_interleaved", {{"n", 64}}, {{"BLOCK", 64}});
  ASSERT_TRUE(view.of);
  view.lastEvent = 2;
  SumTree tree = treeOfRows(4);
  drawTree(view, tree, {10, 10, 800, 400}, 0);
  EXPECT_FALSE(drawn_.kept) << "no row leaves an element for a later one";
  EXPECT_FALSE(drawn_.unneeded);
  tree.sums[3].needed = false;
  drawTree(view, tree, {10, 10, 800, 400}, 0);
  EXPECT_FALSE(drawn_.unneeded) << "it has not been made yet";
  tree.sums[1].needed = false;
  drawTree(view, tree, {10, 10, 800, 400}, 0);
  EXPECT_TRUE(drawn_.unneeded);
  SumsView neighbored;
  neighbored.of = tracedHere("reduce_neighbored", {{"n", 64}}, {{"BLOCK", 64}});
  SumTree fewer = sumTreeOf(*neighbored.of);
  ASSERT_EQ(fewer.rows.size(), 8U);
  fewer.rows[3].sums.resize(1);  // The other sums' elements are kept for the next row.
  drawTree(neighbored, fewer, {10, 10, 800, 400}, 0);
  EXPECT_TRUE(drawn_.kept);
}

}  // namespace tilestep::features::sums_panel_test
