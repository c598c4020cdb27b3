// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

/// The values that determine a thread's path through the program and the addresses that it
/// accesses. Two warps whose lanes agree in all these values make the same requests.
///
/// A value is *known* if it follows from the launch parameters, the path taken so far (as a loop
/// counter does), and *told* predicates, which are recorded where the program computes them. Every
/// unknown value that an address depends on is a sum of *roots* and a known value. Roots are
/// unknown values that the program computes outside of loops, or nonlinearly in a loop. In a loop,
/// the result of subtracting an unknown value is a root, too. Using its two operands as roots
/// instead would be correct, but would distinguish warps with equal differences.
///
/// In each sum, most roots have a factor that is the same in all lanes at all times. If such a root
/// differs between two warps by the same distance in all lanes, the addresses do so, too. Requests
/// at a distance of a multiple of 32 bytes in global memory, or 128 bytes in shared memory, have
/// equal counts. If each lane may hold any of several roots, these roots form a *group*, and all of
/// them must differ by the same distance. All other roots are *exact*: they must be equal in both
/// warps.
///
/// This assumes that a 32-bit index does not wrap around before it becomes part of a 64-bit
/// address.
namespace tilestep::ptx {

struct Behaviour {
  struct Root {
    uint32_t instruction = 0;  ///< Computes the root, which is available after it.
    uint32_t reg = 0;
    bool repeats = false;  ///< It is computed in a loop, any number of times.
    bool exact = false;
    /// Distances that are multiples of 2^alignment do not change the counts of requests.
    uint8_t alignment = 0;
    /// All roots of a group must differ by the same distance, because a lane's address may be based
    /// on any of them. An exact root is alone in its group.
    uint32_t group = 0;
  };
  std::vector<Root> roots;  ///< In program order.
  /// A predicate that is computed outside of loops and affects a guard in a loop. It is recorded,
  /// and then counts as known.
  struct Told {
    uint32_t instruction = 0;
    uint32_t reg = 0;
  };
  std::vector<Told> told;  ///< In program order.
  /// For each instruction, whether its counts depend on a guard that is not known.
  std::vector<bool> open;
  /// For each instruction, whether it accesses a generic address in an unknown state space.
  std::vector<bool> openSpace;
  /// Whether all decisions of a thread fit into one 32-bit word, after a leading 1 bit.
  bool isShort = false;
  /// The thread index counts as known: compare only warps with equal warp indices in their blocks.
  bool ofOnePlace = false;
};

/// `entry` must not contain indexed branches (brx) or calls of functions that have a body.
[[nodiscard]] Behaviour behaviourOf(const Function& entry);

}  // namespace tilestep::ptx
