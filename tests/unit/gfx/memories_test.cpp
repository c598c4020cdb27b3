// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gfx/drawing/drawing.h"
#include "gfx/labels/label_places.h"
#include "gfx/labels/label_text.h"
#include "gfx/layers.h"
#include "unit/gfx/sample_scene.h"

namespace tilestep::gfx::memories_test {

bool encloses(const Box& outer, const Box& inner) {
  return inner.x >= outer.x && inner.y >= outer.y &&
         inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
}

Box withHeader(const Grid& grid) {
  return {grid.box.x, grid.box.y - grid.headerHeight, grid.box.width,
          grid.box.height + grid.headerHeight};
}

SceneModel columnScene() {
  SceneModel model;
  model.panels = {panelOf("A", PanelRole::input, 64, 64), panelOf("B", PanelRole::output, 64, 64)};
  model.arrays = {arrayOf("tile", 16, 17)};
  return model;
}

/// The placed texts in a font in which every character is 0.55 times its size wide.
std::vector<std::string> textsAt(const SceneModel& model, const LayoutRequest& request) {
  const Layers layers =
      buildLayers(std::make_shared<SceneModel>(model), arrange(model, request), darkPalette());
  const std::vector<Label> labels = labelsOf(layers, {}, request.width, request.height);
  std::vector<std::string> texts;
  const MeasureText measure = [](const Label&, const std::string& text, float height) {
    return 0.55F * height * static_cast<float>(characters(text));
  };
  for (const PlacedLabel& placed : placeLabels(labels, request.width, measure)) {
    EXPECT_GE(placed.heightPx, request.leastText) << *placed.text;
    texts.push_back(*placed.text);
  }
  return texts;
}

auto countOf(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::count(texts, text);
}

TEST(Memories, EveryGridHasTheNameOfItsMemory) {
  for (const uint32_t tile : {4U, 8U, 16U, 32U}) {
    const SceneModel model = productScene(2 * tile, 2 * tile, 2 * tile, tile);
    const auto texts = textsAt(model, {560, 680, 16, 12});
    EXPECT_EQ(countOf(texts, "global memory"), 1) << tile;
    EXPECT_EQ(countOf(texts, "shared memory"), 2) << tile;
    EXPECT_EQ(countOf(texts, "registers"), 1) << tile;
  }
}

TEST(Memories, AFrameAroundASmallMatrixIsAsWideAsItsName) {
  SceneModel model = columnScene();
  model.panels[1] = panelOf("B", PanelRole::output, 1, 1);
  EXPECT_EQ(countOf(textsAt(model, {1000, 600, 16, 12}), "global memory"), 2);
}

TEST(Memories, ASmallViewportHasShortNamesAndKeepsItsSlots) {
  const SceneModel model = productScene(8, 8, 8, 4);
  const LayoutRequest small{320, 230, 16, 12};
  const Layout layout = arrange(model, small);
  EXPECT_FALSE(layout.memoryLines);
  EXPECT_TRUE(layout.frames.empty());
  EXPECT_GE(layout.arrays[0].cell, 10);
  const auto texts = textsAt(model, small);
  EXPECT_EQ(countOf(texts, "global"), 1);
  EXPECT_EQ(countOf(texts, "shared"), 2);
}

TEST(Memories, AnAbsentArrayIsInNoMemory) {
  SceneModel model = productScene(8, 8, 8, 4);
  for (SlotArray& array : model.arrays) {
    array.absent = true;
    array.note = "no shared memory";
  }
  const LayoutRequest request{560, 680, 16, 12};
  EXPECT_EQ(countOf(textsAt(model, request), "shared memory"), 0);
  EXPECT_EQ(countOf(textsAt(model, request), "registers"), 1);
  const Layout tiled = arrange(productScene(8, 8, 8, 4), request), naive = arrange(model, request);
  EXPECT_EQ(tiled.frames, naive.frames);
}

TEST(Memories, AnAbsentArrayShowsNoneIfTheReasonDoesNotFit) {
  SceneModel model = productScene(32, 32, 32, 16);
  model.arrays[0].absent = true;
  model.arrays[0].note = "no shared memory";
  EXPECT_EQ(countOf(textsAt(model, {320, 230, 16, 12}), "none"), 1);
}

void expectFramed(const SceneModel& model, const LayoutRequest& request) {
  const Layout layout = arrange(model, request);
  for (const Grid& grid : layout.panels)
    EXPECT_EQ(
        std::ranges::count_if(layout.frames,
                              [&](const Box& frame) { return encloses(frame, withHeader(grid)); }),
        layout.frames.empty() ? 0 : 1);
  for (const Box& frame : layout.frames) {
    EXPECT_TRUE(encloses({0, 0, request.width, request.height}, frame));
    EXPECT_TRUE(encloses(layout.bounds, frame));
    for (const auto* grids : {&layout.arrays, &layout.threads})
      for (const Grid& grid : *grids) EXPECT_FALSE(overlap(frame, withHeader(grid)));
  }
  // The letters of a name overlap no cell of any grid.
  for (const MemoryName& name : layout.memories) {
    const float half = 0.3F * request.textHeight;
    const Box line{name.at.x, name.at.y - half, name.width, 2 * half};
    EXPECT_LE(name.at.y + half, request.height);
    for (const auto* grids : {&layout.panels, &layout.arrays, &layout.threads})
      for (const Grid& grid : *grids) EXPECT_FALSE(overlap(line, grid.box));
  }
}

TEST(Memories, FramesEncloseTheMatricesAndNothingElse) {
  for (const uint32_t tile : {1U, 4U, 16U, 32U})
    for (const auto& [width, height] : {std::pair{430.0F, 490.0F},
                                        {870.0F, 490.0F},
                                        {320.0F, 300.0F},
                                        {320.0F, 230.0F},
                                        {300.0F, 1400.0F},
                                        {1400.0F, 300.0F}})
      for (const float text : {12.0F, 16.0F, 28.0F}) {
        SCOPED_TRACE(testing::Message()
                     << tile << ", " << width << " x " << height << ", " << text);
        SceneModel model = productScene(2 * tile, 2 * tile, 2 * tile, tile);
        expectFramed(model, {width, height, text, text});
        model.arrays.clear();
        expectFramed(model, {width, height, text, text});
        expectFramed(columnScene(), {width, height, text, text});
      }
}

TEST(Memories, AFrameIsDrawnAsAThinLine) {
  const SceneModel model = productScene(8, 8, 8, 4);
  const Layout layout = arrange(model, {560, 680, 16});
  ASSERT_EQ(layout.frames.size(), 1U);
  const Layers layers = buildLayers(std::make_shared<SceneModel>(model), layout, darkPalette());
  const auto drawn = std::ranges::find(layers.marks.items, layout.frames[0],
                                       [](const RectInstance& rect) { return rect.box; });
  ASSERT_NE(drawn, layers.marks.items.end());
  EXPECT_EQ(drawn->border, darkPalette().line);
  EXPECT_EQ(drawn->borderPx, 1);
}

}  // namespace tilestep::gfx::memories_test
