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

/// Rewrites the entry of `launch` so that one block, chosen when it is launched, writes a log of
/// what its threads do. The entry holds its program twice: as it was, for all other blocks, and
/// with the records woven in. Both keep the program's instructions in their order, so results are
/// bit for bit the same. The entry takes more parameters, behind its own:
///   .u32 x, y, z  the block to trace
///   .u32 room     words of the log for each thread
///   .u64 log      TraceLog::bytes(room) bytes of global memory
/// `registers`, where not 0, is the most that a thread may take of them; else blocks of the launch
/// set the limit.
Result<Tracing> instrumentTrace(const Module& module, const Launch& launch, uint32_t registers = 0);

}  // namespace tilestep::ptx
