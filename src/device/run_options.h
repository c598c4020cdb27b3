// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/dim3.h"
#include "trace/recording.h"

namespace tilestep::device {

/// What is asked of a run: the part of an experiment that a device obeys as it stands.
struct RunOptions {
  uint64_t seed = 1;   ///< Of the operands' random values.
  uint64_t order = 0;  ///< Interpreter: shuffles blocks, warps, and lanes at atomics; 0: not.
  bool counters = false;
  bool measure = false;   ///< Time the kernel, if the device can.
  bool thorough = false;  ///< With `measure`: take longer, and time runs on a cold L2 cache too.
  bool check = false;     ///< Compare the outputs, and look for hazards where the device can.
  bool hardware = false;  ///< Read hardware counters where the system allows; takes more runs.
  bool timeline = false;  ///< When and where each block ran; only a GPU can tell.
  bool timings = false;   ///< Time the launch in four ways (Observations::timings); only a GPU can.
  std::optional<Dim3> traceBlock;
  /// The most memory for the trace. One that needs more is `truncated`.
  uint64_t traceBytes = trace::Recording::kDefaultCap;
  /// Interpreter, with `traceBlock`: run only that block of the first launch, whatever else is
  /// asked for, so that a grid of any size costs no more than one block. Counters, hazards, faults
  /// and printed text are then that block's. It is an Error if the block waits for others. A GPU
  /// runs all blocks.
  bool blockAlone = false;
  /// Interpreter: run one block after the other instead of several at a time. This is slower, but
  /// the counts of blocks that wait for each other are then the same in every run and on every
  /// machine.
  bool blocksInTurn = false;
  /// Load the machine code and report registers, local and shared bytes. Nothing is launched,
  /// whatever else is asked for. Without machine code only shared bytes are reported.
  bool loadOnly = false;
  /// The limit for the whole run: compiling, filling operands, launching and checking. Waiting for
  /// another Tilestep on the same GPU does not count. A kernel that exceeds it has the fault
  /// "timeout"; work after the kernel that exceeds it adds the fault "time-limit"; before the
  /// kernel it is an Error.
  double timeoutSeconds = 60;
  /// Interpreter: the most instructions that all warps of a launch may execute, each counted once
  /// for its warp; 0: no limit. More is the fault "instruction-limit", on every machine alike.
  uint64_t mostInstructions = 0;
};

}  // namespace tilestep::device
