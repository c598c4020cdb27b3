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
  uint32_t barriers = 0;  ///< Cells a row.
  uint32_t rowShift = 0;  ///< Every 2^rowShift-th block has a row.

  [[nodiscard]] uint32_t rows() const;
  /// The least shift whose rows, with the last epoch, fit trace::Timeline::kEpochCapBytes.
  static ClockShape of(uint32_t blocks, uint32_t warpsPerBlock, uint32_t barriers);
};

/// The greatest common divisor of the steps between `values`, continued from `tick` (0: none yet):
/// a clock's tick, once it was seen to move often enough.
[[nodiscard]] uint64_t commonStep(const std::vector<uint64_t>& values, uint64_t tick = 0);

/// A timeline without its device's facts, price and registers, from records [block][warp] and cells
/// [row][barrier]. `tickNs` comes from a probe; the records may show a finer one. An Error says
/// what cannot be: a warp that never ran or never ended, a clock that ran backward, multiprocessors
/// beyond `multiprocessors`, more barriers than the table has cells for.
Result<trace::Timeline> decodeClocks(const std::vector<ptx::ClockTable::Record>& records,
                                     const std::vector<uint64_t>& cells, const ClockShape& shape,
                                     uint32_t multiprocessors, uint64_t tickNs);

/// Why a job can have no timeline at all, or success: several launches of one entry, more blocks or
/// warps than a timeline holds.
Status timelineAllowed(const device::Job& job);

/// Runs kernels/probes/clocks.cu (`ptx`) once and gives the tick in ns. Waits.
Result<uint64_t> measureTick(Execution& execution, const std::string& ptx);

/// A job's module whose first launch reads clocks, and its table on the GPU.
class ClockProgram {
 public:
  /// `plain` is the job's own module: the clocks take no more registers than it has.
  static Result<ClockProgram> load(const ContextPtr& context, const device::Job& job,
                                   const device::DeviceInfo& info, const Program& plain);
  [[nodiscard]] const LoadedModule& module() const { return program_.module(); }
  /// Times it against `plainMedianMs`, then runs it once more on freshly prepared operands, whose
  /// outputs are left there. Operands must be bound to its module. Waits.
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
