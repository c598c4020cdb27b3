// SPDX-License-Identifier: Apache-2.0
// Exact counts of the textbook kernels, compared with Nsight Compute's on one NVIDIA H200, N = 1024
// (CUDA 13.0, 2026-11-20).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/skips.h"
#include "system/run_support.h"

namespace tilestep::system_test::counters_test {

struct Row {
  std::string name, kernel;
  support::Words tunables;
  uint64_t loadRequests, loadSectors, storeRequests, storeSectors, sharedStores;
};

const Row kRows[] = {
    {"naive16x16",
     "matmul_naive",
     {"BLOCK_X=16", "BLOCK_Y=16"},
     67108864,
     134217728,
     32768,
     131072,
     0},
    {"naive32x8",
     "matmul_naive",
     {"BLOCK_X=32", "BLOCK_Y=8"},
     67108864,
     167772160,
     32768,
     131072,
     0},
    {"tiled4", "matmul_tiled", {"TILE_WIDTH=4"}, 33554432, 134217728, 65536, 262144, 33554432},
    {"tiled8", "matmul_tiled", {"TILE_WIDTH=8"}, 8388608, 33554432, 32768, 131072, 8388608},
    {"tiled16", "matmul_tiled", {"TILE_WIDTH=16"}, 4194304, 16777216, 32768, 131072, 4194304},
    {"tiled32", "matmul_tiled", {"TILE_WIDTH=32"}, 2097152, 8388608, 32768, 131072, 2097152},
};

class Counters : public testing::TestWithParam<Row> {};

TEST_P(Counters, EqualTheHardwaresAt1024) {
  const Row& row = GetParam();
  support::Words words{row.kernel, "--size", "1024", "--counters"};
  for (const std::string& tunable : row.tunables) words.insert(words.end(), {"--set", tunable});
  const nlohmann::json total = runJson(words)["counters"]["total"];
  EXPECT_EQ(total["global_load_requests"], row.loadRequests);
  EXPECT_EQ(total["global_load_sectors"], row.loadSectors);
  EXPECT_EQ(total["global_store_requests"], row.storeRequests);
  EXPECT_EQ(total["global_store_sectors"], row.storeSectors);
  EXPECT_EQ(total["shared_store_requests"], row.sharedStores);
  EXPECT_EQ(total["ffma"], uint64_t{1} << 30);
  EXPECT_EQ(total["global_load_threads"], row.loadRequests * (row.name == "tiled4" ? 16 : 32));
}

INSTANTIATE_TEST_SUITE_P(Reference, Counters, testing::ValuesIn(kRows),
                         [](const auto& of) { return of.param.name; });

/// A launch whose warps diverge before the accesses, with Nsight Compute's counts of the whole grid
/// on one NVIDIA H200 (NVRTC 13.0, 2026-11-22).
struct Parted {
  std::string name, kernel;
  int m, n, k;
  uint64_t loadRequests, loadSectors, storeRequests, storeSectors;
};

const Parted kParted[] = {
    {"rung07_wide", "rung07_vectors", 118, 254, 115, 1856, 26193, 682, 18821},
    {"rung07_deep", "rung07_vectors", 54, 229, 213, 2514, 34425, 392, 9972},
    {"rung08", "rung08_no_conflicts", 159, 31, 274, 3912, 28654, 320, 2364},
    {"rung09", "rung09_double_buffer", 777, 777, 777, 291690, 4353083, 16660, 261610},
};

class PartedLanes : public testing::TestWithParam<Parted> {};

TEST_P(PartedLanes, RequestsEqualTheHardwares) {
  const Parted& row = GetParam();
  const nlohmann::json result =
      runJson({row.kernel, "--m", std::to_string(row.m), "--n", std::to_string(row.n), "--k",
               std::to_string(row.k), "--counters"});
  const std::string compiler =
      std::string(result["compiler"]["name"]) + " " + std::string(result["compiler"]["version"]);
  if (!compiler.starts_with("nvrtc 13."))
    GTEST_SKIP() << support::because(support::kNoNvrtc13, compiler);
  const nlohmann::json total = result["counters"]["total"];
  EXPECT_EQ(total["global_load_requests"], row.loadRequests);
  EXPECT_EQ(total["global_load_sectors"], row.loadSectors);
  EXPECT_EQ(total["global_store_requests"], row.storeRequests);
  EXPECT_EQ(total["global_store_sectors"], row.storeSectors);
}

INSTANTIATE_TEST_SUITE_P(Reference, PartedLanes, testing::ValuesIn(kParted),
                         [](const auto& of) { return of.param.name; });

TEST(SharedCounters, SwappedSlotsConflictUnlessPadded) {
  const auto conflicts = [](const std::string& pad) {
    const nlohmann::json total = runJson({"matmul_tiled_swapped", "--size", "64", "--set",
                                          "TILE_WIDTH=32", "--set", "PAD=" + pad, "--counters"});
    return total["counters"]["total"]["shared_store_bank_conflicts"].get<uint64_t>();
  };
  // 2 tiles x 2 phases x 4 blocks x 32 warps, each with 32 wavefronts instead of 1.
  EXPECT_EQ(conflicts("0"), 2U * 2 * 4 * 32 * 31);
  EXPECT_EQ(conflicts("1"), 0U);
}

}  // namespace tilestep::system_test::counters_test
