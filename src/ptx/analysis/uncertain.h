// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/ir.h"

/// Where the hardware may make other requests of memory than the program's text says.
///
/// The counts follow PTX, by the rule that lanes which part meet again at the first block that they
/// have in common. Machine code keeps to that nearly everywhere: docs/measurements/parted-lanes.md
/// compares both. It departs from it in three cases, and these are found here.
///  1. The assembler unrolls a loop that lanes of a warp leave in different iterations. Lanes that
///     have many iterations left then run in another copy of the body than those with few, so that
///     one request becomes several. It unrolls innermost loops with one exit that count by a
///     constant up to a limit that does not change in the loop, if they are short and hold no
///     barrier, exchange between lanes, atomic operation or call (`ptxas` 13.0, for sm_80 to
///     sm_120; what it refuses was found by trying).
///  2. A loop waits for other threads, or tries again until an atomic operation succeeds. How often
///     it goes round, and which lanes leave it together, is decided by the schedule; lanes are
///     together again at the next barrier.
///  3. The kernel prints. The machine's own code then loads and stores, too.
namespace tilestep::ptx {

/// A load or store of global, shared or generic memory.
struct UncertainAccess {
  uint32_t instruction = 0;
  bool waits = false;  ///< Case 2; else case 1.
  uint32_t exit = 0;   ///< The instruction by which threads leave the loop.
  bool operator==(const UncertainAccess&) const = default;
};

/// Cases 1 and 2, in the order of the text, each access once.
[[nodiscard]] std::vector<UncertainAccess> uncertainAccesses(const Function& function);

/// Case 3: the first instruction that prints, if any.
[[nodiscard]] std::optional<uint32_t> firstPrintOf(const Function& function);

}  // namespace tilestep::ptx
