// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "gfx/layers.h"
#include "unit/gfx/sample_scene.h"

namespace tilestep::gfx::pick_test {

Layers layersOf(const SceneModel& model) {
  return buildLayers(std::make_shared<SceneModel>(model), arrange(model, {800, 1000, 16}),
                     darkPalette());
}

TEST(Hit, FindsTheCellUnderThePointer) {
  const Layers layers = layersOf(productScene(8, 8, 8, 4));
  Camera camera;
  camera.zoomAt({300, 300}, 1.7F);
  const Point in = camera.toScreen(layers.layout.panels[0].cellBox(2, 5).center());
  EXPECT_EQ(hit(layers, camera, in), (Place{Place::In::panel, 0, 2, 5}));
  const Point slot = camera.toScreen(layers.layout.arrays[1].cellBox(3, 0).center());
  EXPECT_EQ(hit(layers, camera, slot), (Place{Place::In::array, 1, 3, 0}));
  const Point thread = camera.toScreen(layers.layout.threads[0].cellBox(1, 2).center());
  EXPECT_EQ(hit(layers, camera, thread), (Place{Place::In::threads, 0, 1, 2}));
  EXPECT_EQ(hit(layers, camera, {-500, -500}), std::nullopt);
}

TEST(Describe, ContainsValueOriginAndProgress) {
  SceneModel model = productScene(8, 8, 8, 4);
  model.panels[0].cells = {{2, 5, Mark::now, 4}};
  model.arrays[0].slots[1] = {.value = 0.5F, .written = true, .warp = 0, .origin = "M[0,5]"};
  model.threads[0].threads[1] = {.value = 2, .terms = 4, .ofTerms = 8, .warp = 0};
  EXPECT_EQ(describe(model, {Place::In::panel, 0, 2, 5}),
            "M[2,5] = 0\nloaded 4 times in this step");
  EXPECT_EQ(describe(model, {Place::In::array, 0, 0, 1}),
            "Mds[0][1] = 0.5\nfrom M[0,5], by warp 0");
  EXPECT_EQ(describe(model, {Place::In::array, 0, 0, 0}), "Mds[0][0]: not written yet");
  EXPECT_EQ(describe(model, {Place::In::threads, 0, 0, 1}),
            "thread (1, 0): Pvalue = 2\n4 of 8 terms, warp 0");
  EXPECT_EQ(describe(model, {Place::In::array, 7, 0, 0}), "");
}

TEST(Describe, NamesMissingAndUnknownValues) {
  SceneModel model = productScene(8, 8, 8, 4);
  model.panels[2].picture = filled(8, 8, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(describe(model, {Place::In::panel, 2, 1, 1}), "P[1,1]: not written yet");
  model.panels[2].picture = filled(4, 4, 1);
  EXPECT_EQ(describe(model, {Place::In::panel, 2, 1, 1}), "P[1,1]");
}

TEST(BlockAt, CountsBlocksOfTheProductOnly) {
  const SceneModel model = productScene(8, 12, 8, 4);
  const auto block = blockAt(model, {Place::In::panel, 2, 5, 11});
  ASSERT_TRUE(block);
  EXPECT_EQ(block->x, 2U);
  EXPECT_EQ(block->y, 1U);
  EXPECT_FALSE(blockAt(model, {Place::In::panel, 0, 5, 5}));
  EXPECT_FALSE(blockAt(model, {Place::In::array, 0, 0, 0}));
}

}  // namespace tilestep::gfx::pick_test
