// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "simt/machine.h"

namespace tilestep::simt {

/// The copies of the core that this CPU can run, best first; never empty. All give identical bits.
std::vector<const Engine*> engines();

}  // namespace tilestep::simt
