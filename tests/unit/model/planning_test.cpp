// SPDX-License-Identifier: Apache-2.0
#include "model/choice/planning.h"

#include <gtest/gtest.h>

#include "model/choice/undo.h"
#include "model/text/step_summary.h"
#include "model/text/traffic.h"
#include "support/source_root.h"

namespace tilestep::model::planning_test {

compile::KernelSpec spec(const std::string& name) {
  const auto source = compile::findKernel(support::sourceRoot() + "/kernels", name);
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

// The launch with which the window opens a kernel is legal, although the smallest values may not be
// legal together.
TEST(Planning, EveryKernelOpensWithLegalTunables) {
  size_t kernels = 0;
  for (const compile::CatalogueEntry& entry :
       compile::readCatalogue(support::sourceRoot() + "/kernels")) {
    ASSERT_TRUE(entry.spec) << entry.source.path;
    const compile::Bindings small = tunablesOf(Choice{}, *entry.spec);
    const auto plan = compile::plan(*entry.spec, entry.spec->sizes, small, Limits{});
    EXPECT_TRUE(plan.ok()) << entry.spec->name << ": " << (plan ? "" : plan.error().message);
    ++kernels;
  }
  EXPECT_GT(kernels, 25U);
  Choice choice;
  choice.tunables["rung14_tf32"]["WARP_N"] = 32;
  EXPECT_EQ(tunablesOf(choice, spec("rung14_tf32")).at("WARP_N"), 32);
}

TEST(Planning, ASlowGridIsLarge) {
  const auto isLargeAt = [](const std::string& kernel, int64_t size) {
    const compile::KernelSpec of = spec(kernel);
    compile::Bindings sizes, tunables;
    for (const auto& [name, value] : of.sizes) sizes[name] = size;
    for (const compile::TunableSpec& tunable : of.tunables)
      tunables[tunable.name] = tunable.defaultValue;
    const auto plan = compile::plan(of, sizes, tunables, Limits{});
    EXPECT_TRUE(plan) << kernel;
    return plan && isLarge(*plan);
  };
  EXPECT_FALSE(isLargeAt("matmul_tiled", 512));
  EXPECT_TRUE(isLargeAt("matmul_tiled", 1024));
  EXPECT_TRUE(isLargeAt("matmul_naive", 4096));
  EXPECT_FALSE(isLargeAt("transpose", 512));
  EXPECT_TRUE(isLargeAt("transpose", 4096));
  EXPECT_FALSE(isLargeAt("reduce_neighbored", 4096));
}

compile::Plan planOf(const std::string& name, int64_t edge, const compile::Bindings& tunables) {
  const compile::KernelSpec kernel = spec(name);
  compile::Bindings sizes;
  for (const auto& [size, value] : kernel.sizes) sizes[size] = edge;
  return compile::plan(kernel, sizes, tunables, Limits{}).value();
}

TEST(Planning, TheComparedKernelDoesTheSameWork) {
  const compile::Plan tiled = planOf("matmul_tiled", 16, {{"TILE_WIDTH", 8}});
  EXPECT_EQ(companionTunables(spec("matmul_tiled_swapped"), tiled).at("TILE_WIDTH"), 8);
  EXPECT_EQ(companionTunables(spec("matmul_tiled_swapped"), tiled).at("PAD"), 0);
  const compile::Bindings free = companionTunables(spec("matmul_tiled_free"), tiled);
  EXPECT_EQ(free.at("TILE_M"), 8);
  EXPECT_EQ(free.at("TILE_N"), 8);
  EXPECT_EQ(free.at("TILE_K"), 8);
  // If threads compute several elements, the naive block is as large as the block's outputs.
  const compile::Plan several =
      planOf("matmul_tiled_free", 16,
             {{"TILE_M", 8}, {"TILE_N", 4}, {"TILE_K", 4}, {"BLOCK_X", 2}, {"BLOCK_Y", 2}});
  EXPECT_EQ(companionTunables(spec("matmul_naive"), several),
            (compile::Bindings{{"BLOCK_X", 4}, {"BLOCK_Y", 8}}));
  EXPECT_EQ(companionTunables(spec("matmul_tiled_free"), several), several.tunables);
  // A reduction uses the other kernel's block size, as far as its own values allow.
  const compile::Plan sums = planOf("reduce_neighbored", 1024, {{"BLOCK", 128}});
  EXPECT_EQ(companionTunables(spec("reduce_unroll8"), sums).at("BLOCK"), 128);
  const auto scan = compile::plan(spec("scan_block"), {{"n", 64}}, {{"SECTION", 16}}, Limits{});
  ASSERT_TRUE(scan);
  EXPECT_EQ(companionTunables(spec("scan_block_efficient"), *scan).at("SECTION"), 16);
}

TEST(Planning, KernelsWithTheSameInputsCanBeCompared) {
  EXPECT_TRUE(canBeCompared(spec("matmul_tiled"), spec("matmul_tiled_free")));
  EXPECT_TRUE(canBeCompared(spec("transpose"), spec("transpose")));
  EXPECT_TRUE(canBeCompared(spec("reduce_neighbored"), spec("reduce_unroll8")));
  EXPECT_TRUE(canBeCompared(spec("scan_block"), spec("scan_block_efficient")));
  EXPECT_TRUE(canBeCompared(spec("histogram_global"), spec("histogram_shared")));
  EXPECT_TRUE(canBeCompared(spec("convolution_naive"), spec("convolution_tiled")));
  EXPECT_TRUE(canBeCompared(spec("matmul_naive"), spec("rung14_tf32")));
  EXPECT_FALSE(canBeCompared(spec("matmul_tiled"), spec("transpose")));
  EXPECT_FALSE(canBeCompared(spec("transpose"), spec("convolution_naive")));
  EXPECT_FALSE(canBeCompared(spec("reduce_neighbored"), spec("scan_block")));
  EXPECT_FALSE(canBeCompared(spec("matrix_sum"), spec("transpose")));
  EXPECT_FALSE(canBeCompared(spec("reduce_neighbored"), spec("branch_predicate")));
}

TEST(Planning, ADifferentlyShapedBlockIsFoundByItsFirstElement) {
  const compile::Plan four = planOf("matmul_tiled", 16, {{"TILE_WIDTH", 4}});
  const compile::Plan eight = planOf("matmul_tiled", 16, {{"TILE_WIDTH", 8}});
  EXPECT_FALSE(sameBlocks(four, eight));
  EXPECT_EQ(comparisonBlockFor(four, {3, 1, 0}, eight), (Dim3{1, 0, 0}));
  EXPECT_EQ(comparisonBlockFor(eight, {1, 1, 0}, four), (Dim3{2, 2, 0}));
}

TEST(Planning, TilesWithPaddingHaveASwitch) {
  const auto swapped = padSwitchOf(spec("matmul_tiled_swapped"), {{"TILE_WIDTH", 8}, {"PAD", 0}});
  ASSERT_TRUE(swapped);
  EXPECT_EQ(swapped->tunable, "PAD");
  EXPECT_EQ(swapped->with, 1);
  const auto tiles = padSwitchOf(spec("transpose"), {{"TILE_WIDTH", 8}, {"VARIANT", 1}});
  ASSERT_TRUE(tiles);
  EXPECT_EQ(tiles->without, 1);
  EXPECT_EQ(tiles->with, 2);
  EXPECT_FALSE(padSwitchOf(spec("transpose"), {{"TILE_WIDTH", 8}, {"VARIANT", 0}}));
  EXPECT_FALSE(padSwitchOf(spec("matmul_tiled"), {{"TILE_WIDTH", 8}}));
}

TEST(Planning, EqualKernelsAreDistinguishedByTunables) {
  EXPECT_EQ(differenceOf(spec("matmul_tiled"), {{"TILE_WIDTH", 2}}, {{"TILE_WIDTH", 4}}),
            "TILE_WIDTH 2");
  EXPECT_EQ(differenceOf(spec("transpose"), {{"TILE_WIDTH", 8}, {"VARIANT", 2}},
                         {{"TILE_WIDTH", 8}, {"VARIANT", 1}}),
            "padded");
  EXPECT_EQ(differenceOf(spec("matmul_tiled"), {{"TILE_WIDTH", 4}}, {{"TILE_WIDTH", 4}}), "");
}

TEST(Planning, NearestLegalSearchesBothWays) {
  const compile::KernelSpec tiled = spec("matmul_tiled");
  const compile::Bindings sizes{{"m", 8}, {"n", 8}, {"k", 8}};
  const auto nearest = [&](int64_t width, const std::vector<std::string>& names) {
    return nearestLegal(tiled, sizes, {{"TILE_WIDTH", width}}, names, Limits{});
  };
  EXPECT_EQ(nearest(40, {"NOTHING", "TILE_WIDTH"}), (LegalValue{"TILE_WIDTH", 32}));
  EXPECT_EQ(nearest(0, {"TILE_WIDTH"}), (LegalValue{"TILE_WIDTH", 1}));
  EXPECT_EQ(nearest(4, {"NOTHING"}), std::nullopt);
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

TEST(Words, OrdinalsAreEnglish) {
  EXPECT_EQ(ordinal(3), "third");
  EXPECT_EQ(ordinal(12), "twelfth");
  EXPECT_EQ(ordinal(21), "21st");
  EXPECT_EQ(ordinal(113), "113th");
}

TEST(Planning, BlockOutputsComeFromTheLaunch) {
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

}  // namespace tilestep::model::planning_test
