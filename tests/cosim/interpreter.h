// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/result.h"
#include "cosim/forms.h"
#include "simt/machine.h"

namespace tilestep::cosim {

/// Applies the form to its first `cases` cases (a multiple of 32); results as kernel.h lays them
/// out, narrow ones zero-extended. An Error is the interpreter's refusal. Null: the best engine.
Result<std::vector<uint64_t>> interpret(const Form& form, uint32_t cases,
                                        const simt::Engine* engine = nullptr);
/// The same of a module that holds the form's entry in another shape.
Result<std::vector<uint64_t>> interpret(const std::string& module, const Form& form, uint32_t cases,
                                        const simt::Engine* engine = nullptr);

}  // namespace tilestep::cosim
