// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// Outputs with more elements than this are compared with their formula only in an evenly spread
/// share of them, which Check::reference states.
constexpr uint64_t kMostFormulas = uint64_t{1} << 22;

/// Compares each output whose front matter has an `expect` with that expression of the element's
/// index, rounded once to the element's type: every compared element must be equal. Adds the result
/// to `check`, which stays unchanged if no output has an `expect`.
/// Errors: an expression without a finite value, an output that did not come back.
Status checkFormulas(const compile::Plan& plan, const std::vector<std::vector<std::byte>>& outputs,
                     Check& check);

}  // namespace tilestep::lab
