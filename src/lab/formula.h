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

/// For outputs with more elements than this, only an evenly spaced sample is compared with the
/// formula, and Check::reference states the sampling.
constexpr uint64_t kMostFormulas = uint64_t{1} << 22;

/// Evaluations between two polls of `stop`: some milliseconds.
constexpr uint64_t kEvaluations = uint64_t{1} << 12;

/// Adds the inputs that `expression` uses, filled from `seed` as before a launch, and makes the
/// evaluator poll `stop`. Error if stopped.
Status addInputs(compile::Evaluator& evaluator, const compile::Plan& plan, uint64_t seed,
                 const std::string& expression, const device::Cancelled& stop);

/// Compares each output that has an `expect` in front matter with the value of that expression,
/// computed from the element's index and the inputs and rounded once to the element's type. Every
/// compared element must be equal. Adds the result to `check`, which stays unchanged if no output
/// has an `expect`. Errors: an expression without a finite value, an output that was not returned,
/// stopped.
Status checkFormulas(const compile::Plan& plan, const std::vector<std::vector<std::byte>>& outputs,
                     uint64_t seed, Check& check, const device::Cancelled& stop = {});

}  // namespace tilestep::lab
