// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "device/cuda/driver/program.h"
#include "device/cuda/execution.h"
#include "device/cuda/operands.h"
#include "ptx/rewrite/instrument.h"

namespace tilestep::cuda {

/// The counts of a table's columns, given the cells as ptx::CountTable lays them out but for the
/// `rows` epochs 0 to rows - 1 alone: [copy][period - 1][row][column]. `greatestEpoch` is the last
/// that any warp reached.
[[nodiscard]] trace::GridCounters decodeCounts(const std::vector<uint64_t>& cells, uint32_t rows,
                                               const std::vector<ptx::CountColumn>& columns,
                                               uint32_t greatestEpoch);

/// The registers that the counting kernel may take so that three quarters of the plain kernel's
/// resident blocks still fit; 0: any number. Other blocks hide latency, and a few values in local
/// memory cost less than losing those blocks.
[[nodiscard]] uint32_t registerLimit(const device::DeviceInfo& info, uint64_t threadsPerBlock,
                                     uint32_t plainRegisters);

/// A module that counts itself, ready to run, and its table on the GPU.
class CountingProgram {
 public:
  /// Rewrites the job's module and loads it. Needs the job's probes. `plainRegisters` are those of
  /// the kernel that does not count; 0 where unknown. `withLaps`: see ptx::instrument.
  static Result<CountingProgram> load(const ContextPtr& context, const device::Job& job,
                                      const device::DeviceInfo& info, uint32_t plainRegisters,
                                      bool withLaps = true);
  /// Runs it once on prepared operands and reads the table. Waits. Nothing where the counts are
  /// void because a loop's laps were unfit: a program without laps counts them.
  Result<std::optional<trace::GridCounters>> run(Execution& execution, Operands& operands);
  [[nodiscard]] const LoadedModule& module() const { return program_.module(); }
  [[nodiscard]] const Program& program() const { return program_; }

 private:
  Status clear(StreamHandle stream);
  Result<std::optional<trace::GridCounters>> read() const;

  ContextPtr context_;
  Program program_;
  std::vector<ptx::CountColumn> columns_;
  Memory cells_;
  DevicePointer header_ = 0;
};

}  // namespace tilestep::cuda
