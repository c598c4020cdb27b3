// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cosim/answers.h"
#include "simt/engines.h"

/// The interpreter against the answers that an H200 gave, in tests/cosim/answers.gz.
namespace tilestep::cosim {

/// All forms, made once.
[[nodiscard]] const std::vector<Form>& forms();

/// How many answers are kept.
[[nodiscard]] size_t keptAnswerCount();

/// How the interpreter's results differ from the kept answer where this engine computes them; empty
/// where they do not.
[[nodiscard]] std::string failureOf(const Form& form, const simt::Engine& engine);

}  // namespace tilestep::cosim
