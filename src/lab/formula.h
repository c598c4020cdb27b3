// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/front_matter/expression.h"
#include "compile/kernel.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// Outputs with more elements than this are compared with their formula only in an evenly spread
/// share of them, which Check::reference states.
constexpr uint64_t kMostFormulas = uint64_t{1} << 22;

/// Between two questions whether to stop: some milliseconds.
constexpr uint64_t kEvaluations = uint64_t{1} << 12;

/// Adds the inputs that `expression` uses, as they are filled before a launch with this seed, and
/// has the evaluator ask `stop`, too. An Error of the work where it was stopped.
Status addInputs(compile::Evaluator& evaluator, const compile::Plan& plan, uint64_t seed,
                 const std::string& expression, const device::Cancelled& stop);

/// Compares each output whose front matter has an `expect` with that expression of the element's
/// index and the inputs, rounded once to the element's type: every compared element must be equal.
/// Adds the result to `check`, which stays unchanged if no output has an `expect`. Errors: an
/// expression without a finite value, an output that did not come back, and where it was stopped.
Status checkFormulas(const compile::Plan& plan, const std::vector<std::vector<std::byte>>& outputs,
                     uint64_t seed, Check& check, const device::Cancelled& stop = {});

}  // namespace tilestep::lab
