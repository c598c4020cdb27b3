// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "simt/machine.h"

namespace tilestep::simt {

/// Fills DecodedBlock::ahead of all blocks of a program.
void findReturnsAhead(std::vector<DecodedBlock>& blocks);

}  // namespace tilestep::simt
