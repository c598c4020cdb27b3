// SPDX-License-Identifier: Apache-2.0
#include "lab/device_pool.h"

#include <gtest/gtest.h>

namespace tilestep::lab {
namespace {

using Names = std::vector<std::string>;

Names noGpu() {
  return {};
}
Names oneGpu() {
  return {"A"};
}
Names mixedGpus() {
  return {"A", "B", "A", "A"};
}
Names mustNotAsk() {
  ADD_FAILURE() << "CUDA was touched";
  return {};
}

TEST(DeviceName, AutoTakesAGpuWhereOneAnswers) {
  EXPECT_EQ(resolveDevice("auto", &oneGpu)->kind, DeviceName::Kind::cuda);
  EXPECT_EQ(resolveDevice("auto", &mixedGpus)->ordinal, 0U);
  EXPECT_EQ(resolveDevice("auto", &noGpu)->kind, DeviceName::Kind::simt);
}

TEST(DeviceName, WorkersThatShareWorkAreDealtTheGpusOfOneKindInTurn) {
  std::vector<unsigned> dealt;
  for (int i = 0; i < 7; ++i) {
    const auto name = resolveDevice("auto:" + std::to_string(i), &mixedGpus);
    ASSERT_TRUE(name);
    EXPECT_EQ(name->kind, DeviceName::Kind::cuda);
    dealt.push_back(name->ordinal);
  }
  EXPECT_EQ(dealt, (std::vector<unsigned>{0, 2, 3, 0, 2, 3, 0}));
  EXPECT_EQ(resolveDevice("auto:5", &oneGpu)->ordinal, 0U);
  EXPECT_EQ(resolveDevice("auto:5", &noGpu)->kind, DeviceName::Kind::simt);
}

TEST(DeviceName, SimtNeverTouchesCuda) {
  EXPECT_EQ(resolveDevice("simt", &mustNotAsk)->kind, DeviceName::Kind::simt);
  EXPECT_EQ(resolveDevice("cuda:12", &mustNotAsk)->ordinal, 12U);
}

TEST(DeviceName, OtherNamesAreRefusedInASentence) {
  for (const char* bad : {"", "gpu", "cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:1x",
                          "auto:", "auto:x", "recorded:nvidia-h200"}) {
    const auto name = resolveDevice(bad, &mustNotAsk);
    ASSERT_FALSE(name) << bad;
    EXPECT_EQ(name.error().kind, ErrorKind::request);
    EXPECT_NE(name.error().message.find("auto, simt and cuda:N"), std::string::npos);
  }
}

TEST(DevicePool, OpensTheInterpreterOnceAndListsItFirst) {
  DevicePool pool(1);
  const auto first = pool.open("simt"), second = pool.open("simt");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(pool.list().front().id, "simt");
}

}  // namespace
}  // namespace tilestep::lab
