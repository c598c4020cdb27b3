// SPDX-License-Identifier: Apache-2.0
// Which driver errors mean that there is no GPU. All others are failures of an existing GPU.
#include "support/gpu_there.h"

#include <gtest/gtest.h>

namespace tilestep::support::gpu_there_test {

constexpr int kNoDevice = 100, kUnknown = 999, kMismatch = 803;  // CUresult

TEST(GpuThere, ErrorsOfAnExistingGpuAreFailures) {
  const struct {
    const char* what;
    bool driver;
    int started, devices;
    bool deviceFile, hidden, isThere;
  } cases[] = {
      {"a device answers", true, 0, 1, true, false, true},
      {"its device file has another name", true, 0, 8, false, false, true},
      {"no driver", false, 0, 0, false, false, false},
      {"no driver, but a device file", false, 0, 0, true, false, false},
      {"no device and no device file", true, 0, 0, false, false, false},
      {"the driver finds no device, and there is no file", true, kNoDevice, 0, false, false, false},
      {"the driver fails, and there is no file", true, kUnknown, 0, false, false, false},
      {"a device file and no device", true, 0, 0, true, false, true},
      {"a device file, and the driver finds no device", true, kNoDevice, 0, true, false, true},
      {"a device file, and the driver fails", true, kUnknown, 0, true, false, true},
      {"a device file, and the library of another driver version", true, kMismatch, 0, true, false,
       true},
      {"CUDA_VISIBLE_DEVICES hides the devices", true, kNoDevice, 0, true, true, false},
      {"CUDA_VISIBLE_DEVICES hides no error", true, kMismatch, 0, true, true, true},
  };
  for (const auto& each : cases) {
    GpuFacts facts;
    facts.driver = each.driver;
    facts.started = each.started;
    facts.devices = each.devices;
    facts.deviceFile = each.deviceFile;
    facts.hidden = each.hidden;
    EXPECT_EQ(!whyNoGpu(facts), each.isThere) << each.what;
  }
}

}  // namespace tilestep::support::gpu_there_test
