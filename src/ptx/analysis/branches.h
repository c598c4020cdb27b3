// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether the instruction has a guard predicate.
[[nodiscard]] bool isGuarded(const Instruction& instruction);

/// Whether it is a bra, guarded or not.
[[nodiscard]] bool isBranch(const Instruction& instruction);

/// The possible targets of a brx whose operands are resolved.
[[nodiscard]] const Table& branchTable(const Function& function, const Instruction& brx);

/// Updates labels and branch targets after instructions were added or removed. `places` maps each
/// old instruction index, including the end, to the new index.
void moveTargets(Function& function, const std::vector<uint32_t>& places);

}  // namespace tilestep::ptx
