// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/launch.h"
#include "device/cuda/trace/thread_logs.h"
#include "device/device.h"
#include "ptx/ir.h"
#include "trace/recording.h"

namespace tilestep::cuda {

/// A piece of global memory on the GPU.
struct GlobalPiece {
  uint64_t start = 0;
  uint64_t bytes = 0;
  int16_t buffer = -1;  ///< The operand, or none.
};

/// What a traced launch was.
struct TracedLaunch {
  const ptx::Module* module = nullptr;
  const ptx::Function* entry = nullptr;
  Launch launch;
  std::vector<GlobalPiece> operands;             ///< Buffers and symbols in global memory.
  std::vector<trace::SharedArray> sharedArrays;  ///< Empty: the program's own.
  device::TraceRequest request;
  std::string device;  ///< "cuda:0"
};

/// The block's recording from its threads' logs. The warps follow the program as the interpreter's
/// do (simt/engine/paths.h): lanes that part at a branch meet again at its immediate
/// post-dominator, or earlier, where they come to one block; of the paths that will meet at one
/// place, the one that stands first in the program goes first; warps take turns, each until its
/// next barrier. Each lane's outcome at a branch, its addresses and its values are those that the
/// GPU wrote down. So the events are those of the interpreter wherever the GPU computed what the
/// interpreter computes, and it makes no difference which lanes the machine ran together. Where a
/// log is full the recording ends, `truncated`. An Error says that the logs do not follow the
/// program, or that the program does what only the machine defines (a barrier that not all live
/// lanes of a warp reach).
Result<trace::Recording> recordingOf(const TracedLaunch& traced, const ptx::TraceLog& log,
                                     const ThreadLogs& logs);

}  // namespace tilestep::cuda
