// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/cuda/execution.h"
#include "device/cuda/measure/measure.h"
#include "device/cuda/operands.h"
#include "device/named_value.h"

/// One launch timed in four common ways, to compare their values and their spread.
namespace tilestep::cuda {

/// The ids of the values, in order.
inline constexpr const char* kClockUnsynchronized = "clock-unsynchronized";
inline constexpr const char* kClockSynchronized = "clock-synchronized";
inline constexpr const char* kEvents = "events";
inline constexpr const char* kRepeated = "repeated";

/// Times the job's launch
/// - with a CPU clock around the launch call alone,
/// - with a CPU clock around the launch call and waiting for the kernel's end,
/// - with two events around a single launch,
/// - with two events around launches back to back, divided by their number: `measure`, or
/// `measured` if the job has been measured already.
/// Each method loads the module again. The first sample after loading is `NamedValue::first`.
/// Warm-up runs follow, and then 30 samples, or as many as fit into a second. The GPU is idle when
/// a sample of the first three methods begins; operands that a kernel reads and writes are restored
/// before it, outside the timing. If the job has several launches, a sample times all of them. All
/// times are in seconds.
///
/// Leaves the operands bound to an unloaded module. Errors: those of any launch; a job without a
/// module of its own, such as a library's product.
Result<std::vector<device::NamedValue>> timeLaunches(
    Execution& execution, const device::Job& job, Operands& operands,
    const device::DeviceInfo& info, MeasureTools& tools,
    const std::optional<device::Measurement>& measured);

/// Summarises at least one sample in ms; the result is in seconds.
[[nodiscard]] device::NamedValue namedValueOf(const std::string& id, const std::string& method,
                                              const std::vector<double>& samplesMs, double firstMs);
/// Converts a measurement in ms; the result is in seconds. `measured.method` becomes the end of the
/// sentence.
[[nodiscard]] device::NamedValue namedValueOf(const std::string& id,
                                              const device::Measurement& measured, double firstMs);

}  // namespace tilestep::cuda
