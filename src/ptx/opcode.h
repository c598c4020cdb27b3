// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tilestep::ptx {

/// Root opcodes of PTX (the word before the first dot). opcodes.def is the one table.
enum class Opcode : uint8_t {
  none,
#define TILESTEP_OPCODE(id, ...) id,
#include "ptx/opcodes.def"
};

/// How widely a root is needed; opcodes.def says what each tier covers.
enum class Tier : uint8_t { first1a, first1b, second, third, rest };

// clang-format off
/// How many operands a root takes; roots that differ too much by suffix are `various`.
enum class Form : uint8_t {
  various, bare, single, unary, binary, ternary, quaternary, convert, compare, extremum, logic,
  shuffle, vote, test, load, store, atomic, reduction, branch, indexed, call,
};
// clang-format on

/// What an instruction does beside reading and writing registers.
enum class Effect : uint8_t {
  none,
  load,     ///< Reads the memory at its address.
  store,    ///< Writes the memory at its address.
  atomic,   ///< Reads and writes the memory at its address in one step.
  copy,     ///< Reads the memory at its second address and writes that at its first.
  hint,     ///< Has an address and neither reads nor writes the memory there.
  object,   ///< Uses memory in another way: mbarriers, tensors, texture queries.
  fence,    ///< Orders the thread's own accesses.
  barrier,  ///< Waits for other threads, or signals its arrival.
  lanes,    ///< Exchanges values with other lanes of its warp.
  branch,
  leave,  ///< Ends a function or a thread.
  call,
  trap,
};

/// What becomes of an instruction's operands: a string of letters, see opcodes.def; and its effect.
struct Use {
  std::string_view operands;
  Effect effect = Effect::none;
};

/// What the parser checks of an instruction.
struct FormRule {
  uint8_t minOperands;
  uint8_t maxOperands;
  bool needsType;   ///< At least one type suffix.
  bool usesMemory;  ///< A missing state space means generic.
};

/// The root's text ("ld"); empty for none.
[[nodiscard]] std::string_view toText(Opcode opcode);
/// Opcode::none when there is no such root.
[[nodiscard]] Opcode opcodeOf(std::string_view root);

[[nodiscard]] Tier tierOf(Opcode opcode);
[[nodiscard]] Form formOf(Opcode opcode);
[[nodiscard]] FormRule ruleOf(Form form);

/// The use of a root without the suffixes that change it.
[[nodiscard]] Use useOf(Opcode opcode);
/// A suffix that changes what a root does.
struct UseWith {
  Opcode opcode;
  std::string_view suffix;
  Use use;
};
[[nodiscard]] std::span<const UseWith> usesWithSuffix();

/// How a root's result follows from its sources: two strings of letters, see opcodes.def. Both are
/// empty where analyses know nothing of it.
struct Formula {
  std::string_view terms;
  std::string_view facts;
};
[[nodiscard]] Formula formulaOf(Opcode opcode);

}  // namespace tilestep::ptx
