// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "cosim/forms.h"

namespace tilestep::cosim {

/// A module with one entry per form, named by `entryOf`. Thread i of the grid applies the form to
/// case i. Parameters: addresses of sources and of results, then the number of cases. Every value
/// has 8 bytes; value (slot, case) is at (slot * cases + case) * 8.
[[nodiscard]] std::string moduleOf(std::span<const Form> forms);
[[nodiscard]] std::string entryOf(size_t form);  ///< By its index in the span.

}  // namespace tilestep::cosim
