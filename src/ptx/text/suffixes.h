// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Fills the decoded fields of an instruction from its opcode and suffixes.
void decodeSuffixes(Instruction& instruction);

}  // namespace tilestep::ptx
