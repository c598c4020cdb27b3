// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/results.h"
#include "support/tool.h"
#include "system/run_support.h"

namespace tilestep::system_test::commands_test {

using nlohmann::json;
using support::Finished;
using support::tilestep;

TEST(Commands, HelpOnEachHasAnExample) {
  for (const char* command : {"run", "sweep", "kernels", "labs", "devices", "ptx", "worker"}) {
    const Finished help = support::expectStatus(0, {command, "--help"});
    EXPECT_TRUE(has(help.out, "Example: tilestep ") || has(help.out, "Examples: tilestep "))
        << help.out;
    EXPECT_EQ(help.err, "");
  }
  const Finished help = support::expectStatus(0, {"--help"});
  EXPECT_TRUE(has(help.out, "sweep"));
}

TEST(Commands, KernelsListsTheTextbooks) {
  const Finished list = support::expectStatus(0, {"kernels", "--json"});
  const json document = json::parse(list.out);
  EXPECT_EQ(document["schema"], 1);
  std::string names;
  for (const json& kernel : document["kernels"]) {
    EXPECT_EQ(kernel["error"], nullptr) << kernel;
    names += kernel["name"].get<std::string>() + " ";
  }
  EXPECT_EQ(names,
            "branch_predicate branch_thread_parity branch_warp_parity convolution_naive "
            "convolution_tiled histogram_global histogram_shared matmul_coarsened matmul_in_memory "
            "matmul_naive matmul_tiled matmul_tiled_dynamic matmul_tiled_free matmul_tiled_swapped "
            "matrix_sum points_aos points_soa reduce_global_interleaved reduce_global_neighbored "
            "reduce_global_neighbored_less reduce_interleaved reduce_neighbored "
            "reduce_neighbored_less reduce_templated reduce_unroll2 reduce_unroll8 "
            "reduce_unroll_complete reduce_unroll_warp scan_block scan_block_efficient "
            "strided_copy transpose rung01_uncoalesced rung02_coalesced rung03_tiled rung04_banks "
            "rung05_column_a_thread rung06_patch_a_thread rung07_vectors rung08_no_conflicts "
            "rung09_double_buffer rung10_async rung11_warp_tiles rung12_block_order rung13_top "
            "rung14_tf32 ");
}

TEST(Commands, DevicesListsTheInterpreterFirstAndKnownDevices) {
  const Finished list = support::expectStatus(0, {"devices", "--json"});
  const json document = json::parse(list.out);
  EXPECT_EQ(document["devices"][0]["id"], "simt");
  EXPECT_EQ(document["devices"][0]["measures"], false);
  EXPECT_FALSE(document["compiler"].get<std::string>().empty());
  EXPECT_TRUE(has(tilestep({"devices"}).out, "SIMT interpreter"));
  const Finished second = support::expectStatus(0, {"devices", "--known", "--json"});
  const json known = json::parse(second.out)["known"];
  ASSERT_GE(known.size(), 15U);
  EXPECT_EQ(known[0]["id"], "geforce-8800-gtx");
  EXPECT_FALSE(known[0]["sources"].empty());
  const Finished unknown = support::expectStatus(2, {"run", "matmul_tiled", "--what-if", "voodoo"});
  EXPECT_TRUE(has(unknown.err, "nvidia-h200"));
}

TEST(Commands, PtxPrintsTheCompiledKernel) {
  const Finished ptx = support::expectStatus(0, {"ptx", "matmul_tiled", "--device", "simt"});
  EXPECT_TRUE(has(ptx.out, ".target sm_75"));
  EXPECT_TRUE(has(ptx.out, "fma.rn.f32"));
  EXPECT_TRUE(has(ptx.out, "bar.sync"));
}

TEST(Commands, TheReportHasFiguresAndTheirOrigin) {
  const Finished run =
      support::expectStatus(0, {"run", "matmul_tiled", "--size", "64", "--device", "simt",
                                "--counters", "--check", "--trace", "0,0"});
  for (const char* part :
       {"TILE_WIDTH 16", "m 64  n 64  k 64", "SIMT interpreter", "the interpreter gives no times",
        "right", "4 x 4 blocks", "of 16 x 16 threads", "global_load_requests",
        "useful share of loads 100 %", "events"}) {
    EXPECT_TRUE(has(run.out, part));
  }
}

TEST(Commands, AMissingDisplayIsReported) {
  const Finished window =
      support::expectStatus(2, {}, {"DISPLAY=", "WAYLAND_DISPLAY=", "XDG_RUNTIME_DIR="});
  EXPECT_EQ(window.out, "");
  EXPECT_EQ(std::count(window.err.begin(), window.err.end(), '\n'), 1) << window.err;
}

}  // namespace tilestep::system_test::commands_test
