// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

/// The effects of an instruction on registers, memory and other threads, and the relation between
/// its result and its sources, according to opcodes.def.
namespace tilestep::ptx {

[[nodiscard]] Use useOf(const Instruction& instruction);
[[nodiscard]] Effect effectOf(const Instruction& instruction);

/// Whether an operand's registers are read or written. Registers in an address are read.
enum class Role : uint8_t { read, written, updated };
[[nodiscard]] Role roleOf(const Instruction& instruction, size_t operand);

/// The registers that the instruction writes. If it is guarded, they may keep their old values.
[[nodiscard]] std::vector<uint32_t> writtenRegisters(const Instruction& instruction);
/// The registers that the instruction reads, including its guard and addresses. May repeat some.
[[nodiscard]] std::vector<uint32_t> readRegisters(const Instruction& instruction);
/// The operands that the instruction reads, including addresses, in order.
[[nodiscard]] std::vector<const Operand*> sourcesOf(const Instruction& instruction);
/// The address that the instruction accesses; for a copy, its destination. Null if there is none.
[[nodiscard]] const Operand* addressOf(const Instruction& instruction);

/// Whether it is a load, a store, a copy or an atomic operation.
[[nodiscard]] bool accessesMemory(const Instruction& instruction);
/// Whether it loads from memory into registers, atomically or not.
[[nodiscard]] bool readsMemory(const Instruction& instruction);
/// Whether it is a barrier for a block (bar.sync and similar), not for a warp or a cluster.
[[nodiscard]] bool isBlockBarrier(const Instruction& instruction);
/// Whether it waits for all lanes in its member mask: shfl.sync, bar.warp.sync and similar.
[[nodiscard]] bool joinsLanes(const Instruction& instruction);
/// Whether it is a ret or an exit.
[[nodiscard]] bool isExit(const Instruction& instruction);

/// The operand's letter in the opcode's formula. '.' for the result itself, for opcodes without a
/// formula, and for operands that the formula does not mention.
[[nodiscard]] char termOf(const Instruction& instruction, size_t operand);

/// Whether the result is one of the sources, unchanged: mov, selp.
[[nodiscard]] bool copiesSource(const Instruction& instruction);
/// Whether the result is a sum of sources or products of sources: add, sub, mad, fma.
[[nodiscard]] bool isSum(const Instruction& instruction);
/// Whether the result is the product of the sources: mul.
[[nodiscard]] bool isProduct(const Instruction& instruction);

/// Whether the result depends only on the sources, and nothing else is written.
[[nodiscard]] bool isPure(const Instruction& instruction);
/// Whether the result is undefined if any source is undefined.
[[nodiscard]] bool needsValues(const Instruction& instruction);
/// Whether a result still represents a running sum: a copy, or a float scaled, biased or converted.
[[nodiscard]] bool standsForSum(const Instruction& instruction);

}  // namespace tilestep::ptx
