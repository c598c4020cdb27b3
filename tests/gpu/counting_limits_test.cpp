// SPDX-License-Identifier: Apache-2.0
// If a grid's logs need too much memory, counting is refused with a remedy.
#include <gtest/gtest.h>

#include <cstring>

#include "gpu/gpu_job.h"
#include "gpu/interpreted_machine.h"
#include "support/results.h"

namespace tilestep::test::counting_limits_test {

/// Each block is one warp, which makes as many loads as M contains for its block. Its log needs
/// four words of 128 bytes for each load, and a few more.
constexpr const char* kLoads =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry loads(.param .u64 M, .param .u64 N, .param .u64 P) {\n"
    ".reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n"
    "mov.u32 %r1, %ctaid.x; ld.param.u64 %rd1, [M]; mul.wide.u32 %rd2, %r1, 4;\n"
    "add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r2, [%rd3]; mov.u32 %r3, 0;\n"
    "$loop: ld.global.u32 %r4, [%rd3]; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r2;\n"
    "@%p1 bra $loop;\nret;\n}\n";

/// Counts `blocks` blocks. The first makes `least` loads, and each next block one more.
Result<cuda::GridCount> countLoads(uint32_t blocks, uint32_t least, uint64_t logBytes) {
  const auto job = JobMaker().fromPtx(kLoads, {"loads", {blocks, 1, 1}, {32, 1, 1}}, blocks);
  if (!job) return job.error();
  InterpretedOperands operands(*job);
  for (uint32_t b = 0; b < blocks; ++b) {
    const uint32_t loads = least + b;
    std::memcpy(operands.memory.front().data() + size_t{b} * 4, &loads, 4);
  }
  return countInterpreted(*job, operands, true, {.logBytes = logBytes});
}

void expectRefusal(const Result<cuda::GridCount>& count, const std::string& why) {
  ASSERT_FALSE(count);
  const std::string& message = count.error().message;
  EXPECT_TRUE(has(message, why));
  EXPECT_TRUE(
      message.ends_with("; choose smaller sizes, or count in the interpreter (--device simt)."))
      << message;
}

TEST(CountingLimits, LogsOfUpTo32TimesTheMemoryAreRead) {
  const auto count = valueOrThrow(countLoads(30, 100, 80'000));
  EXPECT_EQ(count.classes, 30U);
  EXPECT_GT(count.logBytes, 20U * 80'000);
  EXPECT_EQ(count.counters.total.globalLoad.requests, 30U * 100 + 30 * 29 / 2 + 30);
}

TEST(CountingLimits, MoreClassesThanFitAreRefusedBeforeAnyLogs) {
  expectRefusal(countLoads(200, 1, 1024),
                "200 of its 200 warps would be logged, which needs more than 32 times the "
                "1.02 kB available for logs");
}

TEST(CountingLimits, LogsThatAreTooLongTogetherAreRefused) {
  expectRefusal(countLoads(50, 100, 80'000), "50 of its 50 warps would be logged");
}

TEST(CountingLimits, OneLogThatDoesNotFitIsRefused) {
  expectRefusal(countLoads(1, 1000, 80'000), "for a single warp");
}

}  // namespace tilestep::test::counting_limits_test
