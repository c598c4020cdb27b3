// SPDX-License-Identifier: Apache-2.0
#include "simt/run/memory_need.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "machine.h"

namespace tilestep::simt::memory_need_test {

uint64_t peakBytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

TEST(InterpreterMemoryNeed, ModuleVariablesAreCountedButNotAllocated) {
  constexpr uint64_t kBytes = 2'000'000'000;
  Machine machine("ret;", ".global .b8 big[" + std::to_string(kBytes) + "];\n", 0);
  const uint64_t before = peakBytes();
  EXPECT_GE(memoryNeed(machine.request).blocks, kBytes);
  EXPECT_LT(peakBytes() - before, kBytes / 2);
}

TEST(InterpreterMemoryNeed, ModuleVariablesKeepTheirValuesBetweenLaunches) {
  Machine machine(
      "ld.global.u64 %rd1, [link];\nld.global.u32 %r1, [%rd1];\nadd.u32 %r1, %r1, 1;\n"
      "st.global.u32 [count], %r1;\nst.global.u32 [%rd30], %r1;",
      ".global .u32 count = 40;\n.global .u64 link = count;\n", 1);
  machine.buffer("p0", std::vector<uint32_t>{0});
  std::vector<std::vector<uint8_t>> kept;
  machine.request.variables = &kept;
  machine.runWell();
  EXPECT_EQ(machine.values<uint32_t>(0), std::vector<uint32_t>{41});
  machine.runWell();
  EXPECT_EQ(machine.values<uint32_t>(0), std::vector<uint32_t>{42});
}

}  // namespace tilestep::simt::memory_need_test
