// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/launch.h"
#include "ptx/ir.h"

namespace tilestep::lab {

/// The names (as in namedCounts(), ascending) of the counts that exclude loads or stores which the
/// launched functions make with atomic operations. An atomic operation counts as a load if an
/// instruction reads its result. Functions that are not entries are assumed to be called.
[[nodiscard]] std::vector<std::string> countsWithoutAtomics(const ptx::Module& module,
                                                            const std::vector<Launch>& launches);

}  // namespace tilestep::lab
