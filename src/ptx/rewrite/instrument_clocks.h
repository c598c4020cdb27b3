// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/launch.h"
#include "base/result.h"
#include "ptx/ir.h"

/// Rewrites a module so that each warp of one entry says when and where it ran and how long it
/// waited at each barrier. It reads clocks and nothing else: the program's own instructions stay as
/// they are, in their order. A warp reads the clock (%clock) right before and right behind each
/// barrier, both of which the assembler keeps beside the barrier. Arithmetic may move across a
/// clock; memory accesses do not move across a barrier. So "busy" is the time from behind one
/// barrier to before the next, with the waits for the loads whose values are used before it, and
/// with the few instructions that write the last epoch down.
namespace tilestep::ptx {

/// What the rewritten module and the host share: a constant variable of the module that the host
/// fills before a launch, one record a warp, and a row of cells for every 2^rowShift-th block.
struct ClockTable {
  static constexpr const char* kSymbol = "tilestep_clocks";
  struct Header {
    uint64_t records = 0;    ///< Address of the records, [block][warp], zeroed.
    uint64_t cells = 0;      ///< Address of the cells, [row][barrier], zeroed.
    uint32_t cellCount = 0;  ///< 0: no rows are written.
    uint32_t barriers = 0;   ///< Cells a row: the most barriers that a warp passes.
    uint32_t rowShift = 0;   ///< Block b has row b >> rowShift where its lower bits are 0.
    /// Always 0. A cell is found with it times the lane, so that the assembler sees addresses which
    /// differ from lane to lane: else it adds code that folds the lanes' additions into one.
    uint32_t zero = 0;
  };
  /// As the warp left it; all zero where it never began.
  struct Record {
    uint64_t startNs = 0, startCycle = 0;  ///< %globaltimer, %clock64
    uint64_t endNs = 0, endCycle = 0;      ///< Of its last lane to end.
    uint64_t waitCycles = 0;               ///< At all barriers together.
    uint32_t smPlusOne = 0;                ///< %smid + 1
    uint32_t barriers = 0;                 ///< Passed.
  };
  /// A cell is the sum over the block's warps: busy cycles before the barrier in the lower half,
  /// cycles waited at it in the upper half. It is right while each is below 2^27 in every warp.
  static constexpr uint64_t kMostCellCycles = uint64_t{1} << 27;
};
static_assert(sizeof(ClockTable::Header) == 32 && sizeof(ClockTable::Record) == 48);

/// The module's text with `launch`'s entry rewritten. `maxRegisters` (0: no bound) keeps the
/// assembler from taking more registers a thread than the plain kernel has: more would lower the
/// occupancy that is to be timed; what does not fit it keeps in local memory. An Error names what
/// cannot be timed: no such entry, a call of a function with a body, an indexed branch.
Result<std::string> instrumentClocks(const Module& module, const Launch& launch,
                                     uint32_t maxRegisters);

}  // namespace tilestep::ptx
