// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/result.h"
#include "cosim/forms.h"
#include "simt/machine.h"

namespace tilestep::cosim {

/// Applies the form to its first `cases` cases (a multiple of 32). Results are laid out as in
/// kernel.h; narrow results are zero-extended. Error: the interpreter rejects the form. A null
/// engine means the best one.
Result<std::vector<uint64_t>> interpret(const Form& form, uint32_t cases,
                                        const simt::Engine* engine = nullptr);
/// Like interpret() above, for a module that contains the form's entry in another shape.
Result<std::vector<uint64_t>> interpret(const std::string& module, const Form& form, uint32_t cases,
                                        const simt::Engine* engine = nullptr);

}  // namespace tilestep::cosim
