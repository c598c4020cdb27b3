// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/launch.h"
#include "ptx/ir.h"

namespace tilestep::lab {

/// The counts, named as in namedCounts and ascending, that leave out what the launched functions
/// load or store with atomic operations. An atomic operation loads where an instruction reads its
/// result. Functions that are no entries are taken to be called.
[[nodiscard]] std::vector<std::string> countsWithoutAtomics(const ptx::Module& module,
                                                            const std::vector<Launch>& launches);

}  // namespace tilestep::lab
