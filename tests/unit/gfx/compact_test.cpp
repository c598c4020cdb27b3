// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/compact.h"

#include <gtest/gtest.h>

namespace tilestep::gfx::compact_test {

constexpr Box kAll{0, 0, 100, 100};
constexpr Color kRed = rgb(0xff0000), kBlue = rgb(0x0000ff);

Shape boxAt(float x, float y, float side, Color fill = kRed) {
  return {BoxShape{{x, y, side, side}, 0, fill}, kAll, ""};
}

Drawing cells(size_t count, float side) {
  Drawing drawing;
  for (size_t i = 0; i < count; ++i) {
    const size_t row = i / 16, column = i % 16;
    drawing.shapes.push_back(boxAt(float(column) * side, float(row) * side, side));
  }
  return drawing;
}

Color pixelAt(const ImageShape& image, uint32_t x, uint32_t y) {
  const uint8_t* pixel = &image.rgba[4 * (y * image.columns + x)];
  return {pixel[0], pixel[1], pixel[2], pixel[3]};
}

TEST(Compact, ManySmallBoxesBecomeAnImage) {
  Drawing drawing = cells(256, 3);
  drawing.shapes.back() = {BoxShape{{45, 45, 3, 3}, 0, kBlue}, {45, 45, 1, 3}, ""};
  const Drawing compact = compacted(drawing);
  ASSERT_EQ(compact.shapes.size(), 1U);
  const auto& image = std::get<ImageShape>(compact.shapes.front().what);
  EXPECT_EQ(image.box, (Box{0, 0, 48, 48}));
  EXPECT_EQ(image.columns, 96U);
  EXPECT_EQ(pixelAt(image, 10, 10), kRed);
  EXPECT_EQ(pixelAt(image, 90, 92), kBlue);
  EXPECT_EQ(pixelAt(image, 94, 92).a, 0) << "the clipped part is not painted";
}

TEST(Compact, BordersArePaintedInsideTheirBoxes) {
  Drawing drawing = cells(100, 4);
  std::get<BoxShape>(drawing.shapes[0].what).border = kBlue;
  std::get<BoxShape>(drawing.shapes[0].what).borderWidth = 1;
  const Drawing compact = compacted(drawing);
  const auto& image = std::get<ImageShape>(compact.shapes.at(0).what);
  EXPECT_EQ(pixelAt(image, 1, 4), kBlue);
  EXPECT_EQ(pixelAt(image, 4, 4), kRed);
}

TEST(Compact, FewOrLargeBoxesAreUnchanged) {
  EXPECT_EQ(compacted(cells(20, 3)).shapes.size(), 20U);
  EXPECT_EQ(compacted(cells(100, 20)).shapes.size(), 25U) << "boxes outside the clip are omitted";
}

TEST(Compact, TheOrderOfShapesIsKept) {
  Drawing drawing = cells(100, 3);
  drawing.shapes.push_back({LineShape{{0, 0}, {9, 9}, 1, kRed}, kAll, ""});
  drawing.shapes.push_back(boxAt(0, 0, 3));
  const Drawing compact = compacted(drawing);
  ASSERT_EQ(compact.shapes.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<ImageShape>(compact.shapes[0].what));
  EXPECT_TRUE(std::holds_alternative<LineShape>(compact.shapes[1].what));
}

TEST(Compact, LinksAreSortedByColourOnlyInScenes) {
  const auto line = [](Color color, const char* panel) {
    return Shape{LineShape{{0, 0}, {9, 9}, 1, color}, kAll, panel};
  };
  for (const char* panel : {"", "##measures"}) {
    const bool scene = *panel == '\0';
    Drawing drawing{{line(kRed, panel), line(kBlue, panel), line(kRed, panel)}};
    const Drawing compact = compacted(drawing);
    ASSERT_EQ(compact.shapes.size(), 3U);
    EXPECT_EQ(std::get<LineShape>(compact.shapes[1].what).color, scene ? kRed : kBlue);
  }
}

TEST(Compact, ImagesLoseOnlyTheirLowestBits) {
  Drawing drawing;
  drawing.shapes.push_back({ImageShape{{0, 0, 1, 1}, 1, 1, {1, 130, 254, 255}}, kAll, ""});
  const Color pixel = pixelAt(std::get<ImageShape>(compacted(drawing).shapes[0].what), 0, 0);
  EXPECT_EQ(pixel, (Color{0, 128, 255, 255}));
}

}  // namespace tilestep::gfx::compact_test
