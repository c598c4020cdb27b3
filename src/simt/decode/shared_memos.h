// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "simt/machine.h"

namespace tilestep::simt {

/// Loads and stores that follow each other in a block of code and take their addresses from one
/// unchanged row, as those of an unrolled loop do, share the first one's Memo: the others are
/// `known`, for their lanes lie as its lanes do.
void shareMemos(std::vector<Instr>& code, const std::vector<BasicBlock>& blocks);

}  // namespace tilestep::simt
