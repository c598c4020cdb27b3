// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "base/result.h"
#include "cosim/forms.h"

namespace tilestep::cosim {

/// Applies each form to its first `cases` cases (a multiple of 32) and reports the results, laid
/// out as kernel.h says, narrow ones zero-extended.
using Told = std::function<void(size_t form, const std::vector<uint64_t>& results)>;

/// On the first GPU; its driver compiles the PTX.
Status runOnGpu(std::span<const Form> forms, uint32_t cases, const Told& tell);

}  // namespace tilestep::cosim
