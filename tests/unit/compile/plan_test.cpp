// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/nearest_name.h"
#include "compile/front_matter/front_matter.h"
#include "compile/front_matter/nearest_legal.h"
#include "compile/front_matter/plan_attempt.h"
#include "compile/kernel.h"
#include "support/results.h"
#include "unit/compile/sample_kernel.h"

namespace tilestep::compile::plan_test {

KernelSpec shipped(const std::string& name) {
  const auto source = findKernel(kernelFolder(), name);
  EXPECT_TRUE(source.ok());
  if (!source) return {};
  return valueOrThrow(parseKernel(*source));
}

Limits roomy() {
  Limits limits;
  limits.memoryBytes = uint64_t{1} << 36;
  return limits;
}

Plan planned(const std::string& kernel, const Bindings& sizes, const Bindings& tunables,
             const Limits& limits = roomy()) {
  return valueOrThrow(plan(shipped(kernel), sizes, tunables, limits));
}

std::string refused(const std::string& kernel, const Bindings& sizes, const Bindings& tunables,
                    const Limits& limits = roomy()) {
  const auto result = plan(shipped(kernel), sizes, tunables, limits);
  EXPECT_FALSE(result.ok());
  if (result) return {};
  EXPECT_EQ(result.error().kind, ErrorKind::request);
  return result.error().message;
}

TEST(Plan, TheTiledProductIsPlanned) {
  const Plan plan =
      planned("matmul_tiled", {{"m", 100}, {"n", 37}, {"k", 61}}, {{"TILE_WIDTH", 8}});
  ASSERT_EQ(plan.launches.size(), 1u);
  EXPECT_EQ(plan.launches[0].entry, "matmul_tiled");
  EXPECT_EQ(plan.launches[0].block, (Dim3{8, 8, 1}));
  EXPECT_EQ(plan.launches[0].grid, (Dim3{5, 13, 1}));
  EXPECT_EQ(plan.launches[0].dynamicSharedBytes, 0u);
  EXPECT_EQ(plan.phases, 8);
  EXPECT_EQ(plan.phaseLength, 8);
  EXPECT_EQ(plan.operations, 2.0 * 100 * 37 * 61);
  ASSERT_EQ(plan.operands.size(), 6u);
  EXPECT_EQ(plan.operands[0].rows, 100u);
  EXPECT_EQ(plan.operands[0].columns, 61u);
  EXPECT_EQ(plan.operands[1].elements, 61u * 37);
  EXPECT_EQ(plan.operands[5].scalar, 61);
  ASSERT_EQ(plan.shared.size(), 2u);
  EXPECT_EQ(plan.shared[0].name, "Mds");
  EXPECT_EQ(plan.shared[1].holds, "N");
  EXPECT_EQ(plan.shared[1].offset, -1);
  EXPECT_EQ(plan.tunables, (Bindings{{"TILE_WIDTH", 8}}));
  EXPECT_EQ(plan.bindings.size(), 4u);
}

TEST(Plan, DefaultsFillMissingValues) {
  const Plan plan = planned("matmul_naive", {}, {});
  EXPECT_EQ(plan.sizes.at("k"), 1024);
  EXPECT_EQ(plan.launches[0].block, (Dim3{16, 16, 1}));
  EXPECT_EQ(plan.phases, 0);
}

TEST(Plan, DynamicSharedMemoryIsSizedAtLaunch) {
  const Plan plan = planned("matmul_tiled_dynamic", {}, {{"TILE_WIDTH", 24}});
  EXPECT_EQ(plan.launches[0].dynamicSharedBytes, 2u * 24 * 24 * 4);
  EXPECT_EQ(plan.shared[0].offset, 0);
  EXPECT_EQ(plan.shared[1].offset, 24 * 24 * 4);
  EXPECT_EQ(plan.operands[6].scalar, 24);
  Limits small = roomy();
  small.sharedBytesPerBlock = small.sharedBytesPerBlockOptIn = 4096;
  EXPECT_EQ(planned("matmul_tiled_dynamic", {}, {{"TILE_WIDTH", 22}}, small).tunables.size(), 1u);
  const std::string why = refused("matmul_tiled_dynamic", {}, {{"TILE_WIDTH", 32}}, small);
  EXPECT_TRUE(has(why, "4096 bytes is 22"));
  EXPECT_TRUE(has(why, "Nearest: TILE_WIDTH = 22."));
}

TEST(Plan, AGridMayDependOnTheNumberOfMultiprocessors) {
  const KernelSource source{"kernels/stay.cu",
                            "/*---\nsizes = { n = 1000 }\n[launch]\nblock = [64]\n"
                            "grid = [\"min(MULTIPROCESSORS, ceildiv(n, 64))\"]\n"
                            "[[operand]]\nname = \"n\"\nkind = \"scalar\"\n---*/\n",
                            {}};
  const auto spec = valueOrThrow(parseKernel(source));
  const auto gridOn = [&](const Limits& limits, int64_t n) {
    const auto planned = plan(spec, {{"n", n}}, {}, limits);
    return planned ? planned->launches[0].grid.x : 0;
  };
  Limits small;
  small.multiprocessors = 20;
  EXPECT_EQ(gridOn(small, 100000), 20u);
  EXPECT_EQ(gridOn(Limits{}, 100000), 132u) << "the default limits are an H200's";
  EXPECT_EQ(gridOn(small, 100), 2u);
}

TEST(Plan, ScalarsOfAFloatingTypeMayHaveFractions) {
  const auto planOf = [](const std::string& type, const std::string& value) {
    const KernelSource source{
        "f.cu",
        "/*---\nsizes = { n = 4 }\n[launch]\nblock = [1]\ngrid = [1]\n[[operand]]\nname = \"a\"\n"
        "kind = \"scalar\"\ntype = \"" +
            type + "\"\nvalue = " + value + "\n---*/",
        ""};
    const auto spec = parseKernel(source);
    EXPECT_TRUE(spec) << (spec ? "" : toString(spec.error()));
    return spec ? plan(*spec, {}, {}, roomy()) : Result<Plan>(spec.error());
  };
  EXPECT_EQ(planOf("f32", "2.5")->operands[0].scalar, 2.5);
  EXPECT_EQ(planOf("f64", "-1e-5")->operands[0].scalar, -1e-5);
  EXPECT_EQ(planOf("f16", "\"n / 8\"")->operands[0].scalar, 0.5);
  EXPECT_EQ(planOf("i32", "3")->operands[0].scalar, 3);
  EXPECT_TRUE(fails(planOf("i32", "2.5"), "is 2.5, not a whole number"));
}

TEST(Plan, ErrorsNameTheRangeAndTheNearestLegalValue) {
  EXPECT_EQ(refused("matmul_tiled", {}, {{"TILE_WIDTH", 33}}),
            "TILE_WIDTH is 33; matmul_tiled accepts 1 to 32. Nearest: 32.");
  EXPECT_EQ(refused("matmul_tiled", {}, {{"TILE_WIDTH", 0}}),
            "TILE_WIDTH is 0; matmul_tiled accepts 1 to 32. Nearest: 1.");
  EXPECT_EQ(refused("matmul_tiled", {}, {{"TILE_WIDTH", INT64_MIN}}),
            "TILE_WIDTH is -9223372036854775808; matmul_tiled accepts 1 to 32. Nearest: 1.");
  EXPECT_EQ(refused("transpose", {}, {{"VARIANT", 7}}),
            "VARIANT is 7; transpose accepts 0, 1 and 2. Nearest: 2.");
  Limits old = roomy();
  old.threadsPerBlock = 512;
  EXPECT_EQ(refused("matmul_tiled", {}, {{"TILE_WIDTH", 40}}, old),
            "TILE_WIDTH is 40; matmul_tiled accepts 1 to 32. Nearest: 22.");
  EXPECT_EQ(refused("matmul_tiled", {}, {{"TILEWIDTH", 8}}),
            "matmul_tiled has no tunable TILEWIDTH; it has TILE_WIDTH. Nearest: TILE_WIDTH.");
  EXPECT_EQ(refused("matmul_tiled", {{"K", 8}}, {}),
            "matmul_tiled has no size K; it has k, m and n. Nearest: k.");
  EXPECT_EQ(refused("matmul_tiled", {}, {{"m", 8}}), "matmul_tiled has no tunable m; m is a size");
  EXPECT_EQ(refused("matmul_tiled", {{"m", 0}}, {}),
            "the size m is 0; sizes must be 1 to 2147483647. Nearest: 1.");
  EXPECT_EQ(refused("matmul_tiled", {{"n", -5}}, {}),
            "the size n is -5; sizes must be 1 to 2147483647. Nearest: 1.");
  const std::string large = refused("matrix_sum", {{"m", int64_t{1} << 60}, {"n", 1}}, {});
  EXPECT_TRUE(has(large, "Nearest: 1048560."));  // 65535 blocks of 16
  const std::string why = refused("matmul_naive", {{"m", 50000}, {"n", 50000}, {"k", 50000}}, {});
  EXPECT_EQ(why,
            "the largest matrix has 2500000000 elements; int indices allow fewer than 2147482624. "
            "Nearest: m = n = k = 46340.");
}

TEST(Plan, MemoryAndThreadsAreLimits) {
  Limits limits = roomy();
  limits.device = "this GPU";
  limits.memoryBytes = 3 * 4 * 100 * 100;
  EXPECT_EQ(refused("matmul_tiled", {{"m", 101}, {"n", 101}, {"k", 101}}, {}, limits),
            "M, N and P need 122,412 bytes; this GPU has 120,000 bytes. "
            "Nearest: m = n = k = 100.");
  EXPECT_EQ(refused("matmul_naive", {}, {{"BLOCK_X", 64}, {"BLOCK_Y", 32}}),
            "a block of 64 x 32 has 2,048 threads; this device runs at most 1,024 per block. "
            "Nearest: BLOCK_X = 32 or BLOCK_Y = 16.");
}

TEST(Plan, GridAndBlockLengthsAreLimits) {
  Limits limits = roomy();
  limits.maxGrid = {100, 50, 1};
  const std::string grid =
      refused("matrix_sum", {{"m", 1000}, {"n", 16}}, {{"BLOCK_Y", 4}}, limits);
  EXPECT_TRUE(has(grid, "the grid's y is 250; this device allows 1 to 50"));
  EXPECT_TRUE(has(grid, "BLOCK_Y = 20"));
  EXPECT_TRUE(has(grid, "m = 200"));
  limits = roomy();
  limits.maxBlock = {64, 64, 64};
  EXPECT_TRUE(has(refused("matrix_sum", {}, {{"BLOCK_X", 128}, {"BLOCK_Y", 1}}, limits),
                  "the block's x is 128; this device allows 1 to 64. Nearest: BLOCK_X = 64"));
}

TEST(Plan, NearestLegalValuesObeyRulesAndSharedMemory) {
  const std::string shared = refused("matmul_tiled_free", {}, {{"TILE_M", 128}, {"TILE_K", 100}});
  EXPECT_EQ(shared,
            "the tiles take 64000 bytes of shared memory; at most 49152 are allowed. "
            "Nearest: TILE_M = 90 or TILE_K = 76.");
  const std::string share = refused("matmul_tiled_free", {}, {{"BLOCK_X", 3}, {"BLOCK_Y", 5}});
  EXPECT_TRUE(has(share, "69 elements of P; at most 64"));
  EXPECT_TRUE(has(share, "BLOCK_X = 4 or BLOCK_Y = 6"));
  EXPECT_TRUE(has(refused("matmul_tiled_free", {}, {{"BLOCK_X", 1024}}), "16384 threads"));
  planned("matmul_tiled_free", {},
          {{"TILE_M", 7}, {"TILE_N", 3}, {"TILE_K", 5}, {"BLOCK_X", 11}, {"BLOCK_Y", 1}});
  const Bindings far{{"TILE_M", 1024}, {"TILE_K", 1000}, {"BLOCK_X", 1000}};
  EXPECT_EQ(refused("matmul_tiled_free", {}, far),
            "a block of 1000 x 16 has 16000 threads; at most 1024 are allowed. "
            "Nearest: TILE_M = 78, TILE_K = 62 and BLOCK_X = 62.");
  planned("matmul_tiled_free", {}, {{"TILE_M", 78}, {"TILE_K", 62}, {"BLOCK_X", 62}});
  Limits limits = roomy();
  limits.sharedBytesPerBlock = 2000;
  const std::string why = refused("matmul_tiled", {}, {{"TILE_WIDTH", 16}}, limits);
  EXPECT_EQ(
      why,
      "matmul_tiled's shared arrays need 2,048 bytes per block; this device allows at most 2,000 "
      "bytes. Nearest: TILE_WIDTH = 15.");
}

TEST(Plan, DynamicSharedBytesAreALimit) {
  const std::string text =
      replaced(sampleText(), "[[operand]]", "dynamic_shared_bytes = \"WIDTH * 4096\"\n[[operand]]");
  const auto spec = parseKernel(sampleSource(text));
  ASSERT_TRUE(spec.ok());
  const auto result = plan(*spec, {}, {}, Limits{});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(
      result.error().message,
      "scale needs 65,536 bytes of shared memory per block; this device allows at most 49,152 "
      "bytes. Nearest: WIDTH = 12.");
}

TEST(Plan, MessagesOfRulesContainValuesAndAreOneLine) {
  const auto spec = parseKernel(sampleSource());
  ASSERT_TRUE(spec.ok());
  const auto result = plan(*spec, {{"n", 100}}, {{"WIDTH", 8}}, Limits{});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "WIDTH 8 is too wide for n 100. Nearest: WIDTH = 5 or n = 64.");
  KernelSpec two = *parseKernel(sampleSource());
  two.rules = {{"0", "no\n  check          right   scaled error 0"}};
  const auto escaped = plan(two, {}, {}, Limits{});
  ASSERT_FALSE(escaped.ok());
  EXPECT_EQ(escaped.error().message, "no\\n  check          right   scaled error 0.");
}

