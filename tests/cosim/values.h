// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/forms.h"

namespace tilestep::cosim {

/// The value of source `slot` in case `number` of a form: first edge values crossed, then edges
/// and random bits mixed. The same everywhere; case i does not depend on how many are run.
[[nodiscard]] uint64_t valueOf(const Form& form, size_t slot, uint32_t number);

/// All sources of the first `cases` cases, laid out as kernel.h says.
[[nodiscard]] std::vector<uint64_t> valuesOf(const Form& form, uint32_t cases);

}  // namespace tilestep::cosim
