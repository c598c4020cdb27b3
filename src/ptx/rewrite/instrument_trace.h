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

/// Rewrites the entry of `launch` so that one block, chosen at launch, logs the actions of its
/// threads. The entry contains the program twice: with logging code for that block, and unchanged
/// for all other blocks. Both copies keep the order of the program's instructions, so results are
/// bit-identical. The entry has these additional parameters after its own:
///   .u32 x, y, z  the block to trace
///   .u32 room     words of log per thread
///   .u64 log      TraceLog::bytes(room) bytes of global memory
/// `registers`, unless 0, is the maximum per thread; if 0, the launch's block size determines the
/// limit.
Result<Tracing> instrumentTrace(const Module& module, const Launch& launch, uint32_t registers = 0);

}  // namespace tilestep::ptx
