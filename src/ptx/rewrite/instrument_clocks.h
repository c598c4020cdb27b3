// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/launch.h"
#include "base/result.h"
#include "ptx/ir.h"

/// Rewrites a module so that each warp of an entry records when and where it ran and how long it
/// waited at each barrier. The program's own instructions are unchanged and keep their order. Each
/// warp reads the clock (%clock) immediately before and after each barrier, and the assembler keeps
/// these reads next to the barrier. Arithmetic may move across a clock read; memory accesses do not
/// move across a barrier. "Busy" is the time from the end of one barrier to the start of the next.
/// It includes waits for loads whose values are used in that time, and the few instructions that
/// record the previous epoch.
namespace tilestep::ptx {

/// The memory layout that the rewritten module and the host share: a header, which is a constant
/// variable that the host fills before a launch, one record per warp, and a row of cells for every
/// 2^rowShift-th block.
struct ClockTable {
  static constexpr const char* kSymbol = "tilestep_clocks";
  struct Header {
    uint64_t records = 0;    ///< Address of the records, [block][warp]. The host zeroes them.
    uint64_t cells = 0;      ///< Address of the cells, [row][barrier]. The host zeroes them.
    uint32_t cellCount = 0;  ///< Of all rows; 0 if none are to be written.
    uint32_t barriers = 0;   ///< Cells per row: the maximum number of barriers that a warp passes.
    uint32_t rowShift = 0;   ///< Block b has row b >> rowShift if its low rowShift bits are 0.
    /// Always 0. A cell's address includes this value times the lane index, so that the assembler
    /// must assume different addresses in different lanes. Otherwise it would add code that
    /// combines the lanes' additions.
    uint32_t zero = 0;
  };
  /// What one warp records; all zero if the warp never started.
  struct Record {
    uint64_t startNs = 0, startCycle = 0;  ///< %globaltimer, %clock64
    uint64_t endNs = 0, endCycle = 0;      ///< When the last lane exits.
    uint64_t waitCycles = 0;               ///< Total over all barriers.
    uint32_t smPlusOne = 0;                ///< %smid + 1
    uint32_t barriers = 0;                 ///< Number of barriers passed.
  };
  /// The 64-bit cell of a barrier holds sums over the block's warps: the busy cycles before the
  /// barrier in the lower half, and the cycles waited at the barrier in the upper half. The sums
  /// are correct if both numbers are below 2^27 in every warp.
  static constexpr uint64_t kMostCellCycles = uint64_t{1} << 27;
};
static_assert(sizeof(ClockTable::Header) == 32 && sizeof(ClockTable::Record) == 48);

/// The PTX of the module with the entry of `launch` rewritten. `maxRegisters`, unless 0, limits the
/// registers per thread to those of the original kernel, because more registers would lower the
/// occupancy; the assembler spills the rest to local memory. Fails if the entry is missing, calls a
/// function that has a body, or contains an indexed branch; the error names the cause.
Result<std::string> instrumentClocks(const Module& module, const Launch& launch,
                                     uint32_t maxRegisters);

}  // namespace tilestep::ptx
