// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string_view>

#include "simt/decode/emitter.h"

namespace tilestep::simt {

[[nodiscard]] std::optional<MemorySpace> memorySpaceOf(ptx::Space space);

/// Fills `address`, `wideAddress` and `offset` from [reg + offset], [name + offset] or [offset];
/// false: refused.
bool decodeAddress(Emitter& emitter, const ptx::Operand& operand, Instr& instr);

/// Refuses words of a load, a store or an atomic operation that are no type, space, vector, memory
/// order, scope, cache hint or one of `words`.
void allowAccess(Emitter& e, std::initializer_list<std::string_view> words);

}  // namespace tilestep::simt
