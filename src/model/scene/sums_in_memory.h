// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// Whether each thread keeps its sum in its element of the output, because it stores the sum after
/// each update. No register holds it from one step to the next. Pure.
[[nodiscard]] bool sumsInMemory(const TracedKernel& side);

/// "load", "compute", "write-back"; if sums are kept in memory, a step that stores is a "store",
/// and a "clear" before the first update.
[[nodiscard]] std::string kindText(const TracedStep& step);

}  // namespace tilestep::model
