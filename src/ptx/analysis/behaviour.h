// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

/// What decides how a thread behaves, which means the way it takes through the program and the
/// addresses that it accesses. Two warps whose lanes agree in all of it make the same requests.
///
/// A value is *known* where it follows from the launch's parameters and from the way taken so far,
/// as loop counters do, and from predicates that are told where the program computes them. Every
/// other value that addresses depend on is a sum of *roots*: values that the program computes
/// outside of its loops, or in a loop in a way that is not linear. The rest of the sum is known. In
/// a loop, the result of subtracting an unknown value is a root itself. To take both values as
/// roots would be right, too, but it would tell warps apart whose differences are equal.
///
/// Most roots have *one* factor in each sum, which is the same for all lanes at all times. If such
/// a root differs between two warps by one distance in all lanes, then so do the addresses, and
/// requests that lie apart by a multiple of 32 bytes in global memory, or of 128 bytes in shared
/// memory, count the same. If lanes may hold one root or another, the roots form a *group* that
/// must differ by one distance. All other roots are *exact*: they must be equal.
///
/// It rests on one assumption, that no 32-bit index wraps around on its way into a 64-bit address.
namespace tilestep::ptx {

struct Behaviour {
  struct Root {
    uint32_t instruction = 0;  ///< Computes it. Its value is there after the instruction.
    uint32_t reg = 0;
    bool repeats = false;  ///< In a loop, so a thread may compute it any number of times.
    bool exact = false;
    /// Distances that are multiples of 2 to this power change no request.
    uint8_t alignment = 0;
    /// Roots of one group must differ by one distance, because a lane's address may come from any
    /// of them. A root that is exact has a group of its own.
    uint32_t group = 0;
  };
  std::vector<Root> roots;  ///< In the order of the text.
  /// Predicates that are computed before a loop and decide something in it. Once they are told,
  /// they count as known.
  struct Told {
    uint32_t instruction = 0;
    uint32_t reg = 0;
  };
  std::vector<Told> told;  ///< In the order of the text.
  /// By instruction: it is guarded, what it counts depends on that, and whether its guard holds is
  /// not known.
  std::vector<bool> open;
  /// By instruction: it accesses a generic address, and which space that lies in is not known.
  std::vector<bool> openSpace;
  /// All that a thread decides are so few bits that they fit into one word, after a first 1.
  bool isShort = false;
  /// The thread's index counts as known, so only warps at one place in their blocks may be
  /// compared.
  bool ofOnePlace = false;
};

/// Of an entry without indexed branches and without calls of functions that have a body.
[[nodiscard]] Behaviour behaviourOf(const Function& entry);

}  // namespace tilestep::ptx
