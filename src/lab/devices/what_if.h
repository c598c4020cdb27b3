// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/devices/device_file.h"
#include "lab/experiment.h"
#include "metrics/occupancy.h"
#include "metrics/roofline.h"

/// What a data sheet implies for a kernel that ran on another device: bounds and occupancy,
/// computed and never measured. Pure.
namespace tilestep::lab {

/// Where the number of registers a thread comes from.
struct Registers {
  enum class From : uint8_t { unknown, machineCode, assumed };
  From from = From::unknown;
  uint32_t count = 0;  ///< 0: unknown.
  bool operator==(const Registers&) const = default;
};
/// Those of the result's machine code, or `assumed` where that is not 0.
[[nodiscard]] Registers registersOf(const RunResult& result, uint32_t assumed);
[[nodiscard]] std::string toText(Registers::From from);

/// min(peak, intensity * bandwidth) at a level that a data sheet gives a bandwidth for: DRAM's, for
/// the lanes' model (every byte asked for would come from DRAM) and for the least traffic.
struct Bound {
  metrics::Level level = metrics::Level::lanes;
  bool minimum = false;  ///< For the compulsory DRAM traffic.
  double flopPerByte = 0;
  double flopPerSecond = 0;
  bool byMemory = false;  ///< DRAM's slope limits it, not the peak.
};

struct WhatIf {
  std::string id, name, computeCapability;
  std::optional<double> peakFlopPerSecond, dramBytesPerSecond, ridgeFlopPerByte;
  metrics::BlockNeeds needs;
  Registers registers;
  std::optional<metrics::Occupancy> occupancy;  ///< Nothing where the file does not say enough.
  std::vector<Bound> bounds;  ///< None where nothing was counted, or it could not run there.

  /// Why such a block cannot run there; empty where it can.
  [[nodiscard]] std::string refusal() const { return occupancy ? occupancy->refusal : ""; }
};

[[nodiscard]] WhatIf whatIf(const DeviceFile& device, const RunResult& result,
                            uint32_t assumedRegisters = 0);

}  // namespace tilestep::lab
