// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "ptx/ir.h"
#include "ptx/rewrite/trace_log.h"
#include "ptx/text/printer.h"

/// Makes selected warps of an entry, the *exemplars*, log the paths and accesses of their threads.
/// The host computes the counts from their logs (device/cuda/counting/warp_counts.h).
namespace tilestep::ptx {

/// Where the log of an exemplar is.
struct ExemplarLog {
  // Values in `places` below. All other values are the index of an exemplar plus 1.
  static constexpr uint32_t kNone = 0;             ///< The warp logs nothing.
  static constexpr uint32_t kAbsent = 0xffffffff;  ///< The warp's block exits immediately.
  uint64_t at = 0;    ///< Address of its first word; a record's words are TraceLog::kStride apart.
  uint64_t room = 0;  ///< Words per lane.
};

struct Exemplars {
  /// The entry has these additional parameters after its own:
  ///   .u64 places  a u32 for each warp of the grid, block by block: see ExemplarLog
  ///   .u64 logs    an ExemplarLog for each exemplar
  ///   .u64 ends    32 unused u64, then 32 u64 for each exemplar: the end of each lane's log
  Weave weave;
  Function entry;  ///< The entry to which `weave` applies; may contain the body twice.
  TraceLog log;
  /// The blocks do not communicate while they run, so blocks without exemplars may exit. (An
  /// unordered store in one block and load in another block would be a race.)
  bool isIndependent = false;
};

/// `entry` must be part of `module`, and its blocks have at most `threadsPerBlock` threads.
/// `registers`, unless 0, is the maximum per thread.
Result<Exemplars> logExemplars(const Module& module, const Function& entry,
                               uint64_t threadsPerBlock, uint32_t registers);

}  // namespace tilestep::ptx