TEST(Plan, FailingExpressionsAreReported) {
  const auto spec =
      parseKernel(sampleSource(replaced(sampleText(), "rows = \"m\"", "rows = \"m / 3\"")));
  ASSERT_TRUE(spec.ok());
  EXPECT_TRUE(fails(plan(*spec, {}, {}, Limits{}), "P's rows: the expression 'm / 3' is 1.33"));
}

/// A spec with large tunable ranges and no legal choice.
KernelSpec hopeless(size_t tunables) {
  const auto sample = parseKernel(sampleSource());
  KernelSpec spec = *sample;
  spec.rules = {{"0", "never"}};
  for (size_t i = 0; i < tunables; ++i) {
    TunableSpec tunable;
    tunable.name = "T" + std::to_string(i);
    tunable.minimum = -2147483648;
    tunable.maximum = 2147483648;
    spec.tunables.push_back(tunable);
  }
  return spec;
}

TEST(Plan, TheSearchForLegalValuesHasAWorkLimit) {
  for (const size_t tunables : {3, 60, 2000}) {
    const KernelSpec spec = hopeless(tunables);
    const Limits limits;
    Planner planner(spec, limits);
    Bindings asked = spec.sizes;
    for (const TunableSpec& tunable : spec.tunables) asked[tunable.name] = tunable.defaultValue;
    EXPECT_EQ(nearestLegal(planner, spec, asked, Obstacle{"never"}), "");
    constexpr size_t kToDefaults = 64;
    EXPECT_LE(planner.work(), kMostWork + kToDefaults * (1 + tunables / 32)) << tunables;
  }
}

TEST(Names, NearestNamesAndListsAreFormed) {
  EXPECT_EQ(editDistance("TILE_WIDTH", "TILEWIDTH"), 1u);
  EXPECT_EQ(editDistance("abc", ""), 3u);
  EXPECT_EQ(nearestName("matmul_tilde", {"matmul_naive", "matmul_tiled"}), "matmul_tiled");
  EXPECT_EQ(nearestName("x", {}), "");
  EXPECT_EQ(nearestName("rung06", {"rung13_top", "rung06_patch_a_thread"}),
            "rung06_patch_a_thread");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
  EXPECT_TRUE(isIdentifier("_a1"));
  EXPECT_FALSE(isIdentifier("1a"));
  EXPECT_FALSE(isIdentifier("a b"));
  EXPECT_EQ(stemOf("a/b.x/c.cu"), "c");
  EXPECT_EQ(tomlBeside("kernels/c.cu"), "kernels/c.toml");
}

}  // namespace tilestep::compile::plan_test
