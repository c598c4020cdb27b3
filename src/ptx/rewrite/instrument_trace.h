// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/launch.h"
#include "base/result.h"
#include "ptx/ir.h"
#include "ptx/rewrite/trace_log.h"

namespace tilestep::ptx {

struct Tracing {
  std::string ptx;
  TraceLog log;
};

/// Rewrites the entry of `launch` so that one block, chosen at launch, writes a log of its threads'
/// actions. The entry contains the program twice: unchanged for all other blocks, and with the
/// records inserted. Both keep the program's instructions in order, so results are bit-identical.
/// The entry has these additional parameters after its own:
///   .u32 x, y, z  the block to trace
///   .u32 room     words of the log for each thread
///   .u64 log      TraceLog::bytes(room) bytes of global memory
/// `registers`, unless 0, is the maximum per thread; otherwise the launch's block size determines
/// the limit.
Result<Tracing> instrumentTrace(const Module& module, const Launch& launch, uint32_t registers = 0);

}  // namespace tilestep::ptx
