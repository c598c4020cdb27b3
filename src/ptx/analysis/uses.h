// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

/// The effects of an instruction on registers, memory and other threads, and the relation between
/// its result and its sources. All of it comes from opcodes.def.
namespace tilestep::ptx {

[[nodiscard]] Use useOf(const Instruction& instruction);
[[nodiscard]] Effect effectOf(const Instruction& instruction);

/// Whether the registers of an operand are read or written. Those of an address are read.
enum class Role : uint8_t { read, written, updated };
[[nodiscard]] Role roleOf(const Instruction& instruction, size_t operand);

/// The registers that it writes; with a guard they may keep their old values.
[[nodiscard]] std::vector<uint32_t> writtenRegisters(const Instruction& instruction);
/// The registers that it reads, including its guard and those of addresses. One may occur twice.
[[nodiscard]] std::vector<uint32_t> readRegisters(const Instruction& instruction);
/// The operands that it reads, including addresses, in text order.
[[nodiscard]] std::vector<const Operand*> sourcesOf(const Instruction& instruction);
/// The address whose memory it loads, stores or both; for a copy, the one that it writes. Null if
/// it has none.
[[nodiscard]] const Operand* addressOf(const Instruction& instruction);

/// Whether it loads, stores, copies or accesses memory atomically.
[[nodiscard]] bool accessesMemory(const Instruction& instruction);
/// Whether it loads into registers, atomically or not.
[[nodiscard]] bool readsMemory(const Instruction& instruction);
/// Whether it is a barrier of a block (bar.sync and similar), not of a warp or a cluster.
[[nodiscard]] bool isBlockBarrier(const Instruction& instruction);
/// Whether it waits for all lanes of its member mask: shfl.sync, bar.warp.sync and similar.
[[nodiscard]] bool joinsLanes(const Instruction& instruction);
/// ret and exit.
[[nodiscard]] bool isExit(const Instruction& instruction);

/// The role of an operand in the result: a letter of the opcode's formula. '.' is also returned for
/// the result itself, for opcodes without a formula, and for operands after those of the formula.
[[nodiscard]] char termOf(const Instruction& instruction, size_t operand);

/// Whether the result is one of its sources, unchanged: mov, selp.
[[nodiscard]] bool copiesSource(const Instruction& instruction);
/// Whether the result is a sum of sources or of products of sources: add, sub, mad, fma.
[[nodiscard]] bool isSum(const Instruction& instruction);
/// Whether the result is the product of the sources: mul.
[[nodiscard]] bool isProduct(const Instruction& instruction);

/// Whether the result follows from the sources alone, and nothing else is written.
[[nodiscard]] bool isPure(const Instruction& instruction);
/// Whether the result is a number that is undefined if a source is.
[[nodiscard]] bool needsValues(const Instruction& instruction);
/// Whether a result computed from a running sum still represents it: a copy, or a scaled, biased or
/// converted float.
[[nodiscard]] bool standsForSum(const Instruction& instruction);

}  // namespace tilestep::ptx
