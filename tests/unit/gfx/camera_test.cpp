// SPDX-License-Identifier: Apache-2.0
#include "gfx/camera.h"

#include <gtest/gtest.h>

namespace tilestep::gfx::camera_test {

TEST(Camera, ZoomKeepsThePointUnderThePointer) {
  Camera camera;
  camera.pan(31, -8);
  const Point before = camera.toWorld({200, 120});
  camera.zoomAt({200, 120}, 2.5F);
  const Point after = camera.toWorld({200, 120});
  EXPECT_NEAR(after.x, before.x, 1e-3);
  EXPECT_NEAR(after.y, before.y, 1e-3);
  EXPECT_FLOAT_EQ(camera.zoom(), 2.5F);
}

TEST(Camera, ZoomStaysWithinItsLimits) {
  Camera camera;
  for (int i = 0; i < 100; ++i) camera.zoomAt({0, 0}, 10);
  EXPECT_FLOAT_EQ(camera.zoom(), Camera::kMaxZoom);
  for (int i = 0; i < 100; ++i) camera.zoomAt({0, 0}, 0.1F);
  EXPECT_FLOAT_EQ(camera.zoom(), Camera::kMinZoom);
}

TEST(Camera, FitToCentresABox) {
  Camera camera;
  camera.fitTo({10, 20, 100, 50}, 800, 600, 0);
  const Box on = camera.toScreen(Box{10, 20, 100, 50});
  EXPECT_NEAR(on.x, 0, 1e-2);
  EXPECT_NEAR(on.width, 800, 1e-2);
  EXPECT_NEAR(on.center().y, 300, 1e-2);
  camera.fit();
  EXPECT_EQ(camera, Camera());
}

TEST(Camera, APannedSceneStaysInView) {
  Camera camera;
  camera.pan(100000, -100000);
  camera.keepInView({0, 0, 400, 300}, 800, 600);
  const Box on = camera.toScreen(Box{0, 0, 400, 300});
  EXPECT_LT(on.x, 800);
  EXPECT_GT(on.y + on.height, 0);
}

}  // namespace tilestep::gfx::camera_test
