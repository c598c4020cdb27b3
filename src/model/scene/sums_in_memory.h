// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// Whether each thread keeps its sum in its element of the output, because it stores the sum after
/// each update and no register holds the sum between steps. Pure.
[[nodiscard]] bool sumsInMemory(const TracedKernel& side);

/// "load", "compute" or "write-back". If sums are kept in memory, a step that stores is a "store",
/// and a store before the first update is a "clear".
[[nodiscard]] std::string kindText(const TracedStep& step);

}  // namespace tilestep::model
