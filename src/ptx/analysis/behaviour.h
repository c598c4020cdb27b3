// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

/// The values that decide how a thread behaves: which path it takes through the program, and which
/// addresses it accesses. Two warps whose lanes agree in all of them make the same requests.
///
/// A value is *known* if it follows from the launch's parameters, from the path taken so far (as
/// loop counters do), and from predicates that are *told*: recorded where the program computes
/// them. Every other value that addresses depend on is a sum of *roots* and a known value. Roots
/// are values that the program computes outside of loops, or in a loop in a nonlinear way. In a
/// loop, the result of subtracting an unknown value is a root, too. Using both operands as roots
/// instead would be correct, but would distinguish warps with equal differences.
///
/// Most roots have *one* factor in each sum, the same for all lanes at all times. If such a root
/// differs between two warps by one distance in all lanes, then so do the addresses, and requests
/// that lie apart by a multiple of 32 bytes in global memory, or of 128 bytes in shared memory,
/// count the same. If lanes may hold one root or another, the roots form a *group* that must differ
/// by one distance. All other roots are *exact*: they must be equal.
///
/// Assumption: a 32-bit index does not wrap around before it is part of a 64-bit address.
namespace tilestep::ptx {

struct Behaviour {
  struct Root {
    uint32_t instruction = 0;  ///< Computes the root, which is available after it.
    uint32_t reg = 0;
    bool repeats = false;  ///< In a loop: computed any number of times.
    bool exact = false;
    /// A distance that is a multiple of 2^alignment changes no request.
    uint8_t alignment = 0;
    /// The roots of a group must differ by one distance, because a lane's address may be based on
    /// any of them. An exact root has a group of its own.
    uint32_t group = 0;
  };
  std::vector<Root> roots;  ///< In text order.
  /// Predicates that are computed before a loop and decide something in it. Once recorded, they
  /// count as known.
  struct Told {
    uint32_t instruction = 0;
    uint32_t reg = 0;
  };
  std::vector<Told> told;  ///< In text order.
  /// By instruction: its counts depend on a guard whose value is not known.
  std::vector<bool> open;
  /// By instruction: it accesses a generic address in an unknown state space.
  std::vector<bool> openSpace;
  /// All decisions of a thread fit into one word, after a leading 1 bit.
  bool isShort = false;
  /// The thread's index counts as known, so only warps at the same place in their blocks may be
  /// compared.
  bool ofOnePlace = false;
};

/// For an entry without indexed branches and without calls of functions with a body.
[[nodiscard]] Behaviour behaviourOf(const Function& entry);

}  // namespace tilestep::ptx
