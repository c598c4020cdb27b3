// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device/cuda/driver/context.h"
#include "device/cuda/execution.h"

namespace tilestep::cuda {

/// The kernels that a measurement launches in addition to the measured one: a gate that holds a
/// stream until all timed work is queued, and stamps of every multiprocessor's clock. One per
/// context.
class MeasureProbe {
 public:
  /// The most stamps between two reads of the clock.
  static constexpr uint32_t kStamps = 64;
  /// The most launches that may wait behind a closed gate. A launch that exceeds the driver's queue
  /// (1024) would wait for the gate, and the gate for that launch.
  static constexpr uint32_t kQueue = 400;

  static Result<MeasureProbe> open(const ContextPtr& context, const device::DeviceInfo& info);

  /// Holds `stream` until release(), but at most a quarter of a second: then the gate opens by
  /// itself and is not used again. Some tools, such as certain profilers, make every launch wait.
  Status hold(StreamHandle stream);
  void release();
  [[nodiscard]] bool usable() const { return usable_; }

  /// Records every multiprocessor's clock and the time as stamp `index`.
  Status stamp(StreamHandle stream, uint32_t index);
  /// The multiprocessors' mean clock in MHz between consecutive stamps among the first `stamps`.
  /// The result has `stamps` - 1 values, which are 0 if unknown. The stamps must have completed.
  Result<std::vector<double>> clocksMhz(uint32_t stamps) const;

 private:
  struct Gate {
    uint32_t open, gaveUp;
  };
  ContextPtr context_;
  LoadedModule module_;
  FunctionHandle gate_ = nullptr, stamp_ = nullptr;
  HostMemory flag_;
  DevicePointer flagOnDevice_ = 0;
  Memory stamps_;
  uint32_t multiprocessors_ = 0;
  bool usable_ = true;
};

/// A probe's record for one multiprocessor: clock and time, or zeros if the multiprocessor wrote
/// nothing. clocksBetween() reads `multiprocessors` records per stamp. It returns the median clock
/// over the multiprocessors that both neighbouring stamps recorded, or 0 if the timer's tick is too
/// coarse.
struct ClockStamp {
  uint64_t cycles = 0, nanoseconds = 0;
};
[[nodiscard]] std::vector<double> clocksBetween(const std::vector<ClockStamp>& stamps,
                                                uint32_t multiprocessors);

}  // namespace tilestep::cuda
