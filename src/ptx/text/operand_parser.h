// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/ir.h"
#include "ptx/text/lexer.h"
#include "ptx/text/scopes.h"

namespace tilestep::ptx {

/// Reads the operands of one instruction up to, but not including, its ';'. A label after `bra`
/// becomes an Operand::Kind::label with `name` as written and without a target. On failure, the
/// cursor has the error.
std::vector<Operand> parseOperands(Cursor& cursor, Scopes& scopes, Opcode opcode);

/// Reads a register and returns its index, or kNone after a failure.
uint32_t parseRegister(Cursor& cursor, Scopes& scopes);

}  // namespace tilestep::ptx
