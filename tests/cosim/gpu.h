// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "base/result.h"
#include "cosim/forms.h"

namespace tilestep::cosim {

/// Receives the results of one form for its cases, laid out as in kernel.h; narrow results are
/// zero-extended.
using Told = std::function<void(size_t form, const std::vector<uint64_t>& results)>;

/// Applies each form to its first `cases` cases (a multiple of 32) on the first GPU, whose driver
/// compiles the PTX.
Status runOnGpu(std::span<const Form> forms, uint32_t cases, const Told& tell);

}  // namespace tilestep::cosim
