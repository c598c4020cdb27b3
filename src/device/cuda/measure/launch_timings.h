// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/cuda/execution.h"
#include "device/cuda/measure/measure.h"
#include "device/cuda/operands.h"
#include "device/named_value.h"

/// One launch timed in four ways, as programs do it: what each of them shows, and how far they
/// scatter.
namespace tilestep::cuda {

/// The ids of the values, in their order.
inline constexpr const char* kClockUnsynchronized = "clock-unsynchronized";
inline constexpr const char* kClockSynchronized = "clock-synchronized";
inline constexpr const char* kEvents = "events";
inline constexpr const char* kRepeated = "repeated";

/// Times the job's launch
/// - with a CPU clock around the launch call alone,
/// - with a CPU clock around the launch call and waiting for the kernel's end,
/// - with two events around a single launch,
/// - with two events around launches back to back, divided by their number: `measure`, or
///   `measured` if the job has been measured already.
/// For each way the module is loaded anew. The first sample after that is `NamedValue::first`; some
/// runs warm up, and then come 30 samples, or as many as a second allows. The GPU has nothing to do
/// when a sample of the first three ways begins, and operands that a kernel reads and writes are
/// restored before it, outside the timing. Of a job with several launches, all of them together are
/// timed. In seconds.
///
/// Leaves the operands bound to a module that is gone. Errors: as of every launch; a job without a
/// module of its own, such as a library's product.
Result<std::vector<device::NamedValue>> timeLaunches(
    Execution& execution, const device::Job& job, Operands& operands,
    const device::DeviceInfo& info, MeasureTools& tools,
    const std::optional<device::Measurement>& measured);

/// From samples in ms, at least one; in seconds.
[[nodiscard]] device::NamedValue namedValueOf(const std::string& id, const std::string& method,
                                              const std::vector<double>& samplesMs, double firstMs);
/// From a measurement, in seconds. Its method is the end of the sentence.
[[nodiscard]] device::NamedValue namedValueOf(const std::string& id,
                                              const device::Measurement& measured, double firstMs);

}  // namespace tilestep::cuda
