// SPDX-License-Identifier: Apache-2.0
#include "features/cube/panel_projection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <vector>

#include "features/cube/panel.h"

namespace tilestep::features::cube_projection_test {

using gfx::Point;

const gfx::Box kBox{100, 50, 640, 480};

std::vector<CubeTurn> turns() {
  std::vector<CubeTurn> all;
  for (const float yaw : {CubeTurn::kLeast, 20.0F, CubeTurn::kYaw, 50.0F, CubeTurn::kMostYaw})
    for (const float pitch : {CubeTurn::kLeast, CubeTurn::kPitch, 45.0F, CubeTurn::kMostPitch})
      all.push_back({yaw, pitch, false});
  return all;
}

TEST(CubeTurn, StaysWithinItsBounds) {
  CubeTurn turn;
  turn.turn(1000, 1000);
  EXPECT_EQ(turn.yaw, CubeTurn::kMostYaw);
  EXPECT_EQ(turn.pitch, CubeTurn::kMostPitch);
  turn.turn(-1000, -1000);
  EXPECT_EQ(turn.yaw, CubeTurn::kLeast);
  EXPECT_EQ(turn.pitch, CubeTurn::kLeast);
}

TEST(CubeProjection, FillsItsBoxAtEveryTurnAndSize) {
  for (const CubeTurn& turn : turns())
    for (const CubePlace& size :
         {CubePlace{8, 8, 8}, CubePlace{1, 1, 1}, CubePlace{4, 4, 1024}, CubePlace{512, 16, 3}}) {
      const CubeProjection projection(turn, {{0, 0, 0}, size}, kBox);
      const gfx::Box bounds = projection.bounds();
      EXPECT_GE(bounds.x, kBox.x - 0.1F);
      EXPECT_GE(bounds.y, kBox.y - 0.1F);
      EXPECT_LE(bounds.x + bounds.width, kBox.x + kBox.width + 0.1F);
      EXPECT_LE(bounds.y + bounds.height, kBox.y + kBox.height + 0.1F);
      EXPECT_TRUE(std::fabs(bounds.width - kBox.width) < 0.1F ||
                  std::fabs(bounds.height - kBox.height) < 0.1F)
          << "as large as possible";
      for (const float i : {0.0F, size.i})
        for (const float k : {0.0F, size.k}) {
          const Point m = projection.onLeft(i, k);
          EXPECT_GE(m.x, kBox.x - 0.1F);
          EXPECT_LE(m.y, kBox.y + kBox.height + 0.1F);
        }
    }
}

TEST(CubeProjection, RowsPointDownColumnsRightAndKTowardsTheViewer) {
  const CubeProjection projection(CubeTurn{}, {{0, 0, 0}, {8, 8, 8}}, kBox);
  const Point from = projection.at({0, 0, 0});
  EXPECT_GT(projection.at({1, 0, 0}).y, from.y);
  EXPECT_FLOAT_EQ(projection.at({1, 0, 0}).x, from.x);
  EXPECT_GT(projection.at({0, 1, 0}).x, from.x);
  EXPECT_GT(projection.at({0, 0, 1}).x, from.x);
  EXPECT_GT(projection.at({0, 0, 1}).y, from.y);
}

TEST(CubeProjection, InitialViewHidesNoPartOfTheCube) {
  const CubeProjection projection(CubeTurn{}, {{0, 0, 0}, {8, 8, 8}}, kBox);
  const float cubeLeft = projection.at({0, 0, 0}).x, cubeTop = projection.at({0, 8, 0}).y;
  EXPECT_LT(projection.onLeft(0, 8).x, cubeLeft) << "M ends to the left of the cube";
  EXPECT_LT(projection.onRight(8, 0).y, projection.at({0, 0, 8}).y);
  EXPECT_LT(projection.onRight(0, 8).y, cubeTop);
}

TEST(CubeProjection, ShortEdgesAreStretched) {
  const CubeProjection flat(CubeTurn{}, {{0, 0, 0}, {64, 64, 2}}, kBox);
  EXPECT_GT(flat.edgeK(), 5 * flat.edgeI());
}

/// How near a position is to the viewer.
float nearness(const CubeTurn& turn, const CubePlace& at) {
  constexpr float kRadians = std::numbers::pi_v<float> / 180;
  const float yaw = turn.yaw * kRadians, pitch = turn.pitch * kRadians;
  return (at.k * std::cos(yaw) - at.j * std::sin(yaw)) * std::cos(pitch) - at.i * std::sin(pitch);
}

struct Hit {
  uint32_t row = 0, column = 0, k = 0;
  float nearness = 0;
};

/// The nearest marked point with a visible side at screen position `place`, found by comparing all
/// points.
std::optional<Hit> nearestUnder(const CubeMarks& marks, const CubeTurn& turn,
                                const CubeProjection& projection, Point place) {
  std::optional<Hit> best;
  const ProductArea& block = marks.block();
  for (uint32_t row = block.top; row < block.top + block.rows; ++row)
    for (uint32_t column = block.left; column < block.left + block.columns; ++column)
      for (uint32_t k = 0; k < marks.depth(); ++k) {
        const CubeTone tone = marks.at(row, column, k).tone;
        if (tone != CubeTone::done && tone != CubeTone::now) continue;
        const float i = static_cast<float>(row), j = static_cast<float>(column),
                    depth = static_cast<float>(k);
        const CubePlace corners[3][3] = {
            {{i, j, depth + 1}, {i, j + 1, depth + 1}, {i + 1, j, depth + 1}},
            {{i, j, depth}, {i, j, depth + 1}, {i + 1, j, depth}},
            {{i, j, depth}, {i, j, depth + 1}, {i, j + 1, depth}}};
        for (const auto& side : corners) {
          const Point a = projection.at(side[0]), b = projection.at(side[1]),
                      c = projection.at(side[2]);
          const Point u{b.x - a.x, b.y - a.y}, v{c.x - a.x, c.y - a.y},
              from{place.x - a.x, place.y - a.y};
          const float area = u.x * v.y - u.y * v.x;
          const float s = (from.x * v.y - from.y * v.x) / area,
                      t = (u.x * from.y - u.y * from.x) / area;
          if (s < 0 || s >= 1 || t < 0 || t >= 1) continue;
          const float base = nearness(turn, side[0]);
          const float near =
              base + s * (nearness(turn, side[1]) - base) + t * (nearness(turn, side[2]) - base);
          if (!best || near > best->nearness) best = Hit{row, column, k, near};
        }
      }
  return best;
}

TEST(CubeFaces, LaterFacesAreInFrontAtEveryTurn) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> x(kBox.x, kBox.x + kBox.width),
      y(kBox.y, kBox.y + kBox.height);
  int hits = 0;
  for (const CubeTurn& turn : turns()) {
    CubeMarks marks({1, 2, 4, 3}, 5);
    for (uint32_t row = 1; row < 5; ++row)
      for (uint32_t column = 2; column < 5; ++column)
        for (uint32_t k = 0; k < 5; ++k)
          if (random() % 3 > 0) marks.at(row, column, k).tone = CubeTone::done;
    CubeStep step;
    step.separate = false;
    step.faces = surfaceOf(marks);
    const CubeProjection projection(turn, {{1, 2, 0}, {5, 5, 5}}, kBox);
    for (int i = 0; i < 300; ++i) {
      const Point place{x(random), y(random)};
      const auto found = pointUnder(step, projection, place);
      const auto expected = nearestUnder(marks, turn, projection, place);
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!found) continue;
      ++hits;
      EXPECT_EQ(found->row, expected->row);
      EXPECT_EQ(found->column, expected->column);
      EXPECT_EQ(found->k, expected->k);
    }
  }
  EXPECT_GT(hits, 500);
}

}  // namespace tilestep::features::cube_projection_test
