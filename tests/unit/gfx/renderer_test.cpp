// SPDX-License-Identifier: Apache-2.0
#include "gfx/renderer.h"

#include <gtest/gtest.h>

#include "unit/gfx/sample_scene.h"

namespace tilestep::gfx::renderer_test {

TEST(NullRenderer, RemembersWhatItWasAskedToDraw) {
  const auto model = std::make_shared<SceneModel>(productScene(8, 8, 8, 4));
  const auto layers =
      std::make_shared<Layers>(buildLayers(model, arrange(*model, {400, 500, 14}), darkPalette()));
  Camera camera;
  camera.pan(3, 4);
  NullRenderer null;
  Renderer& renderer = null;
  renderer.draw({1, layers, camera, {{10, 20, 400, 500}, 2, 1000}, 0.5F});
  ASSERT_EQ(null.calls().size(), 1U);
  EXPECT_EQ(null.calls()[0].slot, 1U);
  EXPECT_EQ(null.calls()[0].layers->model->title, "matmul_tiled");
  EXPECT_EQ(null.calls()[0].camera, camera);
  EXPECT_EQ(null.calls()[0].view.viewport, (Box{10, 20, 400, 500}));
  EXPECT_EQ(null.calls()[0].progress, 0.5F);
  null.clear();
  EXPECT_TRUE(null.calls().empty());
}

}  // namespace tilestep::gfx::renderer_test
