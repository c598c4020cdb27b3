// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::simt {

/// Whether it is an atomic operation that changes nothing and is therefore used as a load, such as
/// atomicAdd(p, 0) or atomicCAS(p, 0, 0).
[[nodiscard]] bool isAtomicLoad(const ptx::Instruction& instruction);

/// How a thread uses the value of a load from memory that another thread may change at any time.
/// The load is volatile, atomic, or has a memory order.
enum class FlagUse : uint8_t {
  /// The thread computes with the value or stores it, so an outdated value gives a wrong result.
  data,
  /// The value decides a branch or is an operand of an atomic operation that reads the memory
  /// again, such as a minimum. Values that leave the function also count as deciding.
  decides,
  /// The value decides, and the thread may load again from the same address until it changes.
  waits
};

/// Returns the use for each instruction of `function`; FlagUse::data if it is not such a load.
/// Values computed from the loaded value are followed through registers, not through memory.
/// `steps` is the number of instructions that the searches for waiting loops may still examine, and
/// is reduced by the number examined. When it reaches 0, further loads count as not waiting.
[[nodiscard]] std::vector<FlagUse> flagUses(const ptx::Function& function, size_t& steps);

}  // namespace tilestep::simt
