// SPDX-License-Identifier: Apache-2.0
#include "features/cube/cube_trace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "features/cube/multiply_adds.h"
#include "unit/features/divergence/traced_here.h"
#include "unit/trace/toy_kernels.h"

namespace tilestep::features::cube_trace_test {

using Places = std::set<std::tuple<uint32_t, uint32_t, uint32_t>>;

Places placesOf(const CubeTrace& cube) {
  Places places;
  for (const CubePoint& point : cube.points)
    EXPECT_TRUE(places.insert({point.row, point.column, point.k}).second)
        << "P[" << point.row << "][" << point.column << "] has k = " << point.k << " twice";
  return places;
}

/// All points of a rectangle of P at one depth.
Places allOf(const ProductArea& area, uint32_t depth) {
  Places places;
  for (uint32_t row = area.top; row < area.top + area.rows; ++row)
    for (uint32_t column = area.left; column < area.left + area.columns; ++column)
      for (uint32_t k = 0; k < depth; ++k) places.insert({row, column, k});
  return places;
}

/// The cube of a block, in which every point must occur once.
CubeTrace wholeCube(const std::string& kernel, const compile::Bindings& sizes,
                    const compile::Bindings& tunables, const Dim3& block,
                    const ProductArea& expected) {
  const auto traced = tracedHere(kernel, sizes, tunables, block);
  EXPECT_TRUE(traced) << kernel;
  if (!traced) return {};
  CubeTrace cube = cubeTraceOf(*traced);
  EXPECT_EQ(cube.trouble, "") << kernel;
  EXPECT_EQ(cube.block, expected) << kernel;
  EXPECT_EQ(placesOf(cube), allOf(expected, static_cast<uint32_t>(sizes.at("k")))) << kernel;
  EXPECT_EQ(cube.all.points, cube.points.size()) << kernel;
  EXPECT_EQ(cube.all.unplaced, 0U) << kernel;
  EXPECT_EQ(cube.all.points + cube.all.zeros, traced->whole.accumulates) << kernel;
  EXPECT_EQ(cube.all.stores, uint64_t{expected.rows} * expected.columns) << kernel;
  return cube;
}

TEST(CubeTrace, PhasesOfATiledBlockAreSlabs) {
  const CubeTrace cube = wholeCube("matmul_tiled", {{"m", 8}, {"n", 8}, {"k", 8}},
                                   {{"TILE_WIDTH", 4}}, {1, 0, 0}, {0, 4, 4, 4});
  EXPECT_EQ(cube.tileRows, 4U);
  EXPECT_EQ(cube.tileColumns, 4U);
  EXPECT_EQ(cube.all.zeros, 0U);
  ASSERT_EQ(cube.phases.size(), 3U) << "two phases, and the write-back";
  for (uint32_t phase = 0; phase < 2; ++phase) {
    EXPECT_EQ(cube.phases[phase].phase, phase);
    EXPECT_EQ(cube.phases[phase].points, 64U);
    EXPECT_EQ(cube.phases[phase].kFirst, 4 * phase);
    EXPECT_EQ(cube.phases[phase].kLast, 4 * phase + 3);
    EXPECT_EQ(cube.phases[phase].leftLoads, 16U);
    EXPECT_EQ(cube.phases[phase].rightLoads, 16U);
  }
  EXPECT_FALSE(cube.phases[2].phase);
  EXPECT_EQ(cube.phases[2].stores, 16U);
  for (const CubePoint& point : cube.points) {
    EXPECT_EQ(point.step, point.k / 4);
    EXPECT_EQ(point.thread, point.row * 4 + point.column - 4) << "a thread computes one element";
  }
}

TEST(CubeTrace, ANaiveBlockHasTheSamePointsAndLoadsForEach) {
  const CubeTrace cube = wholeCube("matmul_naive", {{"m", 8}, {"n", 8}, {"k", 8}},
                                   {{"BLOCK_X", 4}, {"BLOCK_Y", 4}}, {0, 0, 0}, {0, 0, 4, 4});
  EXPECT_EQ(cube.all.leftLoads, 128U);
  EXPECT_EQ(cube.all.rightLoads, 128U);
  ASSERT_GE(cube.phases.size(), 2U) << "cut at every fourth k";
  EXPECT_EQ(cube.phases[0].points, 64U);
  EXPECT_EQ(cube.phases[0].kLast, 3U);
  EXPECT_EQ(cube.phases[1].kFirst, 4U);
}

TEST(CubeTrace, BlocksAtAnEdgeMultiplyByZeros) {
  const CubeTrace cube = wholeCube("matmul_tiled", {{"m", 5}, {"n", 5}, {"k", 5}},
                                   {{"TILE_WIDTH", 2}}, {2, 2, 0}, {4, 4, 1, 1});
  EXPECT_EQ(cube.points.size(), 5U);
  EXPECT_EQ(cube.all.zeros, 4U * 3 * 2 - 5);
  EXPECT_EQ(cube.tileRows, 2U) << "the last block is cut off";
  EXPECT_EQ(cube.tileColumns, 2U);
  const auto [left, right] = std::pair(cube.all.leftLoads, cube.all.rightLoads);
  EXPECT_EQ(left, 5U);
  EXPECT_EQ(right, 5U);
}

TEST(CubeTrace, ThreadsMayHaveManySums) {
  // Tests columns and patches of sums, vectors, loads ahead of their use, and asynchronous copies.
  for (const char* rung :
       {"rung03_tiled", "rung04_banks", "rung05_column_a_thread", "rung06_patch_a_thread",
        "rung07_vectors", "rung08_no_conflicts", "rung09_double_buffer", "rung10_async"}) {
    const auto traced = tracedHere(rung, {{"m", 64}, {"n", 64}, {"k", 16}}, {});
    ASSERT_TRUE(traced) << rung;
    const CubeTrace cube = cubeTraceOf(*traced);
    EXPECT_EQ(cube.trouble, "") << rung;
    EXPECT_EQ(cube.all.unplaced, 0U) << rung << ": of " << traced->whole.accumulates;
    EXPECT_EQ(placesOf(cube), allOf(cube.block, 16)) << rung;
  }
}

TEST(CubeTrace, AMissingCubeHasAReason) {
  const auto troubleOf = [](const char* kernel, const compile::Bindings& sizes) {
    const auto traced = tracedHere(kernel, sizes, {});
    return traced ? cubeTraceOf(*traced).trouble : std::string("not traced");
  };
  EXPECT_EQ(troubleOf("matrix_sum", {{"m", 8}, {"n", 8}}),
            "The cube shows a product of two matrices, and matrix sum computes none.");
  EXPECT_EQ(troubleOf("rung14_tf32", {{"m", 64}, {"n", 64}, {"k", 32}}),
            "The trace does not show with certainty which elements rung14 tf32 multiplies.");
}

TEST(MultiplyAdd, IsProvedByTheSum) {
  const auto bits = [](float value) { return trace::toy::bitsOf(value); };
  EXPECT_TRUE(isMultiplyAdd(ElementType::f32, bits(1), bits(2), bits(3), bits(7)));
  EXPECT_FALSE(isMultiplyAdd(ElementType::f32, bits(1), bits(2), bits(3), bits(8)));
  // 0.1f * 0.1f is not a float: fused and unfused sums differ, and both are accepted.
  const float tenth = 0.1F, product = tenth * tenth;
  const float unfused = product - product, fused = std::fma(tenth, tenth, -product);
  ASSERT_NE(unfused, fused);
  EXPECT_TRUE(
      isMultiplyAdd(ElementType::f32, bits(-product), bits(tenth), bits(tenth), bits(unfused)));
  EXPECT_TRUE(
      isMultiplyAdd(ElementType::f32, bits(-product), bits(tenth), bits(tenth), bits(fused)));
}

}  // namespace tilestep::features::cube_trace_test
