// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/launch.h"
#include "base/result.h"
#include "ptx/ir.h"
#include "ptx/rewrite/trace_log.h"

/// Rewrites a module so that chosen warps, the *exemplars*, log where their threads go and what they
/// access. The host counts from these logs (device/cuda/counting/warp_counts.h).
namespace tilestep::ptx {

/// What the rewritten entries take after their own parameters:
///   .u64 places  a u32 for each warp of the grid, block after block: see below
///   .u64 logs    an ExemplarLog for each exemplar
///   .u64 ends    32 u64 for each exemplar, after 32 that mean nothing: where its lanes ended
struct ExemplarLog {
  static constexpr uint32_t kNone = 0;             ///< This warp logs nothing.
  static constexpr uint32_t kAbsent = 0xffffffff;  ///< Its block leaves at once.
  // Otherwise a place is the number of an exemplar plus 1.
  uint64_t at = 0;    ///< Address of its first word; a record's words are TraceLog::kStride apart.
  uint64_t room = 0;  ///< Words for each lane.
};

struct Exemplars {
  std::string ptx;
  /// The program that the logs follow: the instructions of `module`'s entries, with those that stand
  /// for copies (ptx/rewrite/instrument_copies.h).
  Module module;
  std::map<std::string, TraceLog> logs;  ///< By entry.
  /// Entries whose blocks exchange nothing while they run, so that blocks without exemplars may
  /// leave. (What one block stores and another loads with nothing to order them is a race.)
  std::set<std::string> independent;
};

/// `registers`, unless 0, is the most that a thread may take.
Result<Exemplars> instrumentExemplars(const Module& module, const std::vector<Launch>& launches,
                                      uint32_t registers = 0);

}  // namespace tilestep::ptx
