// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/ir.h"
#include "ptx/text/lexer.h"

namespace tilestep::ptx {

/// Reads the variables of one declaration with the cursor at its state space; `start` is the first
/// token (a linkage word or the state space). Stops before the ';'. On failure the cursor has the
/// error and the result must be discarded.
std::vector<Variable> parseVariables(Cursor& cursor, const Token& start, bool isExtern);

/// Reads "(.param .u64 a, .param .align 8 .b8 s[16])" with the cursor at '('. Sets the offsets.
std::vector<Parameter> parseParameters(Cursor& cursor);

/// The width (1, 2 or 4) and type after `.reg`, which has been consumed.
struct RegisterType {
  unsigned width = 1;
  Type type = Type::none;
};
RegisterType parseRegisterType(Cursor& cursor);

/// Whether the directive starts a variable (.global, .shared, .local, .const, .param).
[[nodiscard]] bool startsVariable(const Token& token);

}  // namespace tilestep::ptx
