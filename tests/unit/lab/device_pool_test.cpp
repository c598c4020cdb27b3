// SPDX-License-Identifier: Apache-2.0
#include "lab/device_pool.h"

#include <gtest/gtest.h>

namespace tilestep::lab {
namespace {

unsigned noGpu() {
  return 0;
}
unsigned oneGpu() {
  return 1;
}
unsigned mustNotAsk() {
  ADD_FAILURE() << "CUDA was touched";
  return 0;
}

TEST(DeviceName, AutoTakesAGpuWhereOneAnswers) {
  EXPECT_EQ(resolveDevice("auto", &oneGpu)->kind, DeviceName::Kind::cuda);
  EXPECT_EQ(resolveDevice("auto", &noGpu)->kind, DeviceName::Kind::simt);
}

TEST(DeviceName, SimtNeverTouchesCuda) {
  EXPECT_EQ(resolveDevice("simt", &mustNotAsk)->kind, DeviceName::Kind::simt);
  EXPECT_EQ(resolveDevice("cuda:12", &mustNotAsk)->ordinal, 12U);
}

TEST(DeviceName, OtherNamesAreRefusedInASentence) {
  for (const char* bad :
       {"", "gpu", "cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "recorded:nvidia-h200"}) {
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
