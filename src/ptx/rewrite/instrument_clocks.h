// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/launch.h"
#include "base/result.h"
#include "ptx/ir.h"

/// Rewrites a module so that each warp of one entry records when and where it ran and how long it
/// waited at each barrier. The added code only reads clocks: the program's own instructions are
/// unchanged and keep their order. A warp reads the clock (%clock) immediately before and after
/// each barrier, and the assembler keeps both reads next to the barrier. Arithmetic may move across
/// a clock read; memory accesses do not move across a barrier. "Busy" is the time from the end of
/// one barrier to the start of the next. It includes the waits for loads whose values are used
/// before that, and the few instructions that record the previous epoch.
namespace tilestep::ptx {

/// The layout that the rewritten module and the host share: a constant variable of the module that
/// the host fills before a launch, one record per warp, and a row of cells for every 2^rowShift-th
/// block.
struct ClockTable {
  static constexpr const char* kSymbol = "tilestep_clocks";
  struct Header {
    uint64_t records = 0;    ///< Address of the records, [block][warp], zeroed.
    uint64_t cells = 0;      ///< Address of the cells, [row][barrier], zeroed.
    uint32_t cellCount = 0;  ///< 0: no rows are written.
    uint32_t barriers = 0;   ///< Cells per row: the maximum number of barriers that a warp passes.
    uint32_t rowShift = 0;   ///< Block b has row b >> rowShift if its low rowShift bits are 0.
    /// Always 0. The address of a cell includes this value times the lane, so that the assembler
    /// sees addresses that differ between lanes; otherwise it would add code that combines the
    /// lanes' additions into one.
    uint32_t zero = 0;
  };
  /// Written by each warp; all zero if the warp never started.
  struct Record {
    uint64_t startNs = 0, startCycle = 0;  ///< %globaltimer, %clock64
    uint64_t endNs = 0, endCycle = 0;      ///< From the last lane to end.
    uint64_t waitCycles = 0;               ///< Total over all barriers.
    uint32_t smPlusOne = 0;                ///< %smid + 1
    uint32_t barriers = 0;                 ///< Number of barriers passed.
  };
  /// A cell is the sum over the block's warps: busy cycles before the barrier in the lower half,
  /// cycles waited at it in the upper half. It is correct if each is below 2^27 in every warp.
  static constexpr uint64_t kMostCellCycles = uint64_t{1} << 27;
};
static_assert(sizeof(ClockTable::Header) == 32 && sizeof(ClockTable::Record) == 48);

/// The module's text with the entry of `launch` rewritten. `maxRegisters` (0: no limit) keeps the
/// assembler from using more registers per thread than the plain kernel, which would lower the
/// occupancy to be timed; it spills the rest to local memory. An Error names what cannot be timed:
/// a missing entry, a call of a function with a body, or an indexed branch.
Result<std::string> instrumentClocks(const Module& module, const Launch& launch,
                                     uint32_t maxRegisters);

}  // namespace tilestep::ptx
