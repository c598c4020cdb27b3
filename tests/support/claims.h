// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/ir.h"

/// Programs that put to the test what opcodes.def claims of their instructions.
namespace tilestep::support {

/// The claims of opcodes.def, or the same with one of them reversed: that operand of that root is
/// read instead of written, or written instead of read.
struct Claims {
  ptx::Opcode turned = ptx::Opcode::none;
  size_t operand = 0;  ///< Index of the root's letter; the last one stands for all that follow.
};

/// The text of a program that gives the same results as the module if the claims hold. Before each
/// instruction, every register that it does not read gets another value; after it, every
/// register that it does not write gets its value back. So a read that the claims leave out sees a
/// wrong value, a write that they leave out is lost, and what is said to be written and is not
/// stays wrong. Instructions after which threads go on elsewhere are left as they are. `active`
/// false: as many lines, but they do nothing.
[[nodiscard]] std::string testedText(const ptx::Module& module, const Claims& claims, bool active);

}  // namespace tilestep::support
