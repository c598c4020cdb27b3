// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"
#include "ptx/text/lexer.h"
#include "ptx/text/scopes.h"

namespace tilestep::ptx {

/// Reads a function from its .entry or .func to its closing brace, or to the ';' of a declaration.
/// Adds the function's name to `names`. On failure, the cursor has the error.
Function parseFunction(Cursor& cursor, std::string_view linkage, ModuleNames& names);

}  // namespace tilestep::ptx
