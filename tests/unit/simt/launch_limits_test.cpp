// SPDX-License-Identifier: Apache-2.0
// Launches that no GPU runs, barriers in branches of one warp, and stores to what may only be read.
#include <gtest/gtest.h>

#include "checked.h"
#include "support/has.h"

namespace tilestep::simt {
namespace launch_limits_test {

std::vector<Fault> faultsOf(const std::string& directives, const std::string& variables, Dim3 block,
                            const std::string& use = {}) {
  Machine machine =
      Machine::ofText(".file 1 \"k.cu\"\n" + variables + ".visible .entry test(.param .u64 p)\n" +
                          directives + "{ .reg .b64 %rd<4>; .reg .b32 %r<4>;\n.loc 1 7 1\n" + use +
                          "ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], 1;\n"
                          "ret; }",
                      "test");
  machine.buffer("P", std::vector<uint32_t>(4));
  machine.request.launch.block = block;
  return machine.run().faults;
}

TEST(LaunchLimits, BoundsOfTheKernelHold) {
  EXPECT_TRUE(faultsOf(".maxntid 256, 1, 1\n", "", {64, 4, 1}).empty());
  EXPECT_TRUE(faultsOf(".minnctapersm 2\n", "", {512, 1, 1}).empty());
  const auto faults = faultsOf(".maxntid 256, 1, 1\n.minnctapersm 2\n", "", {288, 1, 1});
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, "launch-refused");
  EXPECT_EQ(faults[0].line, 7u);
  EXPECT_EQ(faults[0].message,
            "The __launch_bounds__ of test allow 256 threads a block, and the launch has 288.");
  EXPECT_EQ(faultsOf(".maxntid 32\n", "", {33, 1, 1}).size(), 1u);
  EXPECT_TRUE(faultsOf(".maxntid 99999999999999999999999, 2\n", "", {33, 1, 1}).empty());
}

TEST(LaunchLimits, SharedVariablesMayTake48KiB) {
  const auto use = [](const std::string& bytes) {
    return faultsOf("", ".shared .align 4 .b8 tile[" + bytes + "];\n", {32, 1, 1},
                    "mov.u32 %r1, tile; st.shared.u32 [%r1], 0;\n");
  };
  EXPECT_TRUE(use("49152").empty());
  const auto faults = use("49156");
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, "launch-refused");
  EXPECT_TRUE(has(faults[0].message, "extern __shared__"));
}

TEST(LaunchLimits, ConstantVariablesMayTake64KiB) {
  const auto declared = [](const std::string& bytes) {
    return faultsOf("", ".const .align 4 .b8 some[3];\n.const .align 4 .b8 table[" + bytes + "];\n",
                    {32, 1, 1});
  };
  EXPECT_TRUE(declared("65532").empty());
  const auto faults = declared("65533");
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, "launch-refused");
  EXPECT_TRUE(has(faults[0].message, "65537 bytes of constant memory"));
}

TEST(LaunchLimits, RegistersOfABlockMustFit) {
  const auto faultsOf = [](uint32_t registers, uint32_t threads) {
    Machine machine = Machine::ofText(".visible .entry test(.param .u64 p)\n{ ret; }", "test");
    machine.buffer("P", std::vector<uint32_t>(4)).block(threads);
    const ptx::Assembled assembled{{"test", {registers, 0}}};
    machine.request.assembled = &assembled;
    return machine.run().faults;
  };
  // 64 Ki registers; a thread of 65 to 72 takes 72, of which 896 threads have enough.
  EXPECT_TRUE(faultsOf(64, 1024).empty());
  EXPECT_TRUE(faultsOf(72, 896).empty());
  EXPECT_TRUE(faultsOf(255, 256).empty());
  EXPECT_TRUE(faultsOf(0, 1024).empty());  // Not known.
  EXPECT_EQ(faultsOf(72, 897).size(), 1u);
  EXPECT_EQ(faultsOf(255, 257).size(), 1u);
  const auto faults = faultsOf(65, 1024);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, "launch-refused");
  EXPECT_EQ(
      faults[0].message,
      "A thread of test takes 65 registers at least, so that a block has 896 threads at most, "
      "and the launch has 1024; write __launch_bounds__(1024) before its name, and the compiler "
      "uses "
      "fewer.");
}

TEST(DivergentBarriers, AreReportedWhereOneWarpWaitsAtTwo) {
  const auto parting = [](const std::string& predicate, const std::string& barrier) {
    return findings(predicate + " @%p1 bra $other;\n" + line(3) + barrier +
                    "\nbra $end;\n$other:\n" + line(5) + barrier + "\n$end:");
  };
  const std::string odd = "and.b32 %r4, %r31, 1; setp.eq.u32 %p1, %r4, 0;";
  const std::string warps = "setp.ge.u32 %p1, %r31, 32;";
  EXPECT_EQ(parting(odd, "bar.sync 0;"), Found{"divergent-barrier 5"});
  EXPECT_EQ(parting(odd, "barrier.sync 0;"), Found{});  // It need not be aligned.
  EXPECT_EQ(parting(warps, "bar.sync 0;"), Found{});
  // Lanes that have left are not waited for.
  EXPECT_EQ(findings(odd + " @%p1 ret;\n" + line(3) + "bar.sync 0;"), Found{});
  const GridResult result = checked(odd + " @%p1 bra $other;\n" + line(3) + "bar.sync 0; ret;\n" +
                                    "$other:\n" + line(5) + "bar.sync 0;")
                                .run();
  ASSERT_EQ(result.faults.size(), 1u);
  EXPECT_EQ(result.faults[0].message,
            "Threads of one warp wait at two different barriers, the other one at line 3; all "
            "threads of a warp must reach the same __syncthreads() (thread (0, 0, 0) of block "
            "(0, 0, 0), line 5).");
}

TEST(ReadOnly, StoresAreReportedAndLeftOut) {
  Machine machine =
      checked(line(3) + "st.global.u32 [%rd1], 9;\n" + line(4) + "red.global.add.u32 [%rd1], 1;");
  machine.request.buffers[0].writable = false;
  const GridResult result = machine.run();
  ASSERT_EQ(result.faults.size(), 2u);
  EXPECT_EQ(result.faults[0].kind, "read-only");
  EXPECT_EQ(result.faults[0].count, 64u);
  EXPECT_EQ(result.faults[0].message,
            "A write of 4 bytes to P, which the kernel may only read (thread (0, 0, 0) of block "
            "(0, 0, 0), line 3).");
  EXPECT_EQ(result.faults[1].kind, "read-only");
  EXPECT_EQ(machine.values<uint32_t>(0)[0], 0u);
  // An atomic operation that changes nothing is a way to load.
  Machine loading = checked("atom.global.or.b32 %r4, [%rd1], 0; st.shared.u32 [%r1], %r4;");
  loading.request.buffers[0].writable = false;
  EXPECT_EQ(findings(std::move(loading)), Found{});
}

}  // namespace launch_limits_test
}  // namespace tilestep::simt
