// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/ir.h"

/// Accesses for which the hardware may make different memory requests than the PTX implies.
///
/// The counts follow the PTX and assume that diverged lanes reconverge as soon as they reach the
/// same block. Machine code does so nearly everywhere (docs/measurements/parted-lanes.md). The
/// exceptions are below.
namespace tilestep::ptx {

/// A load or store of global, shared or generic memory, an asynchronous copy, or a call, which
/// represents all accesses of the called function.
struct UncertainAccess {
  enum class Because : uint8_t {
    /// It is in a loop that the assembler may unroll (unrolled_loops.h) and that the lanes of a
    /// warp leave in different iterations. Lanes with many remaining iterations and lanes with few
    /// then run different copies of the body, so that one request becomes several.
    unrolled,
    /// It is in a loop that waits for other threads or retries an atomic operation
    /// (waiting_loops.h). The number of iterations depends on the schedule.
    waits,
    /// It is between a loop of the kind `waits` and the next barrier: lanes may still be diverged.
    waited,
    /// Lanes reach it on several paths, such as two cases of a `switch` that fall through to a
    /// third, and the assembler makes them reconverge only later.
    meets,
    /// Its address depends on an atomic operation's result, so the schedule determines which lanes
    /// access neighbouring elements.
    places,
  };
  uint32_t instruction = 0;
  Because because = Because::unrolled;
  /// The instruction to report: the loop's exit, the lanes' meeting point, or the atomic operation.
  uint32_t at = 0;
  /// The branch on which the reason depends; kNone if the reason applies to every launch.
  uint32_t branch = kNone;
  /// If true, the reason applies only if a warp diverges at `branch`; if false, whenever a warp
  /// reaches `branch`. In launches to which no reason applies, the counts match the hardware's.
  bool ifParted = false;
  bool operator==(const UncertainAccess&) const = default;
};

/// In program order. An access with several reasons occurs once for each.
[[nodiscard]] std::vector<UncertainAccess> uncertainAccesses(const Function& function);

/// The first call of vprintf, if any. In machine code, printing makes additional loads and stores.
[[nodiscard]] std::optional<uint32_t> firstPrintOf(const Function& function);

}  // namespace tilestep::ptx
