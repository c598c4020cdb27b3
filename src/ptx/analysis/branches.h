// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Only lanes whose predicate holds run it.
[[nodiscard]] bool isGuarded(const Instruction& instruction);

/// bra.
[[nodiscard]] bool isBranch(const Instruction& instruction);

/// After instructions were added or left out: labels and the targets of branches go to where what
/// stood at an index stands now. `places` holds that by index, and one more for the end.
void moveTargets(Function& function, const std::vector<uint32_t>& places);

}  // namespace tilestep::ptx
