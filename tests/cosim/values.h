// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/forms.h"

namespace tilestep::cosim {

/// The value of source `slot` in case `number` of a form: first all combinations of edge values,
/// then edges mixed with random bits. The same on every machine; case i does not depend on the
/// number of cases.
[[nodiscard]] uint64_t valueOf(const Form& form, size_t slot, uint32_t number);

/// All sources of the first `cases` cases, laid out as in kernel.h.
[[nodiscard]] std::vector<uint64_t> valuesOf(const Form& form, uint32_t cases);

}  // namespace tilestep::cosim
