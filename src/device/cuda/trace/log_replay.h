// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/launch.h"
#include "device/cuda/trace/thread_logs.h"
#include "device/device.h"
#include "ptx/ir.h"
#include "trace/block_trace.h"

namespace tilestep::cuda {

/// A range of global memory on the GPU.
struct GlobalPiece {
  uint64_t start = 0;
  uint64_t bytes = 0;
  int16_t buffer = -1;  ///< Index of the operand; -1 for none.
};

struct TracedLaunch {
  const ptx::Module* module = nullptr;
  const ptx::Function* entry = nullptr;
  Launch launch;
  std::vector<GlobalPiece> operands;             ///< Buffers and symbols in global memory.
  std::vector<trace::SharedArray> sharedArrays;  ///< If empty, the program's own arrays are used.
  Dim3 block{0, 0, 0};
  uint64_t traceBytes = trace::BlockTrace::kDefaultCap;
  std::string device;  ///< "cuda:0"
};

/// The block's recording, made from its threads' logs. Each warp walks through the program
/// (LogWalk), and warps take turns as in the interpreter, each until its next barrier. Addresses
/// and values are those logged by the GPU's threads. If a log is full, the recording ends there as
/// `truncated`. Errors: the logs contradict the program, or the program's behaviour is defined only
/// by the GPU (a barrier that some live lanes of a warp do not reach).
Result<trace::BlockTrace> recordingOf(const TracedLaunch& traced, const ptx::TraceLog& log,
                                      const ThreadLogs& logs);

}  // namespace tilestep::cuda
