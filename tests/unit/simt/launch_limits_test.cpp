// SPDX-License-Identifier: Apache-2.0
// Launches that no GPU can run, divergent barriers, and stores to read-only memory.
#include <gtest/gtest.h>

#include "checked.h"
#include "support/results.h"

namespace tilestep::simt::launch_limits_test {

GridResult launched(const std::string& directives, const std::string& variables, Dim3 block,
                    const std::string& use = {}, uint32_t registers = 0) {
  Machine machine =
      Machine::ofText(".file 1 \"k.cu\"\n" + variables + ".visible .entry test(.param .u64 p)\n" +
                          directives + "{ .reg .b64 %rd<4>; .reg .b32 %r<4>;\n.loc 1 7 1\n" + use +
                          "ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], 1;\nret; }",
                      "test");
  machine.buffer("P", Words(4)).block(block.x, block.y, block.z);
  const ptx::Assembled assembled{{"test", {registers, 0}}};
  machine.request.assembled = &assembled;
  return machine.run();
}

TEST(LaunchLimits, LaunchBoundsAreEnforced) {
  EXPECT_TRUE(launched(".maxntid 256, 1, 1\n", "", {64, 4, 1}).faults.empty());
  EXPECT_TRUE(launched(".minnctapersm 2\n", "", {512, 1, 1}).faults.empty());
  const Fault fault = onlyFault(launched(".maxntid 256, 1, 1\n.minnctapersm 2\n", "", {288, 1, 1}));
  EXPECT_EQ(fault.kind, "launch-refused");
  EXPECT_EQ(fault.line, 7u);
  EXPECT_EQ(fault.message,
            "The __launch_bounds__ of test allow 256 threads per block, but the launch has 288.");
  EXPECT_TRUE(faulted(launched(".maxntid 32\n", "", {33, 1, 1}), "launch-refused"));
  EXPECT_TRUE(launched(".maxntid 99999999999999999999999, 2\n", "", {33, 1, 1}).faults.empty());
}

TEST(LaunchLimits, SharedVariablesFit48KiBAndConstantVariables64KiB) {
  const auto shared = [](const std::string& bytes) {
    return launched("", ".shared .align 4 .b8 tile[" + bytes + "];\n", {32, 1, 1},
                    "mov.u32 %r1, tile; st.shared.u32 [%r1], 0;\n");
  };
  EXPECT_TRUE(shared("49152").faults.empty());
  EXPECT_TRUE(faulted(shared("49156"), "launch-refused", "extern __shared__"));
  const auto constant = [](const std::string& bytes) {
    return launched("", ".const .align 4 .b8 some[3];\n.const .align 4 .b8 table[" + bytes + "];\n",
                    {32, 1, 1});
  };
  EXPECT_TRUE(constant("65532").faults.empty());
  EXPECT_TRUE(faulted(constant("65533"), "launch-refused", "65537 bytes of constant memory"));
}

/// An SM has 64 Ki registers. Threads that need 65 to 72 get 72, which suffices for 896 threads.
TEST(LaunchLimits, RegistersOfABlockMustFit) {
  const auto withRegisters = [](uint32_t registers, uint32_t threads) {
    return launched("", "", {threads, 1, 1}, "", registers);
  };
  for (const auto& [registers, threads] : {std::pair{64u, 1024u}, {72, 896}, {255, 256}, {0, 1024}})
    EXPECT_TRUE(withRegisters(registers, threads).faults.empty()) << registers;
  EXPECT_TRUE(faulted(withRegisters(72, 897), "launch-refused"));
  EXPECT_TRUE(faulted(withRegisters(255, 257), "launch-refused"));
  EXPECT_TRUE(faulted(
      withRegisters(65, 1024), "launch-refused",
      "A thread of test needs at least 65 registers, so a block can have at most 896 threads, "
      "but the launch has 1024; write __launch_bounds__(1024) before its name, and the compiler "
      "will use fewer."));
}

TEST(DivergentBarriers, AWarpThatWaitsAtTwoBarriersIsReported) {
  const auto parting = [](const std::string& predicate, const std::string& barrier) {
    return findings(predicate + " @%p1 bra $other;\n" + line(3) + barrier +
                    "\nbra $end;\n$other:\n" + line(5) + barrier + "\n$end:");
  };
  const std::string odd = "and.b32 %r4, %r31, 1; setp.eq.u32 %p1, %r4, 0;";
  const std::string warps = "setp.ge.u32 %p1, %r31, 32;";
  EXPECT_EQ(parting(odd, "bar.sync 0;"), "divergent-barrier 5");
  EXPECT_EQ(parting(odd, "barrier.sync 0;"), "");  // barrier.sync need not be aligned.
  EXPECT_EQ(parting(warps, "bar.sync 0;"), "");
  // The barrier does not wait for lanes that have exited.
  EXPECT_EQ(findings(odd + " @%p1 ret;\n" + line(3) + "bar.sync 0;"), "");
  EXPECT_EQ(onlyFault(checked(odd + " @%p1 bra $other;\n" + line(3) + "bar.sync 0; ret;\n" +
                              "$other:\n" + line(5) + "bar.sync 0;")
                          .run())
                .message,
            "Threads of one warp wait at two different barriers, one of them at line 3; all "
            "threads of a warp must reach the same __syncthreads() (thread (0, 0, 0) of block "
            "(0, 0, 0), line 5).");
}

TEST(ReadOnly, StoresAreReportedAndSkipped) {
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
  // An atomic operation that changes nothing counts as a load.
  Machine loading = checked("atom.global.or.b32 %r4, [%rd1], 0; st.shared.u32 [%r1], %r4;");
  loading.request.buffers[0].writable = false;
  EXPECT_EQ(findings(std::move(loading)), "");
}

}  // namespace tilestep::simt::launch_limits_test
