// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/launch.h"
#include "base/result.h"
#include "ptx/ir.h"

/// Rewrites a module so that a GPU counts what the program does, per epoch, while it runs. The
/// program's own instructions are unchanged and keep their order, so results are bit-identical.
/// Every thread counts in registers. A warp adds to memory only when an epoch's counts differ from
/// those of the previous epoch that ended at a barrier of the same kind (a sequence of equal epochs
/// is a "run"), and at its end. Most loops with barriers are counted by laps, which need even less
/// storage (ptx/analysis/laps.h).
namespace tilestep::ptx {

/// What is counted: trace::Counters except for the two that require the machine's reconvergence.
enum class Count : uint8_t {
  globalLoadThreads,
  globalLoadRequests,
  globalLoadSectors,
  globalLoadBytes,
  globalLoadDistinctBytes,
  globalStoreThreads,
  globalStoreRequests,
  globalStoreSectors,
  globalStoreBytes,
  globalStoreDistinctBytes,
  sharedLoadRequests,
  sharedLoadWavefronts,
  sharedLoadBankConflicts,
  sharedStoreRequests,
  sharedStoreWavefronts,
  sharedStoreBankConflicts,
  barriers,
  ffma,
  fadd,
  fmul,
  threadInstructions,
};

/// One unit in a column of the table adds `factor` to `count`.
struct CountTerm {
  Count count = Count::threadInstructions;
  int64_t factor = 1;
  bool operator==(const CountTerm&) const = default;
};
using CountColumn = std::vector<CountTerm>;

/// The table in GPU memory, as kernels/probes/count.cu fills it: 64-bit cells [copy][period -
/// 1][epoch][column]. For each period p, the counts of epoch e are the sum of the cells e, e - p, e
/// - 2p, …; the last row holds plain sums over all epochs from its own on. Sum over the copies;
/// cells wrap around.
struct CountTable {
  static constexpr uint32_t kCopies = 8;
  static constexpr uint32_t kPeriods = 8;
  static constexpr uint32_t kEpochs = 4096;
  /// Reported as the greatest epoch when a run met something that it cannot count. All of its
  /// counts are then void, and a module made without laps must be used.
  static constexpr uint32_t kUnfit = 0xffffffff;
  /// Module variable: pointer to the cells (8 bytes), columns (4), greatest epoch reached (4).
  static constexpr const char* kSymbol = "tilestep_table";
};

struct Instrumented {
  std::string ptx;
  std::vector<CountColumn> columns;
  bool hasLaps =
      false;  ///< Some loop is counted by laps (ptx/analysis/laps.h), which may prove unfit.
};

/// `probes` is kernels/probes/count.cu compiled for the module's target or an older one. Every
/// entry in `launches` is instrumented and carries its launch's .maxntid; one with barriers in
/// loops also carries .maxnreg unless `registerLimit` is 0. `withLaps`: loops may be counted by
/// laps, whose counts can turn out to be void (CountTable::kUnfit). An Error names what cannot be
/// counted: a call of a function with a body, or an indexed branch.
Result<Instrumented> instrument(const Module& module, const Module& probes,
                                const std::vector<Launch>& launches, uint32_t registerLimit = 0,
                                bool withLaps = true);

}  // namespace tilestep::ptx
