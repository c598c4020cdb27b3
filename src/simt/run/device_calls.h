// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "simt/machine.h"

/// The part of calls that lies outside the core: functions that the host executes, and the stack of
/// recursive ones. All are handlers that apply the mask themselves; Context::owner is the Worker.
namespace tilestep::simt {

/// vprintf, __assertfail, malloc and free: Instr's a, b, c and address are the rows of their
/// parameters, d that of the result or kNoRow. Null for any other name.
[[nodiscard]] Handler hostHandler(std::string_view name);

/// Rows [a, b) of Program::savedRows are pushed onto each lane's stack, or popped from it.
void saveRows(Context& context, const Instr& instr);
void restoreRows(Context& context, const Instr& instr);

/// Allocates `offset` bytes of local variables for one call of a recursive function, from the row
/// `d` (kNoRow: there is none); `a` is the call's use of a GPU's stack.
void openFrame(Context& context, const Instr& instr);
void closeFrame(Context& context, const Instr& instr);

void stopAtTrap(Context& context, const Instr& instr);

}  // namespace tilestep::simt
