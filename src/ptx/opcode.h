// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tilestep::ptx {

/// Root opcodes of PTX (the word before the first dot), defined in opcodes.def.
enum class Opcode : uint8_t {
  none,
#define TILESTEP_OPCODE(id, ...) id,
#include "ptx/opcodes.def"
};

// clang-format off
/// Determines how many operands a root has. `various` is for roots whose operand count depends on
/// suffixes.
enum class Form : uint8_t {
  various, bare, single, unary, binary, ternary, quaternary, convert, compare, extremum, logic,
  shuffle, vote, test, load, store, atomic, reduction, branch, indexed, call,
};
// clang-format on

/// The effects of an instruction apart from reading and writing registers.
enum class Effect : uint8_t {
  none,
  load,     ///< Reads the memory at its address.
  store,    ///< Writes the memory at its address.
  atomic,   ///< Reads and writes the memory at its address in one step.
  copy,     ///< Reads the memory at its second address and writes the memory at its first.
  hint,     ///< Has an address but does not access the memory there.
  object,   ///< Uses memory in other ways: mbarriers, tensors, texture queries.
  fence,    ///< Orders the thread's own accesses.
  barrier,  ///< Waits for other threads, or signals its arrival.
  lanes,    ///< Exchanges values with other lanes of the warp.
  branch,
  leave,  ///< Ends a function or a thread.
  call,
  trap,
};

/// How an instruction uses its operands (a string of letters, see opcodes.def), and its effect.
struct Use {
  std::string_view operands;
  Effect effect = Effect::none;
};

/// The checks that the parser makes for an instruction.
struct FormRule {
  uint8_t minOperands;
  uint8_t maxOperands;
  bool needsType;   ///< Requires at least one type suffix.
  bool usesMemory;  ///< A missing state space means generic.
};

/// The root as in PTX: "ld"; empty for `none`.
[[nodiscard]] std::string_view toText(Opcode opcode);
/// Opcode::none if there is no such root.
[[nodiscard]] Opcode opcodeOf(std::string_view root);

[[nodiscard]] Form formOf(Opcode opcode);
[[nodiscard]] FormRule ruleOf(Form form);

/// The use of a root without the suffixes in usesWithSuffix().
[[nodiscard]] Use useOf(Opcode opcode);
/// A suffix that changes the use of a root.
struct UseWith {
  Opcode opcode;
  std::string_view suffix;
  Use use;
};
[[nodiscard]] std::span<const UseWith> usesWithSuffix();

/// The relation between a root's result and its sources: two strings of letters (see opcodes.def).
/// Both are empty if no analysis uses the relation.
struct Formula {
  std::string_view terms;
  std::string_view facts;
};
[[nodiscard]] Formula formulaOf(Opcode opcode);

}  // namespace tilestep::ptx
