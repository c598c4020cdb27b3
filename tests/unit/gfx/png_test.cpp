// SPDX-License-Identifier: Apache-2.0
#include "gfx/png.h"

#include <gtest/gtest.h>
#include <stb_image.h>

#include <vector>

namespace tilestep::gfx::png_test {

std::vector<uint8_t> decoded(const std::string& png, int& width, int& height) {
  int channels = 0;
  uint8_t* pixels =
      stbi_load_from_memory(reinterpret_cast<const uint8_t*>(png.data()),
                            static_cast<int>(png.size()), &width, &height, &channels, 4);
  if (pixels == nullptr) return {};
  std::vector<uint8_t> rgba(pixels, pixels + size_t{4} * size_t(width) * size_t(height));
  stbi_image_free(pixels);
  return rgba;
}

/// A picture with `colours` different colours, some of them not opaque.
std::vector<uint8_t> picture(uint32_t width, uint32_t height, uint32_t colours) {
  std::vector<uint8_t> rgba;
  for (uint32_t i = 0; i < width * height; ++i) {
    const uint32_t c = i % colours;
    rgba.insert(rgba.end(), {uint8_t(c), uint8_t(c >> 8), uint8_t(7 * c), uint8_t(255 - c % 3)});
  }
  return rgba;
}

TEST(DrawnPng, IsReadBackToThePixel) {
  for (const uint32_t colours : {1U, 2U, 256U, 257U, 900U}) {
    const std::vector<uint8_t> rgba = picture(40, 30, colours);
    const Result<std::string> png = drawnPngOf(40, 30, rgba);
    ASSERT_TRUE(png);
    int width = 0, height = 0;
    EXPECT_EQ(decoded(*png, width, height), rgba) << colours << " colours";
    EXPECT_EQ(width, 40);
    EXPECT_EQ(height, 30);
  }
}

TEST(DrawnPng, FewColoursGiveASmallFile) {
  const std::vector<uint8_t> rgba = picture(400, 300, 3);
  EXPECT_LT(5 * drawnPngOf(400, 300, rgba)->size(), pngOf(400, 300, rgba)->size());
}

TEST(DrawnPng, NoPixelsGiveAnError) {
  EXPECT_FALSE(drawnPngOf(0, 0, {}));
}

}  // namespace tilestep::gfx::png_test
