// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::simt {

/// What a thread does with a value that another thread may change at any time: a volatile load, or
/// one with a memory order.
enum class FlagUse : uint8_t {
  data,     ///< It computes with it, or stores it: an old value gives a wrong result.
  decides,  ///< The value decides which way the thread goes. What leaves the function counts, too.
  waits     ///< It decides, and the thread may load again from the same address until it changes.
};

/// By instruction of `function`; FlagUse::data for all that is no such load. The values that others
/// are computed from are followed through registers, not through memory.
[[nodiscard]] std::vector<FlagUse> flagUses(const ptx::Function& function);

}  // namespace tilestep::simt
