// SPDX-License-Identifier: Apache-2.0
// Figures come from running the kernel, not from formulas: a changed copy of a kernel gives other
// figures.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/tool.h"
#include "system/run_support.h"

namespace tilestep::system_test::changed_kernels_test {

using nlohmann::json;
using support::HomeCopy;
using support::replaced;

const support::Words kRun{"--size", "64", "--set", "TILE_WIDTH=16", "--counters", "--check"};

json runKernel(const HomeCopy& home, const std::string& name, int status = 0) {
  support::Words words{name};
  words.insert(words.end(), kRun.begin(), kRun.end());
  return runJson(words, {home.variable()}, status);
}

std::string tiledAs(const HomeCopy& home, const std::string& name) {
  return replaced(home.read("kernels/matmul_tiled.cu"), "matmul_tiled", name);
}

TEST(ChangedKernels, SwappedSlotsChangeTheBankConflictsAndNotTheResult) {
  const HomeCopy home;
  std::string text = tiledAs(home, "turned");
  text = replaced(replaced(text, "Mds[ty][tx]", "Mds[tx][ty]"), "Mds[ty][i]", "Mds[i][ty]");
  home.write("kernels/turned.cu",
             replaced(replaced(text, "Nds[ty][tx]", "Nds[tx][ty]"), "Nds[i][tx]", "Nds[tx][i]"));
  const json plain = runKernel(home, "matmul_tiled"), turned = runKernel(home, "turned");
  EXPECT_EQ(turned["output_hash"], plain["output_hash"]);
  const json &before = plain["counters"]["total"], &after = turned["counters"]["total"];
  EXPECT_EQ(before["shared_store_bank_conflicts"], 0);
  EXPECT_GT(after["shared_store_bank_conflicts"], 0);
  EXPECT_GT(after["shared_load_wavefronts"], before["shared_load_wavefronts"]);
  EXPECT_EQ(after["global_load_requests"], before["global_load_requests"]);
}

TEST(ChangedKernels, SwappedGlobalIndicesChangeTheSectors) {
  const HomeCopy home;
  home.write("kernels/column.cu",
             replaced(tiledAs(home, "column"), "M[row * k + ph * TILE_WIDTH + tx]",
                      "M[(ph * TILE_WIDTH + tx) * k + row]"));
  const json plain = runKernel(home, "matmul_tiled"), column = runKernel(home, "column", 1);
  EXPECT_EQ(column["check"]["ok"], false) << "the transpose of M is another matrix";
  EXPECT_GT(column["counters"]["total"]["global_load_sectors"],
            plain["counters"]["total"]["global_load_sectors"]);
}

TEST(ChangedKernels, AMissingLoadIsCountedAndFailsTheCheck) {
  const HomeCopy home;
  home.write("kernels/fewer.cu",
             replaced(tiledAs(home, "fewer"), "N[(ph * TILE_WIDTH + ty) * n + col]", "1.0f"));
  const json plain = runKernel(home, "matmul_tiled"), fewer = runKernel(home, "fewer", 1);
  EXPECT_EQ(fewer["check"]["ok"], false);
  EXPECT_EQ(fewer["counters"]["total"]["global_load_requests"].get<uint64_t>() * 2,
            plain["counters"]["total"]["global_load_requests"].get<uint64_t>());
}

TEST(ChangedKernels, AMissingStoreLeavesAnElementUnwritten) {
  const HomeCopy home;
  home.write("kernels/short_of.cu",
             replaced(tiledAs(home, "short_of"), "if (row < m && col < n) {\n    P[",
                      "if (row < m && col < n - 1) {\n    P["));
  const json run =
      runJson({(home.folder() / "kernels/short_of.cu").string(), "--size", "33", "--check"}, {}, 1);
  EXPECT_EQ(run["check"]["unwritten"], 33);
  EXPECT_EQ(run["check"]["ok"], false);
}

/// n threads work in blocks of 256. Threads past the end return before the barrier.
std::string earlyReturn(const std::string& neighbour) {
  return "/*---\ntitle = \"Early return\"\nsizes = { n = 1000 }\n[launch]\nblock = [256]\n"
         "grid = [\"ceildiv(n, 256)\"]\n[[operand]]\nname = \"in\"\ntype = \"i32\"\nextent = "
         "\"n\"\n[[operand]]\nname = \"out\"\ntype = \"i32\"\nextent = \"n\"\ndirection = \"out\"\n"
         "[[operand]]\nname = \"n\"\nkind = \"scalar\"\n---*/\n"
         "__global__ void early_return(const int* in, int* out, int n) {\n"
         "  __shared__ int line[256];\n  int i = blockIdx.x * 256 + threadIdx.x;\n"
         "  if (i >= n) return;\n  line[threadIdx.x] = in[i];\n  __syncthreads();\n"
         "  out[i] = line[" +
         neighbour + "];\n}\n";
}

TEST(ChangedKernels, ThreadsThatReturnBeforeABarrierAreNotWaitedFor) {
  const HomeCopy home;
  home.write("kernels/early_return.cu", earlyReturn("threadIdx.x ^ 1"));
  // The kernel has no reference, so nothing is compared.
  const json run = runJson({"early_return", "--check", "--counters"}, {home.variable()}, 1);
  EXPECT_TRUE(run["faults"].empty()) << run["faults"].dump();
  EXPECT_EQ(run["check"]["unwritten"], 0);
  // 1000 threads are 31 warps and a quarter of one; the last block has 8 warps, all of them in use.
  EXPECT_EQ(run["counters"]["total"]["barriers"], 32);
}

TEST(ChangedKernels, MissingStoresLeaveMemoryUninitialised) {
  const HomeCopy home;
  home.write("kernels/early_return.cu", earlyReturn("255 - threadIdx.x"));
  const json run = runJson({"early_return", "--check"}, {home.variable()}, 1);
  ASSERT_EQ(run["faults"].size(), 1U) << run["faults"].dump();
  EXPECT_EQ(run["faults"][0]["kind"], "uninitialised-read");
  EXPECT_EQ(run["faults"][0]["count"], 24);
}

}  // namespace tilestep::system_test::changed_kernels_test
