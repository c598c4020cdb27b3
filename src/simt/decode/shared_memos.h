// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "simt/machine.h"

namespace tilestep::simt {

/// Loads and stores of a basic block with the same, unchanged address row, like those of an
/// unrolled loop, share the AddressPattern of the first one. The later ones are marked as `known`,
/// because their lanes' addresses have the same differences.
void shareMemos(std::vector<Instr>& code, const std::vector<DecodedBlock>& blocks);

}  // namespace tilestep::simt
