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
  /// The capacity for stamps between two reads of the clock.
  static constexpr uint32_t kStamps = 64;
  /// The launches that may safely wait behind a closed gate: one that exceeds the driver's queue
  /// (1024) would wait for the gate, and the gate for it.
  static constexpr uint32_t kQueue = 400;

  static Result<MeasureProbe> open(const ContextPtr& context, const device::DeviceInfo& info);

  /// Holds `stream` until release(), for at most a quarter of a second: then the gate opens by
  /// itself and is not used again (some tools, such as certain profilers, make every launch wait).
  Status hold(StreamHandle stream);
  void release();
  [[nodiscard]] bool usable() const { return usable_; }

  /// Records every multiprocessor's clock and the time as stamp `index`.
  Status stamp(StreamHandle stream, uint32_t index);
  /// The multiprocessors' mean clock in MHz between consecutive stamps among the first `stamps`:
  /// one value less than stamps, 0 if unknown. The stamps must have completed.
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

/// A probe's record for one multiprocessor: clock and time, or zeros if it wrote nothing.
/// clocksBetween() takes `multiprocessors` of them per stamp and returns the median over the
/// multiprocessors that both neighbouring stamps recorded; 0 if the timer's tick is too coarse.
struct ClockStamp {
  uint64_t cycles = 0, nanoseconds = 0;
};
[[nodiscard]] std::vector<double> clocksBetween(const std::vector<ClockStamp>& stamps,
                                                uint32_t multiprocessors);

}  // namespace tilestep::cuda
