// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether only lanes with a true predicate execute it.
[[nodiscard]] bool isGuarded(const Instruction& instruction);

/// bra.
[[nodiscard]] bool isBranch(const Instruction& instruction);

/// The targets from which a brx with resolved operands chooses.
[[nodiscard]] const Table& branchTable(const Function& function, const Instruction& brx);

/// Updates labels and branch targets after instructions were added or removed. `places` maps each
/// old index, including the end, to the new one.
void moveTargets(Function& function, const std::vector<uint32_t>& places);

}  // namespace tilestep::ptx
