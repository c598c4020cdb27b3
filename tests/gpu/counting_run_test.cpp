// SPDX-License-Identifier: Apache-2.0
// Counting by classes of warps, run in the interpreter instead of a GPU. The counts of the
// rewritten programs equal the interpreter's counts of the original kernel.
#include <gtest/gtest.h>

#include "gpu/gpu_job.h"
#include "gpu/interpreted_machine.h"
#include "support/results.h"

namespace tilestep::test::counting_run_test {

using compile::Bindings;

struct Case {
  const char* name;
  const char* kernel;
  Bindings sizes, tunables;
  uint64_t mostClasses;  ///< Detects a change that splits warps into too many classes.
};

class CountingRun : public ::testing::TestWithParam<Case> {};

TEST_P(CountingRun, EqualsTheInterpretersCounts) {
  const Case& one = GetParam();
  const auto job = valueOrThrow(JobMaker().shipped(one.kernel, one.sizes, one.tunables, {}));
  expectInterpretersCounts(job, InterpretedOperands(job), one.mostClasses);
}

/// 100 threads of two blocks of 96 pass the barriers; the other threads return before them.
std::string returnsEarly(const std::string& leave, const std::string& end) {
  return ".version 7.5\n.target sm_75\n.address_size 64\n.shared .align 4 .b8 tile[384];\n"
         ".visible .entry early(.param .u64 M, .param .u64 N, .param .u64 P) {\n"
         ".reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .pred %p<4>;\n"
         "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 96, %r1;\n"
         "setp.ge.u32 %p1, %r3, 100;\n" +
         leave +
         "ld.param.u64 %rd1, [P]; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2;\n"
         "mov.u32 %r4, tile; mad.lo.u32 %r5, %r1, 4, %r4; cvt.rn.f32.u32 %f1, %r1;\n"
         "mov.u32 %r6, 0; mov.f32 %f3, 0f00000000;\n"
         "bar.red.popc.u32 %r7, 0, %p1;\n"
         "$loop: st.shared.f32 [%r5], %f1; bar.sync 0; ld.shared.f32 %f2, [tile];\n"
         "add.f32 %f3, %f3, %f2; bar.sync 0; add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 5;\n"
         "@%p2 bra $loop; ld.global.f32 %f4, [%rd3]; add.f32 %f3, %f3, %f4;\n"
         "st.global.f32 [%rd3], %f3;\n" +
         end + "}\n";
}

TEST(CountingRunOfPtx, CountsThreadsThatReturnBeforeABarrier) {
  JobMaker maker;
  for (const auto& [leave, end] :
       {std::pair("@%p1 bra $done;\n", "$done: ret;\n"),
        std::pair("@!%p1 bra $work; bra.uni $done;\n$work:\n",
                  "bra.uni $last;\n$done: bra.uni $last;\n$last: ret;\n"),
        std::pair("@%p1 bra $done;\n", "ret;\n$done: bra.uni $last;\n$last: ret;\n")}) {
    SCOPED_TRACE(leave);
    const auto job = valueOrThrow(
        maker.fromPtx(returnsEarly(leave, end), {"early", {2, 1, 1}, {96, 1, 1}}, 100));
    expectInterpretersCounts(job, InterpretedOperands(job), 4);
  }
}

const Bindings kPatches{{"TILE_M", 32}, {"TILE_N", 64}, {"TILE_K", 8}, {"ROWS", 4}, {"COLS", 4}};
const Bindings kTop{{"TILE_M", 64}, {"TILE_N", 64}, {"TILE_K", 8}, {"ROWS", 8}, {"COLS", 8}};
const Bindings kTensor{
    {"TILE_M", 32}, {"TILE_N", 32}, {"TILE_K", 16}, {"WARP_M", 16}, {"WARP_N", 32}};
const Bindings kMany{{"m", 256}, {"n", 256}, {"k", 16}};
const Bindings kWhole{{"m", 64}, {"n", 64}, {"k", 40}}, kOdd{{"m", 37}, {"n", 67}, {"k", 19}},
    kFours{{"m", 70}, {"n", 68}, {"k", 33}};

INSTANTIATE_TEST_SUITE_P(
    Kernels, CountingRun,
    ::testing::Values(Case{"Naive", "matmul_naive", kOdd, {}, 100},
                      Case{"Tiled", "matmul_tiled", kOdd, {{"TILE_WIDTH", 8}}, 100},
                      Case{"TiledByOddWidths", "matmul_tiled", kOdd, {{"TILE_WIDTH", 13}}, 108},
                      Case{"TiledWhole", "matmul_tiled", kWhole, {{"TILE_WIDTH", 16}}, 8},
                      Case{"FreeTiles", "matmul_tiled_free", kOdd, {}, 100},
                      Case{"Swapped", "matmul_tiled_swapped", kFours, {}, 120},
                      Case{"Vectors", "rung07_vectors", kFours, {}, 100},
                      Case{"DoubleBuffer", "rung09_double_buffer", kFours, {}, 100},
                      Case{"Copies", "rung10_async", kWhole, kPatches, 100},
                      Case{"CopiesOfManyBlocks", "rung10_async", kMany, kPatches, 4},
                      Case{"CopiesByWarps", "rung11_warp_tiles", kMany, kPatches, 4},
                      Case{"CopiesInOrder", "rung12_block_order", kMany, kPatches, 4},
                      Case{"TheTopOfManyBlocks", "rung13_top", kMany, kTop, 16},
                      Case{"CopiesAtOddEdges", "rung10_async", kOdd, kPatches, 100},
                      Case{"CopiesAtEdges", "rung11_warp_tiles", kFours, kPatches, 100},
                      Case{"CopiesOfBlocksInOrder", "rung12_block_order", kFours, {}, 100},
                      Case{"CopiesOfTheTop", "rung13_top", kFours, kTop, 100},
                      Case{"CopiesForTensorCores", "rung14_tf32", kFours, kTensor, 100}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace tilestep::test::counting_run_test
