// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/cuda/driver/program.h"
#include "device/cuda/execution.h"
#include "device/cuda/measure/measure.h"
#include "device/cuda/operands.h"
#include "ptx/rewrite/instrument_clocks.h"
#include "trace/timeline.h"

namespace tilestep::cuda {

/// The shape of a launch's clock table.
struct ClockShape {
  uint32_t blocks = 0;
  uint32_t warpsPerBlock = 0;
  uint32_t barriers = 0;  ///< Cells per row.
  uint32_t rowShift = 0;  ///< Every 2^rowShift-th block has a row.

  [[nodiscard]] uint32_t rows() const;
  /// The smallest shift for which the rows, including the last epoch, fit into
  /// trace::Timeline::kEpochCapBytes.
  static ClockShape of(uint32_t blocks, uint32_t warpsPerBlock, uint32_t barriers);
};

/// The greatest common divisor of the differences between `values` and of `tick`, which is 0 if
/// unknown. This is a clock's tick if the clock advanced often enough.
[[nodiscard]] uint64_t commonStep(const std::vector<uint64_t>& values, uint64_t tick = 0);

/// A timeline, except for device facts, overhead and registers, from records [block][warp] and
/// cells [row][barrier]. `tickNs` comes from a probe; the records may show a finer tick. Errors:
/// invalid data, such as a warp that never ran or never ended, a clock that ran backwards, more
/// than `multiprocessors` multiprocessors, or more barriers than cells.
Result<trace::Timeline> decodeClocks(const std::vector<ptx::ClockTable::Record>& records,
                                     const std::vector<uint64_t>& cells, const ClockShape& shape,
                                     uint32_t multiprocessors, uint64_t tickNs);

/// Error if a job cannot have a timeline: several launches of one entry, or more blocks or warps
/// than a timeline can hold.
Status timelineAllowed(const device::Job& job);

/// Runs kernels/probes/clocks.cu (`ptx`) once and returns the tick in ns. Waits for the GPU.
Result<uint64_t> measureTick(Execution& execution, const std::string& ptx);

/// A job's module whose first launch reads clocks, and its clock table on the GPU.
class ClockProgram {
 public:
  /// `plain` is the job's own module. The instrumented module is limited to its registers.
  static Result<ClockProgram> load(const ContextPtr& context, const device::Job& job,
                                   const device::DeviceInfo& info, const Program& plain);
  [[nodiscard]] const LoadedModule& module() const { return program_.module(); }
  /// Measures the overhead relative to `plainMedianMs`, then runs the program once more on freshly
  /// prepared operands and leaves the outputs in them. Operands must be bound to this program's
  /// module. Waits for the GPU.
  Result<trace::Timeline> run(Execution& execution, Operands& operands, MeasureTools& tools,
                              double plainMedianMs, uint64_t tickNs);

 private:
  Status resize(const ClockShape& shape);
  Status clear(StreamHandle stream);
  Status launchOnce(Execution& execution, Operands& operands);
  Result<std::vector<ptx::ClockTable::Record>> readRecords() const;

  ContextPtr context_;
  Program program_;
  device::DeviceInfo info_;
  ClockShape shape_;
  uint32_t plainRegisters_ = 0;
  Memory records_, cells_;
  DevicePointer header_ = 0;
};

}  // namespace tilestep::cuda
