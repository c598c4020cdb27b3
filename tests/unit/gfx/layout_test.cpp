// SPDX-License-Identifier: Apache-2.0
#include "gfx/layout/layout.h"

#include <gtest/gtest.h>

#include "gfx/drawing/drawing.h"
#include "unit/gfx/sample_scene.h"

namespace tilestep::gfx::layout_test {

Box withHeader(const Grid& g) {
  return {g.box.x, g.box.y - g.headerHeight, g.box.width, g.box.height + g.headerHeight};
}

std::vector<Box> boxesOf(const Layout& layout) {
  std::vector<Box> boxes;
  for (const auto* grids : {&layout.panels, &layout.arrays, &layout.threads})
    for (const Grid& g : *grids) boxes.push_back(withHeader(g));
  return boxes;
}

void expectTidy(const SceneModel& model, const LayoutRequest& request) {
  const Layout layout = arrange(model, request);
  const std::vector<Box> boxes = boxesOf(layout);
  for (size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_GE(boxes[i].x, 0);
    EXPECT_GE(boxes[i].y, 0);
    EXPECT_LE(boxes[i].x + boxes[i].width, request.width + 1);
    EXPECT_LE(boxes[i].y + boxes[i].height, request.height + 1);
    for (size_t j = i + 1; j < boxes.size(); ++j)
      EXPECT_FALSE(overlap(boxes[i], boxes[j])) << i << " and " << j;
  }
}

TEST(Arrange, EnlargesSharedTiles) {
  const Layout l = arrange(productScene(8, 8, 8, 4), {800, 1000, 16});
  EXPECT_GT(l.arrays[0].cell, l.panels[0].cell * 1.15F);
  EXPECT_EQ(l.arrays[0].cell, l.threads[0].cell);
}

TEST(Arrange, NothingOverlapsOrIsCut) {
  for (const auto& [m, n, k, tile] : {std::tuple{8U, 8U, 8U, 4U},
                                      {1U, 1U, 1U, 1U},
                                      {100U, 61U, 37U, 16U},
                                      {4096U, 4096U, 4096U, 32U},
                                      {1U, 4096U, 7U, 8U}})
    for (const auto& [width, height] :
         {std::pair{800.0F, 1000.0F}, {490.0F, 600.0F}, {1500.0F, 800.0F}, {700.0F, 420.0F}})
      expectTidy(productScene(m, n, k, tile), {width, height, 14});
}

TEST(Arrange, DependsOnSizesOnly) {
  SceneModel tiled = productScene(8, 8, 8, 4);
  SceneModel naive = tiled;
  for (SlotArray& a : naive.arrays) {
    a.absent = true;
    a.slots.clear();
  }
  naive.threads[0].threads[3] = {.value = 4, .terms = 2, .ofTerms = 8, .fresh = true};
  const LayoutRequest request{640, 700, 15};
  const Layout a = arrange(tiled, request), b = arrange(naive, request);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(a.panels[i].box, b.panels[i].box);
  EXPECT_EQ(a.arrays[1].box, b.arrays[1].box);
  EXPECT_EQ(a.threads[0].box, b.threads[0].box);
}

TEST(Arrange, ThreadsInARowAreBetweenInputsAndOutputs) {
  const Layout l = arrange(productScene(8, 8, 64, 4), {700, 1400, 16});
  EXPECT_LT(l.arrays[0].box.x, l.threads[0].box.x);
  EXPECT_LE(l.threads[0].box.x, l.arrays[1].box.x);
}

TEST(Arrange, LoadsRunStraightDownAndRightInTheMirroredL) {
  const Layout l = arrange(productScene(8, 8, 8, 4), {460, 560, 16});
  const Grid &m = l.panels[0], &n = l.panels[1], &p = l.panels[2];
  const Grid &mds = l.arrays[0], &nds = l.arrays[1], &threads = l.threads[0];
  EXPECT_GT(mds.box.y, m.box.y + m.box.height);
  EXPECT_NEAR(mds.box.x + mds.box.width, m.box.x + m.box.width, 1);
  EXPECT_GT(nds.box.x, n.box.x + n.box.width);
  EXPECT_NEAR(nds.box.y + nds.box.height, n.box.y + n.box.height, 1);
  EXPECT_EQ(threads.box.x, nds.box.x);
  EXPECT_EQ(threads.box.y, mds.box.y);
  EXPECT_GT(threads.box.y, p.box.y + p.box.height);
}

TEST(Arrange, ASmallBoxShrinksHeadersBeforeSlots) {
  for (float width = 260; width <= 420; width += 10)
    for (float height = 380; height <= 520; height += 10) {
      const Layout l = arrange(productScene(8, 8, 8, 4), {width, height, 16});
      for (const Grid& array : l.arrays) EXPECT_GE(array.cell, 7) << width << " x " << height;
      EXPECT_GE(l.threads[0].cell, 7) << width << " x " << height;
      EXPECT_LE(l.bounds.x + l.bounds.width, width) << height;
      EXPECT_LE(l.bounds.y + l.bounds.height, height) << width;
    }
}

/// Mds below M, Nds to the right of N, Pvalue where their rows and columns meet.
void expectBothLs(const Layout& l) {
  const Grid &m = l.panels[0], &n = l.panels[1], &p = l.panels[2];
  const Grid &mds = l.arrays[0], &nds = l.arrays[1], &threads = l.threads[0];
  EXPECT_LT(m.box.x + m.box.width, p.box.x);
  EXPECT_EQ(m.box.y, p.box.y);
  EXPECT_LT(n.box.y + n.box.height, p.box.y);
  EXPECT_EQ(n.box.x, p.box.x);
  EXPECT_GT(mds.box.y, m.box.y + m.box.height);
  EXPECT_GT(nds.box.x, n.box.x + n.box.width);
  EXPECT_EQ(threads.box.x, nds.box.x);
  EXPECT_EQ(threads.box.y, mds.box.y);
}

TEST(Arrange, AProductWithTwoTilesIsTwoLsAtEverySizeAndTileWidth) {
  for (const uint32_t tile : {2U, 4U, 16U, 32U})
    for (const auto& [width, height] :
         {std::pair{300.0F, 400.0F}, {300.0F, 1400.0F}, {1400.0F, 300.0F}, {900.0F, 900.0F}})
      for (const float text : {12.0F, 16.0F, 30.0F}) {
        SCOPED_TRACE(testing::Message()
                     << tile << ", " << width << " x " << height << ", " << text);
        expectBothLs(
            arrange(productScene(2 * tile, 2 * tile, 2 * tile, tile), {width, height, text, text}));
      }
}

TEST(Arrange, WithLittleSpaceIndicesAreOmittedAndTextKeepsItsSize) {
  const SceneModel model = productScene(8, 8, 8, 4);
  const Layout wide = arrange(model, {900, 900, 16}), tight = arrange(model, {300, 340, 16});
  EXPECT_FALSE(wide.compact);
  EXPECT_TRUE(tight.compact);
  EXPECT_EQ(tight.textHeight, 16);
  expectTidy(model, {300, 340, 16});
}

TEST(Arrange, EverythingScalesTogether) {
  const SceneModel model = productScene(8, 8, 8, 4);
  const Layout one = arrange(model, {500, 480, 16}), two = arrange(model, {1000, 960, 32});
  EXPECT_EQ(one.compact, two.compact);
  EXPECT_NEAR(two.panels[0].cell, 2 * one.panels[0].cell, 2);  // Cells are whole pixels.
  EXPECT_NEAR(two.arrays[0].cell, 2 * one.arrays[0].cell, 4);
}

TEST(Arrange, NonProductsRunFromLeftToRight) {
  SceneModel model;
  model.panels = {panelOf("A", PanelRole::input, 64, 64), panelOf("B", PanelRole::input, 64, 64),
                  panelOf("C", PanelRole::output, 64, 64)};
  model.arrays = {arrayOf("tile", 16, 17)};
  const Layout l = arrange(model, {1400, 700, 16});
  EXPECT_EQ(l.panels[0].box.x, l.panels[1].box.x);
  EXPECT_LT(l.panels[0].box.x + l.panels[0].box.width, l.arrays[0].box.x);
  EXPECT_LT(l.arrays[0].box.x + l.arrays[0].box.width, l.panels[2].box.x);
  EXPECT_EQ(l.corner, Box{});
  expectTidy(model, {1400, 700, 16});
}

TEST(Arrange, AnEmptySceneIsArranged) {
  const Layout l = arrange(SceneModel{}, {300, 200, 16});
  EXPECT_TRUE(l.panels.empty());
  EXPECT_EQ(l.bounds, Box{});
}

}  // namespace tilestep::gfx::layout_test
