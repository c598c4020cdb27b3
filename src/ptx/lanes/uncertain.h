// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/ir.h"

/// Where the hardware may make other requests of memory than the program's text says.
///
/// The counts follow PTX, by the rule that lanes which part run together again as soon as they come
/// to one block. Machine code keeps to that nearly everywhere: docs/measurements/parted-lanes.md
/// compares both. It departs from it in the cases below.
namespace tilestep::ptx {

/// A load or store of global, shared or generic memory, an asynchronous copy, or a call, which
/// stands for all accesses of the function that it calls.
struct UncertainAccess {
  enum class Because : uint8_t {
    /// It is in a loop that the assembler may unroll (unrolled_loops.h) and that lanes of a warp
    /// leave in different iterations. Lanes with many iterations left then run another copy of the
    /// body than those with few, so that one request becomes several.
    unrolled,
    /// It is in a loop that waits for other threads, or that tries an atomic operation again
    /// (waiting_loops.h). The schedule decides how often the loop goes round.
    waits,
    /// It follows such a loop before a barrier: lanes may still be apart.
    waited,
    /// Lanes come to it in several ways, such as from two cases of a `switch` that fall through to
    /// a third, and the assembler brings them together only later.
    meets,
    /// Its address follows from an atomic operation's result, so the schedule decides which lanes
    /// access neighbouring places.
    places,
  };
  uint32_t instruction = 0;
  Because because = Because::unrolled;
  /// The instruction to name: the exit of the loop, where lanes meet, or the atomic operation.
  uint32_t at = 0;
  /// The branch that the reason depends on; kNone: it holds in every launch.
  uint32_t branch = kNone;
  /// The reason holds only where lanes of a warp part at the branch; else wherever a warp comes to
  /// it. All other launches count what the hardware counts.
  bool ifParted = false;
  bool operator==(const UncertainAccess&) const = default;
};

/// In the order of the text; an access stands there once for each reason.
[[nodiscard]] std::vector<UncertainAccess> uncertainAccesses(const Function& function);

/// The first instruction that prints, if any. The machine's own code for that loads and stores,
/// too.
[[nodiscard]] std::optional<uint32_t> firstPrintOf(const Function& function);

}  // namespace tilestep::ptx
