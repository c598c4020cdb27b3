// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/ir.h"
#include "ptx/text/lexer.h"

namespace tilestep::ptx {

/// Reads the variables of one declaration, from its state space up to, but not including, its ';'.
/// `start` is the declaration's first token (a linkage word or the state space). On failure, the
/// cursor has the error, and the result must be discarded.
std::vector<Variable> parseVariables(Cursor& cursor, const Token& start, bool isExtern);

/// Reads parameters, such as "(.param .u64 a, .param .align 8 .b8 s[16])", and sets their offsets.
std::vector<Parameter> parseParameters(Cursor& cursor);

/// The width (1, 2 or 4) and type after a `.reg` that has been consumed.
struct RegisterType {
  unsigned width = 1;
  Type type = Type::none;
};
RegisterType parseRegisterType(Cursor& cursor);

/// Whether the token is a state space: .global, .shared, .local, .const or .param.
[[nodiscard]] bool startsVariable(const Token& token);

}  // namespace tilestep::ptx
