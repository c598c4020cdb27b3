// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/devices/device_file.h"
#include "lab/experiment.h"
#include "metrics/occupancy.h"
#include "metrics/roofline.h"

/// Bounds and occupancy from a data sheet, for a kernel that ran on another device. Pure.
namespace tilestep::lab {

/// The number of registers per thread, and its source.
struct Registers {
  enum class From : uint8_t { unknown, machineCode, assumed };
  From from = From::unknown;
  uint32_t count = 0;  ///< 0 if unknown.
  bool operator==(const Registers&) const = default;
};
/// The registers of the result's machine code, or `assumed` if that is not 0.
[[nodiscard]] Registers registersOf(const RunResult& result, uint32_t assumed);
[[nodiscard]] std::string toText(Registers::From from);

/// The bound min(peak, intensity * DRAM bandwidth). One such bound is for the lanes' model, in
/// which every requested byte comes from DRAM, and one is for the compulsory traffic.
struct Bound {
  metrics::Level level = metrics::Level::lanes;
  bool minimum = false;  ///< For the compulsory DRAM traffic.
  double flopPerByte = 0;
  double flopPerSecond = 0;
  bool byMemory = false;  ///< True if the bandwidth is the limit, false if the peak is.
};

struct WhatIf {
  std::string id, name, computeCapability;
  std::optional<double> peakFlopPerSecond, dramBytesPerSecond, ridgeFlopPerByte;
  metrics::BlockNeeds needs;
  Registers registers;
  std::optional<metrics::Occupancy> occupancy;  ///< Absent if the device file has too few facts.
  std::vector<Bound> bounds;  ///< Empty without counters, or if the block cannot run on the device.

  /// Why a block of this launch cannot run on the device; otherwise empty.
  [[nodiscard]] std::string refusal() const { return occupancy ? occupancy->refusal : ""; }
};

[[nodiscard]] WhatIf whatIf(const DeviceFile& device, const RunResult& result,
                            uint32_t assumedRegisters = 0);

}  // namespace tilestep::lab
