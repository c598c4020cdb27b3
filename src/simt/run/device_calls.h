// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "simt/machine.h"

/// Handles the calls that the core does not run itself: built-in functions of device code (vprintf,
/// malloc and others), and recursive functions, which need a stack. The handlers write only active lanes. Context::owner must be the Worker.
namespace tilestep::simt {

/// The handler of vprintf, __assertfail, malloc or free; null for any other name. Instr's a, b, c
/// and address are the rows of the parameters, and d is the row of the result or kNoRow.
[[nodiscard]] Handler hostHandler(std::string_view name);

/// Push Program::savedRows [a, b) onto each lane's stack, or pop them from it.
void saveRows(Context& context, const Instr& instr);
void restoreRows(Context& context, const Instr& instr);

/// Allocates `offset` bytes of local variables for a call of a recursive function, and writes their
/// address to the row `d` unless it is kNoRow. `a` is the number of bytes that the call uses on a
/// GPU's stack.
void openFrame(Context& context, const Instr& instr);
void closeFrame(Context& context, const Instr& instr);

void stopAtTrap(Context& context, const Instr& instr);

}  // namespace tilestep::simt
