// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "device/device.h"

/// Whether what is said of a device and of a measurement can be, wherever it came from: a worker's
/// answer, a recording. Each figure has a range that is far wider than that of any machine, so that
/// quotients and logarithms of figures stay finite and lists that follow from them stay short.
/// Pure.
namespace tilestep::lab {

/// What a figure that is not 0 may be.
struct FigureRange {
  double least, most;
  /// False for a number that is not finite, too.
  [[nodiscard]] bool holds(double value) const { return value >= least && value <= most; }
  [[nodiscard]] bool holdsOrIsZero(double value) const { return value == 0 || holds(value); }
};
inline constexpr FigureRange kMilliseconds{1e-9, 1e9};
inline constexpr FigureRange kSeconds{1e-12, 1e9};
/// Bytes or operations a second.
inline constexpr FigureRange kPerSecond{1, 1e18};
inline constexpr FigureRange kMegahertz{1, 1e6};
inline constexpr FigureRange kWatts{1e-3, 1e6};
/// One time divided by another.
inline constexpr FigureRange kRatio{1e-9, 1e9};
/// Counts of hardware, and means and shares of them.
inline constexpr FigureRange kHardwareFigure{1e-18, 1e18};

/// Texts that say something of a device, in bytes.
inline constexpr size_t kMostDeviceText = 4096;

/// An Error that names what is impossible, or success.
Status checkDevice(const device::DeviceInfo& device);
Status checkCeilings(const device::Ceilings& ceilings);
/// Times that are in range, in order, and of at least one sample.
Status checkMeasurement(const device::Measurement& measurement);
Status checkHardware(const device::HardwareCounters& hardware);
/// What the driver said of machine code, and the registers of a thread.
Status checkMachineCode(const std::optional<device::MachineFacts>& facts,
                        const std::optional<uint32_t>& registers);

}  // namespace tilestep::lab
