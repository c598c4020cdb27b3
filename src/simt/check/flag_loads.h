// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::simt {

/// Whether it is an atomic operation that changes nothing, which programs use as a load:
/// atomicAdd(p, 0), atomicCAS(p, 0, 0).
[[nodiscard]] bool isAtomicLoad(const ptx::Instruction& instruction);

/// A thread's use of a value that another thread may change at any time: a volatile load, an
/// atomic one, or one with a memory order.
enum class FlagUse : uint8_t {
  data,     ///< It computes with the value, or stores it: an old value gives a wrong result.
  decides,  ///< The value decides a branch, or an atomic minimum or the like
            ///< decides by it. Values that leave the function count, too.
  waits     ///< It decides, and the thread may load again from the same address until it changes.
};

/// By instruction of `function`; FlagUse::data for everything that is not such a load. Values
/// computed from the loaded one are followed through registers, not through memory. `steps`: the
/// number of instructions that the searches for waiting loops may still examine; it is reduced by
/// the number examined. A load for which none are left counts as not waiting.
[[nodiscard]] std::vector<FlagUse> flagUses(const ptx::Function& function, size_t& steps);

}  // namespace tilestep::simt
