// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string_view>

#include "simt/decode/emitter.h"

namespace tilestep::simt {

[[nodiscard]] std::optional<MemorySpace> memorySpaceOf(ptx::Space space);

/// Fills `address`, `wideAddress` and `offset` from [reg + offset], [name + offset] or [offset];
/// false: it was rejected.
bool decodeAddress(Emitter& emitter, const ptx::Operand& operand, Instr& instr);

/// Rejects words of a load, a store or an atomic operation other than types, spaces, vectors,
/// memory orders, scopes, cache hints and `words`.
void allowAccess(Emitter& e, std::initializer_list<std::string_view> words);

}  // namespace tilestep::simt
