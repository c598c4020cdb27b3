// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// The elements of a matrix product that the traced block never wrote or computed incorrectly, that
/// is, different from float64 as described in lab/reference.h. Empty if the result was correct or
/// not checked, if the kernel is not a product, or if the trace or an input is incomplete.
[[nodiscard]] std::vector<trace::Place> wrongOutputsOf(const TracedKernel& side);

/// A few words about the problem of a result, the same in all steps: "wrong result: 12 of 16
/// elements", "2 races". Empty if no problem is known.
[[nodiscard]] std::string problemText(const TracedKernel& side);

}  // namespace tilestep::model
