// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/dim3.h"
#include "trace/block_trace.h"

namespace tilestep::device {

/// The options of a run: the part of an experiment that a device uses unchanged.
struct RunOptions {
  uint64_t seed = 1;  ///< For the operands' random values.
  /// The interpreter's seed for shuffling blocks, warps, and lanes at atomics; 0 for numbered
  /// order.
  uint64_t order = 0;
  bool counters = false;
  bool measure = false;   ///< Time the kernel, if the device can.
  bool thorough = false;  ///< With `measure`: take longer, and also time runs on a cold L2 cache.
  bool check = false;     ///< Compare the outputs, and search for hazards if the device can.
  bool hardware = false;  ///< Read hardware counters if the system allows it; needs more runs.
  bool timeline = false;  ///< Record when and where each block ran; GPU only.
  bool timings = false;   ///< Time the launch in four ways (Observations::timings); GPU only.
  std::optional<Dim3> traceBlock;
  /// The most memory for the trace, in bytes. A trace that needs more is `truncated`.
  uint64_t traceBytes = trace::BlockTrace::kDefaultCap;
  /// Interpreter, with `traceBlock`: run only that block of the first launch, whatever else is
  /// requested, so that a grid of any size costs no more than one block. Counters, hazards, faults
  /// and printed text then cover only that block. It is an Error if the block waits for others. A
  /// GPU runs all blocks.
  bool blockAlone = false;
  /// Interpreter: run one block after the other instead of several at once. This is slower, but
  /// makes the counts of blocks that wait for each other the same in every run and on every
  /// machine.
  bool blocksInTurn = false;
  /// Load the machine code and report registers, local and shared bytes. Nothing is launched,
  /// whatever else is requested. Without machine code, only shared bytes are reported.
  bool loadOnly = false;
  /// The time limit for the whole run: compiling, filling operands, launching and checking. Waiting
  /// for another Tilestep on the same GPU does not count. A kernel that exceeds the limit has the
  /// fault "timeout". If later work exceeds it, the fault "time-limit" is added. If earlier work
  /// exceeds it, the run is an Error.
  double timeoutSeconds = 60;
  /// Interpreter: the most instructions that all warps of a launch may execute, each counted once
  /// per warp; 0 for no limit. Exceeding the limit is the fault "instruction-limit", which is the
  /// same on every machine.
  uint64_t mostInstructions = 0;
};

}  // namespace tilestep::device
