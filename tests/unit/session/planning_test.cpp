// SPDX-License-Identifier: Apache-2.0
#include "session/planning.h"

#include <gtest/gtest.h>

#include "session/sentence.h"
#include "session/traffic.h"
#include "session/undo.h"

namespace tilestep::session {
namespace {

compile::KernelSpec spec(const std::string& name) {
  const auto source = compile::findKernel(TILESTEP_SOURCE_DIR "/kernels", name);
  return compile::parseKernel(source.value()).value();
}

TEST(Planning, TheSceneFollowsTheTile) {
  Choice choice;
  const compile::KernelSpec tiled = spec("matmul_tiled");
  EXPECT_EQ(sceneSizesOf(choice, tiled, Limits{}).at("k"), 8);
  choice.tunables["matmul_tiled"]["TILE_WIDTH"] = 16;
  EXPECT_EQ(sceneSizesOf(choice, tiled, Limits{}).at("k"), 32);
  choice.scene.values = {{"m", 10}, {"n", 12}, {"k", 5000}};
  EXPECT_EQ(sceneSizesOf(choice, tiled, Limits{}).at("m"), 10);
  EXPECT_EQ(sceneSizesOf(choice, tiled, Limits{}).at("k"), kMaxSceneSize);
}

TEST(Planning, TheCompanionComputesTheSameOutputs) {
  const compile::KernelSpec tiled = spec("matmul_tiled");
  const compile::Bindings sizes{{"m", 9}, {"n", 9}, {"k", 9}};
  const auto plan = compile::plan(tiled, sizes, {{"TILE_WIDTH", 8}}, Limits{});
  ASSERT_TRUE(plan);
  const compile::Bindings beside = companionTunables(spec("matmul_naive"), *plan);
  EXPECT_EQ(beside.at("BLOCK_X"), 8);
  EXPECT_EQ(beside.at("BLOCK_Y"), 8);
}

TEST(Planning, NearestLegalSearchesBothWays) {
  const compile::KernelSpec tiled = spec("matmul_tiled");
  const compile::Bindings sizes{{"m", 8}, {"n", 8}, {"k", 8}};
  EXPECT_EQ(nearestLegal(tiled, sizes, {{"TILE_WIDTH", 40}}, "TILE_WIDTH", Limits{}), 32);
  EXPECT_EQ(nearestLegal(tiled, sizes, {{"TILE_WIDTH", 0}}, "TILE_WIDTH", Limits{}), 1);
  EXPECT_EQ(nearestLegal(tiled, sizes, {{"TILE_WIDTH", 4}}, "NOTHING", Limits{}), std::nullopt);
}

TEST(Planning, ABlockStaysInTheGrid) {
  EXPECT_EQ(clampToGrid({5, 1, 0}, {2, 2, 1}), (Dim3{1, 1, 0}));
}

TEST(Undo, ChangesOfOneGestureCountAsOne) {
  Undo undo;
  Choice a, b, c;
  b.device = "b";
  c.device = "c";
  undo.changing(a, "device");
  undo.changing(b, "device");
  EXPECT_EQ(undo.undo(c), a);
  EXPECT_FALSE(undo.canUndo());
  EXPECT_EQ(undo.redo(a), c);
}

TEST(Undo, ANewChangeForgetsWhatWasUndone) {
  Undo undo;
  Choice a, b;
  b.device = "b";
  undo.changing(a, "device");
  ASSERT_TRUE(undo.undo(b));
  undo.changing(a, "kernel");
  EXPECT_FALSE(undo.canRedo());
}

TEST(Words, OrdinalsReadAsPeopleSayThem) {
  EXPECT_EQ(ordinal(3), "third");
  EXPECT_EQ(ordinal(12), "twelfth");
  EXPECT_EQ(ordinal(21), "21st");
  EXPECT_EQ(ordinal(113), "113th");
}

TEST(Planning, OneBlocksOutputsComeFromTheLaunch) {
  const compile::Bindings sizes{{"m", 10}, {"n", 9}, {"k", 3}};
  const auto plan = compile::plan(spec("matmul_tiled"), sizes, {{"TILE_WIDTH", 4}}, Limits{});
  ASSERT_TRUE(plan);
  EXPECT_EQ(outputsOfBlock(*plan).rows, 4U);
  EXPECT_EQ(outputsOfBlock(*plan).columns, 4U);
}

TEST(Words, SizesAreShortWhenEqual) {
  EXPECT_EQ(sizesText({{"m", 4}, {"n", 4}, {"k", 4}}), "m = n = k = 4");
  EXPECT_EQ(sizesText({{"m", 1}, {"n", 2}, {"k", 3}}), "m = 1, n = 2, k = 3");
}

TEST(Words, ShortNamesDropTheFamily) {
  EXPECT_EQ(shortNameOf("matmul_tiled_free"), "tiled free");
  EXPECT_EQ(shortNameOf("matrix_sum"), "matrix sum");
}

}  // namespace
}  // namespace tilestep::session
