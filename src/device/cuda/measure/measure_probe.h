// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device/cuda/driver/context.h"
#include "device/cuda/execution.h"

namespace tilestep::cuda {

/// What a measurement launches beside the kernel: a gate that holds a stream until all that is to
/// be timed lies in its queue, and stamps of every multiprocessor's clock. Made once a context.
class MeasureProbe {
 public:
  /// Stamps that fit between two reads of the clock.
  static constexpr uint32_t kStamps = 64;
  /// Launches that may safely wait behind a closed gate: a launch beyond the driver's queue (1024)
  /// would wait for the gate, and the gate for it.
  static constexpr uint32_t kQueue = 400;

  static Result<MeasureProbe> open(const ContextPtr& context, const device::DeviceInfo& info);

  /// Holds `stream` until `release`, at most a quarter of a second: then the gate opens by itself,
  /// and is not used again (something here makes every launch wait, as some profilers do).
  Status hold(StreamHandle stream);
  void release();
  [[nodiscard]] bool usable() const { return usable_; }

  /// Every multiprocessor writes down its clock and the time, as stamp `index`.
  Status stamp(StreamHandle stream, uint32_t index);
  /// The multiprocessors' mean clock in MHz between neighbours of the first `stamps` stamps: one
  /// number less than there are stamps, 0 where not known. Their work must be done.
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

/// From stamps of `multiprocessors` each, as the probe writes them: {clock, nanoseconds} by
/// multiprocessor, zeros where it wrote nothing. The median over those that both neighbours know;
/// 0 where the timer's tick is too coarse for the time between them.
struct ClockStamp {
  uint64_t cycles = 0, nanoseconds = 0;
};
[[nodiscard]] std::vector<double> clocksBetween(const std::vector<ClockStamp>& stamps,
                                                uint32_t multiprocessors);

}  // namespace tilestep::cuda
