// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"
#include "ptx/text/lexer.h"

namespace tilestep::ptx {

/// Reads "{1, 2, …}" or a single constant, after the '=', into `initial` and `references` of a
/// variable whose name, type and extents are set; an open extent is set from the number of values.
/// On failure the cursor has the error.
void parseInitialiser(Cursor& cursor, Variable& variable);

}  // namespace tilestep::ptx
