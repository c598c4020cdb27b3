// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::simt {

/// Whether it is an atomic operation that changes nothing, which programs use to load:
/// atomicAdd(p, 0), atomicCAS(p, 0, 0).
[[nodiscard]] bool isAtomicLoad(const ptx::Instruction& instruction);

/// A thread's use of a value that another thread may change at any time: a volatile load, an
/// atomic one, or one with a memory order.
enum class FlagUse : uint8_t {
  data,     ///< It computes with it, or stores it: an old value gives a wrong result.
  decides,  ///< The value decides which way the thread goes, or an atomic minimum or the like
            ///< decides by it. What leaves the function counts, too.
  waits     ///< It decides, and the thread may load again from the same address until it changes.
};

/// By instruction of `function`; FlagUse::data for all that is no such load. The values that others
/// are computed from are followed through registers, not through memory. `steps`: how many
/// instructions the searches for waiting loops may still look at; what is used is taken off. A load
/// for which none are left waits for nothing.
[[nodiscard]] std::vector<FlagUse> flagUses(const ptx::Function& function, size_t& steps);

}  // namespace tilestep::simt
