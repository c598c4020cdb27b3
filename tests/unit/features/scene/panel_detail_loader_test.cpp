// SPDX-License-Identifier: Apache-2.0
#include "features/scene/panel_detail_loader.h"

#include <gtest/gtest.h>

#include <thread>

namespace tilestep::features::panel_detail_loader_test {

class Sloped : public gfx::ValueSource {
 public:
  void read(uint32_t row, uint32_t column, uint32_t count, float* out) const override {
    for (uint32_t i = 0; i < count; ++i) out[i] = float(row) + float(column + i) / 4096;
  }
};

struct Loader : testing::Test {
  DetailLoader loader;
  DetailLoader::Matrix matrix{std::make_shared<Sloped>(), 4096, 4096};
  void finish() {
    do {
      std::this_thread::yield();
      (void)loader.overview(matrix);
    } while (loader.busy());
  }
};

TEST_F(Loader, OverviewArrivesLater) {
  EXPECT_FALSE(loader.overview(matrix));
  finish();
  const auto overview = loader.overview(matrix);
  ASSERT_TRUE(overview);
  EXPECT_EQ(overview->rows, DetailLoader::kOverviewSide);
  EXPECT_NEAR(overview->values[1], 1.5F + 5.5F / 4096, 1e-5);  // Rows 0 to 3, columns 4 to 7.
}

TEST_F(Loader, IndividualCellsAreAvailableImmediately) {
  const gfx::DetailRequest seen{{1000, 2000, 60, 80}, 1};
  const gfx::Detail detail = loader.detail(0, matrix, seen);
  ASSERT_TRUE(detail.picture);
  EXPECT_LE(detail.area.row, 1000U);
  const size_t at =
      size_t{1000 - detail.area.row} * detail.area.columns + 2000 - detail.area.column;
  EXPECT_EQ(detail.picture->values[at], 1000.0F + 2000.0F / 4096);
  EXPECT_EQ(loader.detail(1, matrix, seen).picture, detail.picture)
      << "another scene shares the picture";
}

TEST_F(Loader, LastPictureStaysWhileANewOneIsMade) {
  const gfx::Detail small = loader.detail(0, matrix, {{0, 0, 64, 64}, 1});
  const gfx::DetailRequest large{{0, 0, 2048, 2048}, 2};
  EXPECT_EQ(loader.detail(0, matrix, large).picture, small.picture);
  finish();
  const gfx::Detail now = loader.detail(0, matrix, large);
  EXPECT_NE(now.picture, small.picture);
  EXPECT_EQ(now.area.rows, now.picture->rows * 2);
  EXPECT_FALSE(loader.detail(0, matrix, {{0, 0, 4096, 4096}, 4}).picture)
      << "the overview is as detailed";
}

}  // namespace tilestep::features::panel_detail_loader_test
