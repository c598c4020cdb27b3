// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/ir.h"

/// Programs that test the claims of opcodes.def about operands of instructions.
namespace tilestep::support {

/// The claims of opcodes.def, optionally with one reversed: that operand of that root counts as
/// read instead of written, or as written instead of read.
struct Claims {
  ptx::Opcode turned = ptx::Opcode::none;
  /// Index of the root's letter; the last letter applies to all following operands.
  size_t operand = 0;
};

/// A program that gives the same results as the module if the claims are true. Before each
/// instruction, every register that the instruction does not read gets another value. After it,
/// every register that it does not write gets its old value back. So an unclaimed read sees a wrong
/// value, an unclaimed write is lost, and a register that is claimed as written but is not keeps
/// its wrong value. Instructions after which threads continue elsewhere stay unchanged. If `active`
/// is false, the program has as many added lines, but they do nothing.
[[nodiscard]] std::string testedText(const ptx::Module& module, const Claims& claims, bool active);

}  // namespace tilestep::support
