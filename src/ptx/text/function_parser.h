// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"
#include "ptx/text/lexer.h"
#include "ptx/text/scopes.h"

namespace tilestep::ptx {

/// Reads a .entry or .func, the cursor standing at that word, into a function of `module`: its
/// body and closing brace, or the ';' of a declaration. On failure the cursor has the error.
/// Adds the function's name to `names`.
Function parseFunction(Cursor& cursor, std::string_view linkage, ModuleNames& names);

}  // namespace tilestep::ptx
