// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/ir.h"
#include "ptx/text/lexer.h"

namespace tilestep::ptx {

/// The variables of one declaration, the cursor standing at its state space; `start` is its first
/// token (a linkage word, or the state space itself). Stops before the ';'. On failure the cursor
/// has the error and the result is to be thrown away.
std::vector<Variable> parseVariables(Cursor& cursor, const Token& start, bool isExtern);

/// "(.param .u64 a, .param .align 8 .b8 s[16])", the cursor standing at '('. Offsets are filled in.
std::vector<Parameter> parseParameters(Cursor& cursor);

/// `.reg` was taken: its width (1, 2 or 4) and type.
struct RegisterType {
  unsigned width = 1;
  Type type = Type::none;
};
RegisterType parseRegisterType(Cursor& cursor);

/// Whether the directive starts a variable (.global, .shared, .local, .const, .param).
[[nodiscard]] bool startsVariable(const Token& token);

}  // namespace tilestep::ptx
