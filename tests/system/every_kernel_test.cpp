// SPDX-License-Identifier: Apache-2.0
// Every kernel over odd sizes and tunables, each point checked against float64.
#include <gtest/gtest.h>

#include "support/results.h"
#include "support/tool.h"

namespace tilestep::system_test::every_kernel_test {

using support::Words;

struct Sweep {
  std::string name;
  Words words;
  size_t points;
};

const Sweep kSweeps[] = {
    {"in_memory", {"matmul_in_memory", "--set", "BLOCK_X=1,5,16", "--set", "BLOCK_Y=3,8"}, 6},
    {"naive", {"matmul_naive", "--set", "BLOCK_X=1,5,16,32", "--set", "BLOCK_Y=1,3,8"}, 12},
    {"tiled", {"matmul_tiled", "--set", "TILE_WIDTH=1,2,3,4,5,8,13,16,31,32"}, 10},
    {"dynamic", {"matmul_tiled_dynamic", "--set", "TILE_WIDTH=1,2,7,16,24,32"}, 6},
    {"swapped", {"matmul_tiled_swapped", "--set", "TILE_WIDTH=1,4,15,32", "--set", "PAD=0,1"}, 8},
    {"free",
     {"matmul_tiled_free", "--set", "TILE_M=1,8,33", "--set", "TILE_N=16,30", "--set", "TILE_K=1,7",
      "--set", "BLOCK_X=8,17", "--set", "BLOCK_Y=4"},
     24},
    {"coarsened", {"matmul_coarsened", "--set", "TILE_WIDTH=1,5,16", "--set", "COARSE=1,2,3"}, 9},
    {"convolution",
     {"convolution_naive", "--set", "RADIUS=1,2,5", "--set", "BLOCK_X=1,16", "--set", "BLOCK_Y=7"},
     6},
    {"halo", {"convolution_tiled", "--set", "RADIUS=1,3,5", "--set", "TILE_WIDTH=1,2,9,32"}, 12},
    {"sum", {"matrix_sum", "--set", "BLOCK_X=1,16,32", "--set", "BLOCK_Y=1,7,16"}, 9},
    {"transpose", {"transpose", "--set", "VARIANT=0,1,2", "--set", "TILE_WIDTH=1,9,32"}, 9},
};

class EveryKernel : public testing::TestWithParam<Sweep> {
 protected:
  static void expectAllRight(const Words& sizes, size_t shapes) {
    Words words{"sweep"};
    words.insert(words.end(), GetParam().words.begin(), GetParam().words.end());
    words.insert(words.end(), sizes.begin(), sizes.end());
    words.insert(words.end(), {"--check", "--device", "simt"});
    const support::Finished finished = support::expectStatus(0, words);
    size_t right = 0;
    for (size_t at = finished.out.find("  ok"); at != std::string::npos;
         at = finished.out.find("  ok", at + 1)) {
      ++right;
    }
    EXPECT_EQ(right, GetParam().points * shapes) << finished.out;
    EXPECT_FALSE(has(finished.out, "skipped"));
  }
  static bool isProduct() { return GetParam().words[0].starts_with("matmul"); }
};

TEST_P(EveryKernel, IsRightAtSquareOddAndThinSizes) {
  const auto with = [](Words sizes, const char* k) {
    if (isProduct()) sizes.insert(sizes.end(), {"--k", k});
    return sizes;
  };
  expectAllRight({"--size", "1,7,33"}, 3);
  expectAllRight(with({"--m", "100", "--n", "37"}, "61"), 1);
  expectAllRight(with({"--m", "1,129", "--n", "1,129"}, "1,40"), isProduct() ? 8 : 4);
}

class EveryVectorKernel : public testing::TestWithParam<const char*> {};

TEST_P(EveryVectorKernel, IsRightAtAnyLength) {
  const std::string name = GetParam();
  const std::string width = name.starts_with("scan") ? "SECTION" : "BLOCK";
  for (const char* sizes : {"1,2,31,33,63,65", "1000,4096,10007"}) {
    const support::Finished finished =
        support::expectStatus(0, {"sweep", name, "--set", width + "=64,256,1024", "--size",
                                  std::string("n=") + sizes, "--check", "--device", "simt"});
    EXPECT_FALSE(has(finished.out, "WRONG"));
    EXPECT_TRUE(has(finished.out, "  ok"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, EveryVectorKernel,
    testing::Values("reduce_neighbored", "reduce_neighbored_less", "reduce_interleaved",
                    "reduce_unroll2", "reduce_unroll8", "reduce_unroll_warp",
                    "reduce_unroll_complete", "reduce_templated", "reduce_global_neighbored",
                    "reduce_global_neighbored_less", "reduce_global_interleaved",
                    "branch_thread_parity", "branch_warp_parity", "branch_predicate", "scan_block",
                    "scan_block_efficient", "histogram_global", "histogram_shared"),
    [](const auto& of) { return std::string(of.param); });

INSTANTIATE_TEST_SUITE_P(Sweeps, EveryKernel, testing::ValuesIn(kSweeps),
                         [](const auto& of) { return of.param.name; });

}  // namespace tilestep::system_test::every_kernel_test
