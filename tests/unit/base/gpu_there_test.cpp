// SPDX-License-Identifier: Apache-2.0
// The errors that mean that there is no GPU; all others are failures of an existing one.
#include "support/gpu_there.h"

#include <gtest/gtest.h>

namespace tilestep::support {
namespace gpu_there_test {

constexpr int kNoDevice = 100, kUnknown = 999, kMismatch = 803;  // CUresult

GpuFacts machine(int started, int devices, bool deviceFile) {
  GpuFacts facts;
  facts.driver = true;
  facts.started = started;
  facts.devices = devices;
  facts.deviceFile = deviceFile;
  return facts;
}

TEST(GpuThere, AnsweringDevicesAre) {
  EXPECT_FALSE(whyNoGpu(machine(0, 1, true)));
  EXPECT_FALSE(whyNoGpu(machine(0, 8, false))) << "its file may have another name";
}

TEST(GpuThere, WithoutADriverThereIsNone) {
  GpuFacts facts;
  EXPECT_TRUE(whyNoGpu(facts));
  facts.deviceFile = true;
  EXPECT_TRUE(whyNoGpu(facts));
}

TEST(GpuThere, ADriverWithoutADeviceFileHasNone) {
  for (const int answer : {0, kNoDevice, kUnknown}) {
    EXPECT_TRUE(whyNoGpu(machine(answer, 0, false))) << answer;
  }
}

TEST(GpuThere, ADeviceFileWhoseDriverFailsIsAFailure) {
  for (const int answer : {0, kNoDevice, kUnknown, kMismatch}) {
    EXPECT_FALSE(whyNoGpu(machine(answer, 0, true))) << answer;
  }
}

TEST(GpuThere, CudaVisibleDevicesMayHideAllButNoError) {
  GpuFacts facts = machine(kNoDevice, 0, true);
  facts.hidden = true;
  EXPECT_TRUE(whyNoGpu(facts));
  facts.started = kMismatch;
  EXPECT_FALSE(whyNoGpu(facts));
}

}  // namespace gpu_there_test
}  // namespace tilestep::support
