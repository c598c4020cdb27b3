// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/decode/emitter.h"

namespace tilestep::simt {

[[nodiscard]] std::optional<MemorySpace> memorySpaceOf(ptx::Space space);

/// Fills `address`, `wideAddress` and `offset` from [reg + offset], [name + offset] or [offset];
/// false: refused.
bool decodeAddress(Emitter& emitter, const ptx::Operand& operand, Instr& instr);

}  // namespace tilestep::simt
