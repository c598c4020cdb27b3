// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/has.h"
#include "support/source_root.h"
#include "support/tool.h"
#include "system/run_support.h"

namespace tilestep::system_test::commands_test {

using nlohmann::json;
using support::Finished;
using support::tilestep;

TEST(Commands, HelpOnEachHasAnExample) {
  for (const char* command : {"run", "sweep", "kernels", "labs", "devices", "ptx", "worker"}) {
    const Finished help = tilestep({command, "--help"});
    EXPECT_EQ(help.status, 0) << command;
    const bool one = help.out.find("Example: tilestep ") != std::string::npos;
    const bool several = help.out.find("Examples: tilestep ") != std::string::npos;
    EXPECT_TRUE(one || several) << help.out;
    EXPECT_EQ(help.err, "");
  }
  const Finished help = tilestep({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_TRUE(has(help.out, "sweep"));
}

TEST(Commands, KernelsListsTheTextbooks) {
  const Finished list = tilestep({"kernels", "--json"});
  ASSERT_EQ(list.status, 0) << list.err;
  const json document = json::parse(list.out);
  EXPECT_EQ(document["schema"], 1);
  std::string names;
  for (const json& kernel : document["kernels"]) {
    EXPECT_EQ(kernel["error"], nullptr) << kernel;
    names += kernel["name"].get<std::string>() + " ";
  }
  EXPECT_EQ(names,
            "branch_predicate branch_thread_parity branch_warp_parity "
            "convolution_naive convolution_tiled histogram_global histogram_shared "
            "matmul_coarsened matmul_in_memory matmul_naive matmul_tiled matmul_tiled_dynamic "
            "matmul_tiled_free "
            "matmul_tiled_swapped matrix_sum points_aos points_soa "
            "reduce_global_interleaved reduce_global_neighbored reduce_global_neighbored_less "
            "reduce_interleaved reduce_neighbored reduce_neighbored_less reduce_templated "
            "reduce_unroll2 reduce_unroll8 reduce_unroll_complete reduce_unroll_warp "
            "scan_block scan_block_efficient strided_copy transpose "
            "rung01_uncoalesced rung02_coalesced rung03_tiled rung04_banks rung05_column_a_thread "
            "rung06_patch_a_thread rung07_vectors rung08_no_conflicts rung09_double_buffer "
            "rung10_async rung11_warp_tiles rung12_block_order rung13_top rung14_tf32 ");
}

TEST(Commands, DevicesListsTheInterpreterFirst) {
  const Finished list = tilestep({"devices", "--json"});
  ASSERT_EQ(list.status, 0) << list.err;
  const json document = json::parse(list.out);
  EXPECT_EQ(document["devices"][0]["id"], "simt");
  EXPECT_EQ(document["devices"][0]["measures"], false);
  EXPECT_FALSE(document["compiler"].get<std::string>().empty());
  EXPECT_TRUE(has(tilestep({"devices"}).out, "SIMT interpreter"));
}

TEST(Commands, KnownDevicesAreListedAndAskedWhatIf) {
  const Finished list = tilestep({"devices", "--known", "--json"});
  ASSERT_EQ(list.status, 0) << list.err;
  const json known = json::parse(list.out)["known"];
  ASSERT_GE(known.size(), 15U);
  EXPECT_EQ(known[0]["id"], "geforce-8800-gtx");
  EXPECT_FALSE(known[0]["sources"].empty());
  const Finished run =
      tilestep({"run", "matmul_tiled", "--device", "simt", "--size", "32", "--set", "TILE_WIDTH=16",
                "--what-if", "geforce-8800-gtx", "--registers", "11", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const json there = json::parse(run.out)["what_if"][0];
  EXPECT_EQ(there["origin"], "computed");
  EXPECT_EQ(there["occupancy"]["warps"], 16);  // 512 threads.
  EXPECT_EQ(there["bounds"].size(), 2U);
  const Finished unknown = tilestep({"run", "matmul_tiled", "--what-if", "voodoo"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unknown.err, "nvidia-h200"));
}

TEST(Commands, PtxPrintsWhatWouldRun) {
  const Finished ptx = tilestep({"ptx", "matmul_tiled", "--device", "simt"});
  ASSERT_EQ(ptx.status, 0) << ptx.err;
  EXPECT_TRUE(has(ptx.out, ".target sm_75"));
  EXPECT_TRUE(has(ptx.out, "fma.rn.f32"));
  EXPECT_TRUE(has(ptx.out, "bar.sync"));
}

TEST(Commands, TheReportSaysFiguresAndWhereTheyComeFrom) {
  const Finished run = tilestep({"run", "matmul_tiled", "--size", "64", "--device", "simt",
                                 "--counters", "--check", "--trace", "0,0"});
  ASSERT_EQ(run.status, 0) << run.err;
  for (const char* part :
       {"TILE_WIDTH 16", "m 64  n 64  k 64", "SIMT interpreter", "the interpreter gives no times",
        "right", "4 x 4 blocks", "of 16 x 16 threads", "global_load_requests",
        "useful share of loads 100 %", "events"}) {
    EXPECT_TRUE(has(run.out, part)) << "no '" << part << "' in\n" << run.out;
  }
}

TEST(Commands, AResultThatCannotBeWrittenIsNoSuccess) {
  const std::string program = "'" TILESTEP_BINARY_DIR "/tilestep' kernels ";
  for (const char* where : {">/dev/full", ">&-"}) {
    support::Running shell({"/bin/sh", "-c", program + where}, support::tilestepEnvironment());
    const Finished kernels = shell.wait();
    EXPECT_EQ(kernels.status, 1) << where;
    EXPECT_TRUE(has(kernels.err, "standard output cannot be written")) << where;
  }
}

TEST(Commands, AFileRunsByItsPath) {
  const json run =
      runJson({support::sourceRoot() + "/kernels/matrix_sum.cu", "--size", "10", "--check"});
  EXPECT_EQ(run["kernel"], "matrix_sum");
  EXPECT_EQ(run["check"]["ok"], true);
}

TEST(Commands, AWorkerThatIsNoneIsSaidInALine) {
  for (const char* worker : {"/bin/false", "/bin/cat", "/no/such/program", "'open quote"}) {
    const Finished run = tilestep({"run", "matmul_tiled", "--size", "8", "--worker", worker});
    EXPECT_GT(run.status, 0) << worker;
    EXPECT_LE(run.status, 2) << worker;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << worker << ": " << run.err;
  }
}

TEST(Commands, WithoutADisplayTheWindowSaysSo) {
  const Finished window = tilestep({}, {"DISPLAY=", "WAYLAND_DISPLAY=", "XDG_RUNTIME_DIR="});
  EXPECT_EQ(window.status, 2);
  EXPECT_EQ(window.out, "");
  EXPECT_EQ(std::count(window.err.begin(), window.err.end(), '\n'), 1) << window.err;
}

}  // namespace tilestep::system_test::commands_test
