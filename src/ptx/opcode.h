// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace tilestep::ptx {

/// Root opcodes of PTX (the word before the first dot). opcodes.def is the one table.
enum class Opcode : uint8_t {
  none,
#define TILESTEP_OPCODE(id, text, tier, form) id,
#include "ptx/opcodes.def"
#undef TILESTEP_OPCODE
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

}  // namespace tilestep::ptx
