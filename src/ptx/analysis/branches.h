// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether only lanes whose predicate is true run it.
[[nodiscard]] bool isGuarded(const Instruction& instruction);

/// bra.
[[nodiscard]] bool isBranch(const Instruction& instruction);

/// The targets that a brx, whose operands are resolved, chooses from.
[[nodiscard]] const Table& branchTable(const Function& function, const Instruction& brx);

/// Updates labels and branch targets after instructions were added or removed. `places` holds, for
/// each old index and for the end, the new index.
void moveTargets(Function& function, const std::vector<uint32_t>& places);

}  // namespace tilestep::ptx
