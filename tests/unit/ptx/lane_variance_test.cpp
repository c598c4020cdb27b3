// SPDX-License-Identifier: Apache-2.0
#include "ptx/lanes/lane_variance.h"

#include <gtest/gtest.h>

#include "support.h"

namespace tilestep::ptx::lane_variance_test {

/// Whether register `name` may differ between lanes in a kernel with this body.
bool varies(const std::string& name, const std::string& body) {
  const Function function = kernel(body);
  const auto varying = varyingRegisters(function, analyseControlFlow(function));
  for (uint32_t reg = 0; reg < varying.size(); ++reg) {
    if (function.registers[reg].name == name) return varying[reg];
  }
  ADD_FAILURE() << "no register " << name;
  return false;
}

TEST(LaneVariance, ALoadVariesWithItsAddress) {
  const std::string body =
      "mov.u64 %rd1, 64;\nld.global.u32 %r1, [%rd1];\n"
      "mov.u32 %r2, %laneid;\ncvt.u64.u32 %rd2, %r2;\nld.global.u32 %r3, [%rd2];\n"
      "ld.volatile.global.u32 %r4, [%rd1];\natom.global.add.u32 %r5, [%rd1], 1;\nret;";
  EXPECT_FALSE(varies("%r1", body));
  EXPECT_TRUE(varies("%r3", body));
  EXPECT_TRUE(varies("%r4", body)) << "another thread may write between two lanes' loads";
  EXPECT_TRUE(varies("%r5", body));
}

TEST(LaneVariance, AVoteIsTheSameInAllLanes) {
  const std::string body =
      "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 7;\nvote.sync.ballot.b32 %r2, %p1, -1;\n"
      "shfl.sync.idx.b32 %r3, %r1, 0, 31, -1;\nret;";
  EXPECT_FALSE(varies("%r2", body));
  EXPECT_TRUE(varies("%r3", body));
}

TEST(LaneVariance, AVoteOfSomeLanesVaries) {
  const std::string start = "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 7;\nmov.u32 %r2, 5;\n";
  EXPECT_TRUE(varies("%r2", start + "@%p1 vote.sync.ballot.b32 %r2, %p3, 127;\nret;"));
  EXPECT_TRUE(varies("%r2", start + "redux.sync.add.s32 %r2, 1, %r1;\nret;"))
      << "the mask differs between lanes";
  EXPECT_FALSE(varies("%r2", start + "redux.sync.add.s32 %r2, %r1, -1;\nret;"));
}

TEST(LaneVariance, AFunctionsResultVaries) {
  EXPECT_TRUE(varies("%r1", "{\n.param .b32 got;\nld.param.b32 %r1, [got];\n}\nret;"));
}

TEST(LaneVariance, AValueChosenByAVaryingBranchVaries) {
  const std::string body =
      "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 7;\nmov.u32 %r2, 1;\nmov.u32 %r3, 1;\n"
      "@%p1 bra SKIP;\nmov.u32 %r2, 2;\nmov.u32 %r4, 5;\nadd.s32 %r3, %r4, 0;\nmov.u32 %r3, 1;\n"
      "SKIP: add.s32 %r5, %r2, 0;\nret;";
  EXPECT_TRUE(varies("%r2", body));
  EXPECT_TRUE(varies("%r5", body));
  EXPECT_FALSE(varies("%r4", body)) << "all lanes that read it wrote it together";
}

TEST(LaneVariance, ALoopInAVaryingBranchIsUniform) {
  const std::string body =
      "mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 7;\n@%p1 bra END;\n"
      "mov.u32 %r2, 0;\n"
      "L: add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p2, %r2, 100;\n@%p2 bra L;\n"
      "END: ret;";
  EXPECT_FALSE(varies("%p2", body));
}

TEST(LaneVariance, ALoopCounterVariesAfterTheLoopIfLanesLeaveSeparately) {
  const std::string loop = "L: add.s32 %r2, %r2, 1;\nadd.s32 %r4, %r2, 0;\n";
  const std::string body = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n" + loop +
                           "setp.lt.s32 %p2, %r2, %r1;\n@%p2 bra L;\nadd.s32 %r3, %r4, 0;\nret;";
  EXPECT_TRUE(varies("%r3", body));
  const std::string together =
      "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, 0;\n" + loop +
      "setp.lt.s32 %p2, %r2, %r1;\n@%p2 bra L;\nadd.s32 %r3, %r4, 0;\nret;";
  EXPECT_FALSE(varies("%r3", together));
}

TEST(LaneVariance, AGuardedWriteVariesWithItsGuard) {
  const std::string body =
      "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 7;\nmov.u32 %r2, 1;\n@%p1 mov.u32 %r2, 2;\nret;";
  EXPECT_TRUE(varies("%r2", body));
}

}  // namespace tilestep::ptx::lane_variance_test
