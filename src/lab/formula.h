// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// Above so many elements an output is compared with its formula in a share of them, evenly spread,
/// and Check::reference says which.
constexpr uint64_t kMostFormulas = uint64_t{1} << 22;

/// Compares each output whose front matter has an `expect` with that expression of the element's
/// index, rounded once to the element's type: every compared element must be equal. Adds what it
/// finds to `check`; no output has one: `check` stays as it is.
/// Errors: an expression without a finite value, an output that did not come back.
Status checkFormulas(const compile::Plan& plan, const std::vector<std::vector<std::byte>>& outputs,
                     Check& check);

}  // namespace tilestep::lab
