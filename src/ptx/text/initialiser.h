// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"
#include "ptx/text/lexer.h"

namespace tilestep::ptx {

/// Reads an initialiser, "{1, 2, …}" or a single constant, into `initial` and `references` of the
/// variable. The variable's name, type and extents must be set; an open extent becomes the number
/// of values. On failure, the cursor has the error.
void parseInitialiser(Cursor& cursor, Variable& variable);

}  // namespace tilestep::ptx
