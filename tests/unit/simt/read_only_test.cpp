// SPDX-License-Identifier: Apache-2.0
// Loads through the read-only cache (__ldg), which may miss writes of their own launch.
#include <gtest/gtest.h>

#include "checked.h"

namespace tilestep::simt::read_only_test {

const std::string kStore = "st.global.u32 [%rd1], %r31;\n", kLoad = "ld.global.u32 %r3, [%rd1];\n",
                  kReadOnly = "ld.global.nc.u32 %r3, [%rd1];\n";

TEST(ReadOnlyLoads, MayMissWritesOfTheirOwnThread) {
  const GridResult result = checked(line(3) + kStore + line(4) + kReadOnly).run();
  ASSERT_EQ(result.hazards.size(), 1u);
  EXPECT_EQ(result.hazards[0].kind, "read-after-write");
  EXPECT_EQ(result.hazards[0].message,
            "line 4 reads what line 3 writes (P[0]): a load through the read-only cache (__ldg, "
            "ld.global.nc) may miss every write of its own launch; use a plain load.");
  EXPECT_EQ(findings(line(3) + kStore + line(4) + kLoad), "");
}

TEST(ReadOnlyLoads, MayMissWritesBeforeABarrier) {
  const std::string barrier =
      "bar.sync 0; xor.b32 %r4, %r31, 1; mul.wide.u32 %rd2, %r4, 4;\n"
      "add.s64 %rd1, %rd30, %rd2;\n";
  EXPECT_EQ(findings(line(3) + kStore + barrier + line(4) + kReadOnly),
            "read-after-write global 3-4");
  EXPECT_EQ(findings(line(3) + kStore + barrier + line(4) + kLoad), "");
  EXPECT_EQ(findings(line(3) + "red.global.add.u32 [%rd30], 1;\n" + barrier + line(4) +
                     "ld.global.nc.u32 %r3, [%rd30];"),
            "read-after-write global 3-4");
}

TEST(ReadOnlyLoads, MayReadDataThatTheLaunchDoesNotWrite) {
  EXPECT_EQ(findings(kReadOnly + "st.global.u32 [%rd1+256], %r3;\n"), "");
  EXPECT_EQ(findings(kReadOnly + kStore), "");
}

}  // namespace tilestep::simt::read_only_test
