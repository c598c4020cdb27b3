// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "ptx/ir.h"
#include "ptx/rewrite/trace_log.h"
#include "ptx/text/printer.h"

/// Makes selected warps of an entry, the *exemplars*, log the paths and accesses of their threads.
/// The host computes the counts from these logs (device/cuda/counting/warp_counts.h).
namespace tilestep::ptx {

/// The place of an exemplar's log.
struct ExemplarLog {
  static constexpr uint32_t kNone = 0;             ///< This warp logs nothing.
  static constexpr uint32_t kAbsent = 0xffffffff;  ///< Its block exits at once.
  // Otherwise a place is the number of an exemplar plus 1.
  uint64_t at = 0;    ///< Address of its first word; a record's words are TraceLog::kStride apart.
  uint64_t room = 0;  ///< Words for each lane.
};

struct Exemplars {
  /// The entry has these additional parameters after its own:
  ///   .u64 places  a u32 for each warp of the grid, block by block: see ExemplarLog
  ///   .u64 logs    an ExemplarLog for each exemplar
  ///   .u64 ends    32 u64 for each exemplar, after 32 unused ones: the end of each lane's log
  Weave weave;
  Function entry;  ///< The entry to print with it, which may contain its body twice.
  TraceLog log;
  /// Its blocks do not communicate while they run, so that blocks without exemplars may exit. (An
  /// unordered store in one block and load in another would be a race.)
  bool isIndependent = false;
};

/// For an entry of `module`, launched in blocks of at most `threadsPerBlock` threads. `registers`,
/// unless 0, is the maximum per thread.
Result<Exemplars> logExemplars(const Module& module, const Function& entry,
                               uint64_t threadsPerBlock, uint32_t registers);

}  // namespace tilestep::ptx
