// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "ptx/ir.h"
#include "ptx/rewrite/trace_log.h"
#include "ptx/text/printer.h"

/// Has chosen warps of an entry, the *exemplars*, log where their threads go and what they access.
/// The host counts from these logs (device/cuda/counting/warp_counts.h).
namespace tilestep::ptx {

/// Where an exemplar logs.
struct ExemplarLog {
  static constexpr uint32_t kNone = 0;             ///< This warp logs nothing.
  static constexpr uint32_t kAbsent = 0xffffffff;  ///< Its block leaves at once.
  // Otherwise a place is the number of an exemplar plus 1.
  uint64_t at = 0;    ///< Address of its first word; a record's words are TraceLog::kStride apart.
  uint64_t room = 0;  ///< Words for each lane.
};

struct Exemplars {
  /// The entry takes these parameters after its own:
  ///   .u64 places  a u32 for each warp of the grid, block after block: see ExemplarLog
  ///   .u64 logs    an ExemplarLog for each exemplar
  ///   .u64 ends    32 u64 for each exemplar, after 32 that mean nothing: where its lanes ended
  Weave weave;
  Function entry;  ///< The one to print with it, which may have its body twice.
  TraceLog log;
  /// Its blocks exchange nothing while they run, so that blocks without exemplars may leave. (What
  /// one block stores and another loads with nothing to order them is a race.)
  bool isIndependent = false;
};

/// Of an entry of `module`, launched in blocks of at most so many threads. `registers`, unless 0,
/// is the most that a thread may take.
Result<Exemplars> logExemplars(const Module& module, const Function& entry,
                               uint64_t threadsPerBlock, uint32_t registers);

}  // namespace tilestep::ptx
