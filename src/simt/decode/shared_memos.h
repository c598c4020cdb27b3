// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "simt/machine.h"

namespace tilestep::simt {

/// Loads and stores of one basic block whose addresses come from one unchanged row, like those of
/// an unrolled loop, share the first one's Memo. The others are `known`, because their lanes have
/// the same distances.
void shareMemos(std::vector<Instr>& code, const std::vector<DecodedBlock>& blocks);

}  // namespace tilestep::simt
