// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string_view>

#include "simt/decode/emitter.h"

namespace tilestep::simt {

[[nodiscard]] std::optional<MemorySpace> memorySpaceOf(ptx::Space space);

/// Fills `address`, `wideAddress` and `offset` from [reg + offset], [name + offset] or [offset].
/// Returns false if the operand was rejected.
bool decodeAddress(Emitter& emitter, const ptx::Operand& operand, Instr& instr);

/// Rejects suffixes of a load, store or atomic operation other than types, state spaces, vectors,
/// memory orders, scopes, cache hints and `words`.
void allowAccess(Emitter& e, std::initializer_list<std::string_view> words);

}  // namespace tilestep::simt
