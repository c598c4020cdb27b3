// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/driver/program.h"
#include "device/cuda/execution.h"
#include "device/cuda/operands.h"
#include "device/cuda/trace/log_replay.h"
#include "ptx/rewrite/instrument_trace.h"

namespace tilestep::cuda {

/// A job's first launch with one block traced, and the log on the GPU.
class TracingProgram {
 public:
  /// Rewrites the job's module and loads it; `plain` is the unmodified program. The Error says why
  /// a GPU cannot trace this job; the interpreter may be able to.
  static Result<TracingProgram> load(const ContextPtr& context, const device::Job& job,
                                     const device::DeviceInfo& info, const Program& plain);

  /// Runs the whole grid once, on prepared operands of the same job, and waits for it. Errors: the
  /// launch's.
  Status run(Execution& execution, Operands& operands);
  /// The recording of the last run. An Error says why there is none.
  [[nodiscard]] Result<trace::BlockTrace> read(const Operands& operands) const;

  /// The overhead: the time of a traced launch divided by that of a launch of `plain`. Both are
  /// medians of a few single launches between two events. Runs both on the operands, whose outputs
  /// stay valid.
  Result<double> price(Execution& execution, const Program& plain, Operands& operands);

  [[nodiscard]] const Program& program() const { return program_; }

 private:
  Status launch(StreamHandle stream, Operands& operands);
  Result<ThreadLogs> fetch() const;
  Status copy(void* to, uint64_t offset, uint64_t bytes) const;

  ContextPtr context_;
  const device::Job* job_ = nullptr;
  std::string device_;
  Program program_;
  ptx::TraceLog log_;
  uint32_t room_ = 0;
  Memory memory_;
};

}  // namespace tilestep::cuda
