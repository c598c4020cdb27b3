// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/devices/device_file.h"
#include "lab/experiment.h"
#include "metrics/occupancy.h"
#include "metrics/roofline.h"

/// Bounds and occupancy that a data sheet implies for a kernel that ran on another device:
/// computed, never measured. Pure.
namespace tilestep::lab {

/// The number of registers per thread, and its source.
struct Registers {
  enum class From : uint8_t { unknown, machineCode, assumed };
  From from = From::unknown;
  uint32_t count = 0;  ///< 0: unknown.
  bool operator==(const Registers&) const = default;
};
/// The registers of the result's machine code, or `assumed` if that is not 0.
[[nodiscard]] Registers registersOf(const RunResult& result, uint32_t assumed);
[[nodiscard]] std::string toText(Registers::From from);

/// min(peak, intensity * bandwidth) at a level whose bandwidth a data sheet gives: DRAM's, once for
/// the lanes' model (every requested byte comes from DRAM) and once for the minimum traffic.
struct Bound {
  metrics::Level level = metrics::Level::lanes;
  bool minimum = false;  ///< For the compulsory DRAM traffic.
  double flopPerByte = 0;
  double flopPerSecond = 0;
  bool byMemory = false;  ///< The bandwidth is the limit, not the peak.
};

struct WhatIf {
  std::string id, name, computeCapability;
  std::optional<double> peakFlopPerSecond, dramBytesPerSecond, ridgeFlopPerByte;
  metrics::BlockNeeds needs;
  Registers registers;
  std::optional<metrics::Occupancy> occupancy;  ///< Absent if the device file has too few facts.
  std::vector<Bound> bounds;  ///< Empty without counters, or if the block cannot run there.

  /// Why such a block cannot run there; else empty.
  [[nodiscard]] std::string refusal() const { return occupancy ? occupancy->refusal : ""; }
};

[[nodiscard]] WhatIf whatIf(const DeviceFile& device, const RunResult& result,
                            uint32_t assumedRegisters = 0);

}  // namespace tilestep::lab
