// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "simt/machine.h"

namespace tilestep::simt {

/// Fills BasicBlock::ahead of all blocks of a program.
void findReturnsAhead(std::vector<BasicBlock>& blocks);

}  // namespace tilestep::simt
