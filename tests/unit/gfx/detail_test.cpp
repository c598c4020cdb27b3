// SPDX-License-Identifier: Apache-2.0
#include "gfx/detail.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gfx/labels/label_text.h"
#include "gfx/layers.h"

namespace tilestep::gfx::detail_test {

/// A value that depends on row and column, so that the mean of a shifted square differs.
class Known : public ValueSource {
 public:
  static float at(uint32_t row, uint32_t column) {
    return std::sin(0.37F * float(row)) * std::cos(0.11F * float(column)) + float(row % 3);
  }
  void read(uint32_t row, uint32_t column, uint32_t count, float* out) const override {
    for (uint32_t i = 0; i < count; ++i) out[i] = at(row, column + i);
  }
};

double meanOf(uint32_t rows, uint32_t columns, uint32_t row, uint32_t column, uint32_t factor) {
  double sum = 0, cells = 0;
  for (uint32_t r = row; r < std::min(rows, row + factor); ++r)
    for (uint32_t c = column; c < std::min(columns, column + factor); ++c, ++cells)
      sum += double(Known::at(r, c));
  return sum / cells;
}

void expectMeans(uint32_t rows, uint32_t columns, const DetailRequest& request) {
  const auto picture = averaged(Known(), rows, columns, request);
  ASSERT_EQ(picture->rows * request.factor, request.area.rows);
  ASSERT_EQ(picture->columns * request.factor, request.area.columns);
  ASSERT_EQ(picture->values.size(), size_t{picture->rows} * picture->columns);
  for (uint32_t y = 0; y < picture->rows; ++y)
    for (uint32_t x = 0; x < picture->columns; ++x)
      ASSERT_NEAR(picture->values[size_t{y} * picture->columns + x],
                  meanOf(rows, columns, request.area.row + y * request.factor,
                         request.area.column + x * request.factor, request.factor),
                  1e-6)
          << y << " " << x;
}

TEST(Detail, EveryLevelIsTheMeanOfItsCells) {
  for (const uint32_t factor : {1U, 2U, 4U, 8U})
    expectMeans(100, 70, {{16, 8, 8 * factor, 4 * factor}, factor});
}

TEST(Detail, SquaresAtTheEdgeAreMeansOfTheirInnerCells) {
  const DetailRequest all = overviewOf(101, 67, 16);
  EXPECT_EQ(all.factor, 8U);
  EXPECT_EQ(all.area, (CellRect{0, 0, 104, 72}));
  expectMeans(101, 67, all);
}

struct Seen : testing::Test {
  // 4096 cells on 512 units: a cell is an eighth of a unit wide.
  Grid grid{{10, 20, 512, 512}, 0.125F, 0};
  Camera camera;
  std::optional<DetailRequest> seen() { return seenOf(grid, 4096, 4096, camera, 600, 560, 1); }
};

TEST_F(Seen, TheWholeMatrixAtItsFirstZoom) {
  EXPECT_EQ(seen(), (DetailRequest{{0, 0, 4096, 4096}, 8}));
}

TEST_F(Seen, OneValuePerPixelOrTwoWhenZoomedIn) {
  for (const float zoom : {1.0F, 2.5F, 6.0F, 20.0F, 300.0F}) {
    camera.fit();
    camera.zoomAt({266, 276}, zoom);
    const auto now = seen();
    ASSERT_TRUE(now);
    const float pixels = float(now->factor) * grid.cell * camera.zoom();
    EXPECT_GE(pixels, 1.0F) << zoom;
    if (now->factor > 1) {
      EXPECT_LT(pixels, 2.0F) << zoom;
    }
    const Box box = camera.toScreen(grid.cellBox(now->area.row, now->area.column));
    EXPECT_LE(std::max(box.x, box.y), 21.0F) << "no visible cell is omitted";
    const Box last = camera.toScreen(
        grid.cellBox(now->area.row + now->area.rows - 1, now->area.column + now->area.columns - 1));
    EXPECT_GE(last.x + last.width, std::min(600.0F, 521.0F));
  }
}

TEST_F(Seen, NothingOutOfView) {
  camera.pan(-5000, 0);
  EXPECT_FALSE(seen());
}

TEST_F(Seen, AMarginAvoidsNewRequests) {
  camera.zoomAt({266, 276}, 64);
  const DetailRequest first = *seen(), roomy = withRoom(first, 4096, 4096);
  EXPECT_TRUE(covers(roomy, first));
  camera.pan(40, -60);
  EXPECT_FALSE(covers(first, *seen()));
  EXPECT_TRUE(covers(roomy, *seen()));
  camera.zoomAt({266, 276}, 0.01F);
  EXPECT_FALSE(covers(roomy, *seen()));
}

TEST(DetailValues, AMeanIsNotShownAsACellsValue) {
  MatrixPanel panel;
  panel.rows = panel.columns = 4096;
  panel.picture = averaged(Known(), 4096, 4096, overviewOf(4096, 4096, 64));
  EXPECT_FALSE(valueAt(panel, 5, 5)) << "a mean is not the value of a cell";
  panel.source = std::make_shared<Known>();
  EXPECT_EQ(valueAt(panel, 4000, 17), Known::at(4000, 17));
  panel.detail = {{8, 8, 2, 2}, std::make_shared<Picture>(Picture{2, 2, {1, 2, 3, 4}})};
  EXPECT_EQ(valueAt(panel, 9, 8), 3.0F);
  EXPECT_EQ(valueAt(panel, 10, 8), Known::at(10, 8));
  EXPECT_FALSE(valueAt(panel, 4096, 0));
}

TEST(DetailValues, AnUncomputedElementIsDescribedAsSuch) {
  SceneModel model;
  MatrixPanel panel;
  panel.name = "P";
  panel.rows = panel.columns = 4096;
  panel.absent = "not computed here: only block (0, 0) was run";
  panel.detail = {{0, 0, 1, 2}, std::make_shared<Picture>(Picture{1, 2, {7, NAN}})};
  model.panels.push_back(panel);
  const auto say = [&](uint32_t row, uint32_t column) {
    return describe(model, {Place::In::panel, 0, row, column});
  };
  EXPECT_EQ(say(0, 0), "P[0,0] = 7");
  EXPECT_EQ(say(0, 1), "P[0,1]: not written yet");
  EXPECT_EQ(say(3, 3), "P[3,3]: not computed here: only block (0, 0) was run");
}

}  // namespace tilestep::gfx::detail_test
