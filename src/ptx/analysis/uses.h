// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

/// What an instruction does to registers, memory and other threads, and how its result follows from
/// its sources. All of it is in opcodes.def.
namespace tilestep::ptx {

[[nodiscard]] Use useOf(const Instruction& instruction);
[[nodiscard]] Effect effectOf(const Instruction& instruction);

/// Whether the registers of one operand are read or written. Those of an address are read.
enum class Role : uint8_t { read, written, updated };
[[nodiscard]] Role roleOf(const Instruction& instruction, size_t operand);

/// The registers that it writes; under a guard they may keep their old values.
[[nodiscard]] std::vector<uint32_t> writtenRegisters(const Instruction& instruction);
/// The registers that it reads, its guard and those of addresses among them. One may occur twice.
[[nodiscard]] std::vector<uint32_t> readRegisters(const Instruction& instruction);
/// The operands that it reads, addresses among them, in the order of the text.
[[nodiscard]] std::vector<const Operand*> sourcesOf(const Instruction& instruction);
/// The address whose memory it loads, stores or both; of a copy the one that it writes. Null: none.
[[nodiscard]] const Operand* addressOf(const Instruction& instruction);

/// It loads, stores, copies, or works on memory atomically.
[[nodiscard]] bool accessesMemory(const Instruction& instruction);
/// It loads into registers, atomically or not.
[[nodiscard]] bool readsMemory(const Instruction& instruction);
/// bar.sync and its like, of a block; not of a warp or a cluster.
[[nodiscard]] bool isBlockBarrier(const Instruction& instruction);
/// It waits until all lanes that it names have arrived: shfl.sync, bar.warp.sync and their like.
[[nodiscard]] bool joinsLanes(const Instruction& instruction);
/// ret and exit.
[[nodiscard]] bool isExit(const Instruction& instruction);

/// How an operand goes into the result: a letter of the opcode's formula. '.' also stands for the
/// result itself, for opcodes without a formula and for operands behind those of the formula.
[[nodiscard]] char termOf(const Instruction& instruction, size_t operand);

/// The result is one of its sources, unchanged: mov, selp.
[[nodiscard]] bool copiesSource(const Instruction& instruction);
/// The result is a sum of sources or of products of sources: add, sub, mad, fma.
[[nodiscard]] bool isSum(const Instruction& instruction);
/// The result is the product of the sources: mul.
[[nodiscard]] bool isProduct(const Instruction& instruction);

/// The result follows from the sources alone, and nothing else is written.
[[nodiscard]] bool isPure(const Instruction& instruction);
/// The result is a number that has no value where a source has none.
[[nodiscard]] bool needsValues(const Instruction& instruction);
/// Made from a running sum, the result still stands for it: a copy, or one that is scaled, biased
/// or converted, of floats.
[[nodiscard]] bool standsForSum(const Instruction& instruction);

}  // namespace tilestep::ptx
