// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/ir.h"

/// Accesses for which the hardware may make other memory requests than the PTX implies.
///
/// The counts follow PTX, by the rule that diverged lanes run together again as soon as they reach
/// one block. Machine code does the same nearly everywhere: docs/measurements/parted-lanes.md
/// compares both. The exceptions are below.
namespace tilestep::ptx {

/// A load or store of global, shared or generic memory, an asynchronous copy, or a call, which
/// represents all accesses of the called function.
struct UncertainAccess {
  enum class Because : uint8_t {
    /// It is in a loop that the assembler may unroll (unrolled_loops.h) and that the lanes of a
    /// warp leave in different iterations. Lanes with many remaining iterations then run another
    /// copy of the body than lanes with few, so that one request becomes several.
    unrolled,
    /// It is in a loop that waits for other threads or retries an atomic operation
    /// (waiting_loops.h). The number of iterations depends on the schedule.
    waits,
    /// It is between such a loop and the next barrier: lanes may still be diverged.
    waited,
    /// Lanes reach it by several paths, such as two cases of a `switch` that fall through to a
    /// third, and the assembler makes them reconverge only later.
    meets,
    /// Its address follows from an atomic operation's result, so the schedule decides which lanes
    /// access neighbouring elements.
    places,
  };
  uint32_t instruction = 0;
  Because because = Because::unrolled;
  /// The instruction to report: the loop's exit, the meeting point of the lanes, or the atomic
  /// operation.
  uint32_t at = 0;
  /// The branch that the reason depends on; kNone: it applies to every launch.
  uint32_t branch = kNone;
  /// The reason applies only if the lanes of a warp diverge at the branch, otherwise whenever a
  /// warp reaches the branch. In all other launches the counts match the hardware's.
  bool ifParted = false;
  bool operator==(const UncertainAccess&) const = default;
};

/// In text order; an access occurs once per reason.
[[nodiscard]] std::vector<UncertainAccess> uncertainAccesses(const Function& function);

/// The first instruction that prints, if any. Printing makes loads and stores of its own in machine
/// code.
[[nodiscard]] std::optional<uint32_t> firstPrintOf(const Function& function);

}  // namespace tilestep::ptx
