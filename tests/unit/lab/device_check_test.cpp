// SPDX-License-Identifier: Apache-2.0
#include "lab/run/device_check.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string_view>

#include "device/ceiling_keys.h"
#include "unit/lab/recording_samples.h"

namespace tilestep::lab {
namespace device_check_test {

constexpr double kTiny = 5e-324, kNan = std::numeric_limits<double>::quiet_NaN();

std::string refusalOf(const Status& status) {
  return status ? "" : status.error().message;
}

TEST(DeviceCheck, WhatCanBeIsTaken) {
  EXPECT_EQ(refusalOf(checkDevice(sample::device())), "");
  EXPECT_EQ(refusalOf(checkDevice({})), "") << "0 is not known";
  EXPECT_EQ(refusalOf(checkMeasurement(sample::measurement(0.25))), "");
  EXPECT_EQ(refusalOf(checkCeilings(*sample::recording().ceilings)), "");
  EXPECT_EQ(refusalOf(checkHardware(sample::hardware())), "");
}

TEST(DeviceCheck, TextsOfADeviceHaveABound) {
  device::DeviceInfo device = sample::device();
  device.name = std::string(300'000, 'a');
  EXPECT_FALSE(checkDevice(device));
  device = sample::device();
  // As it is shown it is longer: each sign is written out.
  for (int i = 0; i < 900; ++i) device.driver += "\xe2\x80\xa8";
  EXPECT_FALSE(checkDevice(device));
}

TEST(DeviceCheck, TheRefusalNamesTheFigure) {
  device::DeviceInfo device = sample::device();
  device.blocksPerMultiprocessor = UINT32_MAX;
  EXPECT_EQ(refusalOf(checkDevice(device)),
            "the device NVIDIA Test has 4294967295 blocks a multiprocessor, and no device has more "
            "than 4096");
}

TEST(DeviceCheck, CeilingsArePhysical) {
  for (const device::CeilingKey& key : device::kCeilingKeys) {
    const bool isRate = std::string_view(key.key).ends_with("_per_second");
    for (const double value : {kTiny, 0.0, -1.0, 1e300, kNan}) {
      device::Ceilings ceilings;
      ceilings.*key.value = value;
      EXPECT_NE(refusalOf(checkCeilings(ceilings)).find(key.key), std::string::npos) << value;
    }
    device::Ceilings ceilings;
    ceilings.*key.value = isRate ? 4.5e12 : 5e-10;
    EXPECT_EQ(refusalOf(checkCeilings(ceilings)), "") << key.key;
  }
}

TEST(DeviceCheck, MeasurementsArePhysical) {
  const auto refusal = [](const std::function<void(device::Measurement&)>& change) {
    device::Measurement m = sample::measurement(0.25);
    change(m);
    return refusalOf(checkMeasurement(m));
  };
  const std::string range = "a time is not from 1e-09 to 1e+09 ms";
  for (const double ms : {kTiny, 1e-300, 1e300})
    EXPECT_EQ(refusal([&](auto& m) { m.minMs = m.p10Ms = m.medianMs = m.p90Ms = ms; }), range);
  EXPECT_EQ(refusal([](auto& m) { m.coldMedianMs = kTiny; }), range);
  EXPECT_EQ(refusal([](auto& m) { m.powerWatts = kTiny; }),
            "its power is not from 0.001 to 1e+06 W");
  EXPECT_EQ(refusal([](auto& m) { m.clockMhz = UINT32_MAX; }),
            "its clock is not from 1 to 1e+06 MHz");
  EXPECT_EQ(refusal([](auto& m) { m.spread = 1.7e308; }), "its spread is below 0 or too large");
}

TEST(DeviceCheck, HardwareFiguresAndMachineCodeArePhysical) {
  device::HardwareCounters hardware = sample::hardware();
  hardware.figures[0].value = kTiny;
  EXPECT_FALSE(checkHardware(hardware));
  hardware.figures[0].value = 0;
  EXPECT_TRUE(checkHardware(hardware));
  EXPECT_FALSE(checkMachineCode({}, UINT32_MAX));
  device::MachineFacts facts;
  facts.activeBlocks = UINT32_MAX;
  EXPECT_FALSE(checkMachineCode(facts, {}));
  facts.activeBlocks = 32;
  EXPECT_TRUE(checkMachineCode(facts, 255));
}

}  // namespace device_check_test
}  // namespace tilestep::lab
