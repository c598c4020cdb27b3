// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cosim/answers.h"
#include "simt/engines.h"

/// Compares the interpreter with an H200's answers in tests/cosim/answers.gz.
namespace tilestep::cosim {

/// All forms, made once.
[[nodiscard]] const std::vector<Form>& forms();

/// The number of stored answers.
[[nodiscard]] size_t keptAnswerCount();

/// The difference between the interpreter's results with this engine and the stored answer; empty
/// if there is none.
[[nodiscard]] std::string failureOf(const Form& form, const simt::Engine& engine);

}  // namespace tilestep::cosim
