// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// The elements of a matrix product that the traced block got wrong, compared with float64 as
/// lab/reference.h says, and those that it never wrote. Empty where the result was found right or
/// was not checked, where the kernel is no product, and where the trace or an input is not held
/// whole.
[[nodiscard]] std::vector<trace::Place> wrongOutputsOf(const TracedKernel& side);

/// What is wrong with a result, in a few words that stay while the kernel is shown: "wrong result:
/// 12 of 16 elements", "2 races". Empty where nothing is known to be wrong.
[[nodiscard]] std::string problemText(const TracedKernel& side);

}  // namespace tilestep::model
